package edge

import (
	"context"
	"slices"

	"bincard/offline"
	"bincard/offline/outbox"
	"bincard/server/api"
)

// checkLocation returns an error if a caller bound to one location writes at
// another. Reads are not restricted: a shipper needs to see the destination.
func (s *Service) checkLocation(ctx context.Context, req *api.Request) error {
	if req.Spec.AllLocations {
		return s.locationError(ctx, req.Caller, "This applies to all locations. Use a key that is not bound to one.")
	}
	if !req.Spec.Writes() {
		return nil
	}
	switch in := req.Input.(type) {
	case *api.WorkKeyInput:
		return s.checkDevice(ctx, req.Caller, in.Key)
	case *api.DiscardWorkInput:
		return s.checkDevice(ctx, req.Caller, in.Key)
	case *api.ReplaceWorkInput:
		if err := s.checkDevice(ctx, req.Caller, in.Key); err != nil {
			return err
		}
		other, err := outbox.DecodeRequest(in.Operation, in.Target, in.Body)
		if err != nil {
			return nil // the node reports it
		}
		other.Caller = req.Caller
		return s.checkLocation(ctx, other)
	}
	allowed, err := s.locations(ctx, req)
	if err != nil {
		return s.unknownLocationError(ctx, req, err)
	}
	if len(allowed) == 0 || slices.Contains(allowed, req.Caller.LocationID) {
		return nil
	}
	return s.locationError(ctx, req.Caller, api.Textf("This must be done at %s.", s.locationCode(ctx, allowed[0])))
}

// checkDevice returns an error if an operation was done on another device, or at another
// location by an earlier device with the same name.
func (s *Service) checkDevice(ctx context.Context, c *api.Caller, key string) error {
	op := s.node.Operation(key)
	switch {
	case op == nil:
		return nil
	case op.Device != c.KeyLabel:
		return api.Fail(
			api.LocationNotAllowed,
			api.Details{"location": c.LocationID, "device": op.Device},
			"This was done on another device (%s). Resolve it there, at the edge, or with a key that is not bound to a location.",
			op.Device,
		)
	}
	req, err := op.Request()
	if err != nil {
		return nil // this version did not save it
	}
	req.Caller = c
	allowed, err := s.locations(ctx, req)
	if err != nil || len(allowed) == 0 || slices.Contains(allowed, c.LocationID) {
		return nil // its document may be gone, or never made
	}
	return s.locationError(ctx, c, api.Textf("This was done at %s.", s.locationCode(ctx, allowed[0])))
}

// locations returns the locations where a request may be made: those that the input
// names, or those of its document, which is read at the service if it is not here. The
// error is that of the read.
func (s *Service) locations(ctx context.Context, req *api.Request) ([]api.ID, error) {
	id := req.DocumentID()
	if id == (api.ID{}) {
		return doneAt(req.Spec, req.Locations()), nil
	}
	ends, err := s.documentLocations(ctx, req, id)
	if err != nil {
		return nil, err
	}
	return doneAt(req.Spec, ends), nil
}

// doneAt returns which of a document's locations a bound device must be at. A transfer is
// received and closed at its destination, which comes last; all else changes its source.
func doneAt(spec *api.Spec, locations []api.ID) []api.ID {
	switch {
	case spec.Document != api.DocTransfer || len(locations) < 2:
		return locations
	case spec.AtDestination:
		return locations[1:]
	}
	return locations[:1]
}

// maxLocated is how many documents have their locations in memory.
const maxLocated = 10_000

// documentLocations returns the locations of a document, which never change.
func (s *Service) documentLocations(ctx context.Context, req *api.Request, id api.ID) ([]api.ID, error) {
	s.mu.Lock()
	ends := s.located[id]
	s.mu.Unlock()
	if ends != nil {
		return ends, nil
	}
	doc, err := api.ReadDocument(ctx, s.node.Local(), req.Spec.Document, id)
	if api.HasCode(err, api.NotFound) {
		doc, err = api.ReadDocument(ctx, s.node.Remote(), req.Spec.Document, id)
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

// unknownLocationError returns the error for a request whose document cannot be read.
// It is not performed: the document may be of another location.
func (s *Service) unknownLocationError(ctx context.Context, req *api.Request, err error) error {
	if e := api.AsError(err); e.Code == api.NotFound {
		return &api.Error{
			Code:    e.Code,
			Message: e.Message,
			Details: e.Details,
		} // the service has no such document either
	}
	return s.locationError(ctx, req.Caller,
		"This document is not here yet, so its location is unknown. Retry when connected.")
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
	allowed, err := s.locations(ctx, &checked)
	switch {
	case api.HasCode(err, api.NotFound): // for the service to reject
		return nil
	case err != nil:
		return err
	case len(allowed) == 0 || slices.Contains(allowed, caller.LocationID):
		return nil
	}
	return s.locationError(ctx, caller, api.Textf("This must be done at %s.", s.locationCode(ctx, allowed[0])))
}

// FindLocation returns the location with a code, or nil if none.
func FindLocation(ctx context.Context, n *offline.Node, code string) (*api.Place, error) {
	page, err := api.ListLocations.Call(ctx, n.Local(), api.ListPlacesInput{Code: code})
	if err != nil || len(page.Items) == 0 {
		return nil, err
	}
	return &page.Items[0], nil
}

// locationError returns the error of a caller bound to another location.
func (s *Service) locationError(ctx context.Context, c *api.Caller, what string) error {
	code := s.locationCode(ctx, c.LocationID)
	return api.Fail(api.LocationNotAllowed, api.Details{"location": code},
		"This terminal (%s) works only at %s. %v", c.KeyLabel, code, api.Text(what))
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
