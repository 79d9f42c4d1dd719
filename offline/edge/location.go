package edge

import (
	"context"

	"bincard/offline"
	"bincard/offline/outbox"
	"bincard/server/api"
)

// checkLocation returns an error if a caller bound to one location writes at
// another.
func (s *Service) checkLocation(ctx context.Context, req *api.Request) error {
	if in, ok := req.Input.(api.WorkDecision); ok {
		if err := s.checkOwnWork(ctx, req.Caller, in.WorkKey()); err != nil {
			return err
		}
	}

	if in, ok := req.Input.(*api.ReplaceWorkInput); ok {
		other, err := outbox.DecodeRequest(in.Operation, in.Target, in.Body)
		if err != nil {
			return nil // the node reports it
		}

		other.Caller = req.Caller
		req = other
	}

	return unknownLocation(req, req.CheckLocation(ctx, s.documentLocations, s.locationCode))
}

// maxLocated is how many documents have their locations in memory.
const maxLocated = 10_000

// documentLocations returns the locations of a document, which never change. It is read at
// the service if it is not here.
func (s *Service) documentLocations(ctx context.Context, kind api.DocumentKind, id api.ID) ([]api.ID, error) {
	s.mu.Lock()
	ends := s.located[id]
	s.mu.Unlock()
	if ends != nil {
		return ends, nil
	}

	doc, err := api.ReadDocument(ctx, s.node.Local(), kind, id)
	if api.HasCode(err, api.NotFound) {
		doc, err = api.ReadDocument(ctx, s.node.Remote(), kind, id)
	}
	if err != nil {
		return nil, err
	}

	ends = api.LocationsOf(doc)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.located == nil || len(s.located) == maxLocated {
		s.located = map[api.ID][]api.ID{}
	}

	s.located[id] = ends

	return ends, nil
}

// unknownLocation returns the error for a request whose document cannot be read.
// It is not performed: the document may be of another location.
func unknownLocation(req *api.Request, err error) error {
	if err == nil || api.HasCode(err, api.LocationNotAllowed) {
		return err
	}

	if e := api.AsError(err); e.Code == api.NotFound {
		return &api.Error{
			Code:    e.Code,
			Message: e.Message,
			Details: e.Details,
		} // the service has no such document either
	}

	return req.Caller.LocationError(
		api.Text("This document is not here yet, so its location is unknown. Retry when connected."))
}

// CheckSend returns an error if a device bound to one location did an operation whose
// document is known to be elsewhere by the time it is sent. It is the last check before
// the service, which does not know the device keys.
func (s *Service) CheckSend(ctx context.Context, req *api.Request, devices *Devices) error {
	if !req.Spec.Writes() {
		return nil
	}

	op := s.node.Operation(req.IdempotencyKey)
	if op == nil || op.Device == "" {
		return nil
	}

	caller := devices.boundCaller(op)
	if caller == nil {
		return nil
	}

	checked := *req
	checked.Caller = caller
	err := checked.CheckLocation(ctx, s.documentLocations, s.locationCode)
	if api.HasCode(err, api.NotFound) { // for the service to reject
		return nil
	}

	return err
}

// FindLocation returns the location with a code, or nil if none.
func FindLocation(ctx context.Context, n *offline.Node, code string) (*api.Place, error) {
	page, err := api.ListLocations.Call(ctx, n.Local(), api.ListPlacesInput{Code: code})
	if err != nil || len(page.Items) == 0 {
		return nil, err
	}
	return &page.Items[0], nil
}

// locationCode returns the code of a location, or its id if it cannot be read.
func (s *Service) locationCode(ctx context.Context, id api.ID) string {
	most := int64(100)
	for in := (api.ListPlacesInput{Page: api.Page{Limit: &most}}); ; {
		page, err := api.ListLocations.Call(ctx, s.node.Local(), in)
		if err != nil {
			return id.String()
		}
		for _, l := range page.Items {
			if l.ID == id {
				return l.Code
			}
		}

		if page.NextCursor == nil {
			return id.String()
		}

		in.Cursor = *page.NextCursor
	}
}
