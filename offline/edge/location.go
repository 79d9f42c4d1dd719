package edge

import (
	"context"
	"reflect"
	"slices"

	"bincard/offline"
	"bincard/server/api"
)

// allLocationOps are the operations that affect all locations, which a device
// bound to one location may not do.
var allLocationOps = []string{api.CreateLocation.ID, api.CreateOwner.ID, api.CreateChannel.ID, api.ArchiveProduct.ID, api.ArchiveLot.ID,
	api.ExportWork.ID, api.ImportWork.ID}

// checkLocation returns an error if a caller bound to one location writes at
// another. Reads are not restricted: a shipper needs to see the destination.
func (s *Service) checkLocation(ctx context.Context, req *api.Request) error {
	if slices.Contains(allLocationOps, req.Spec.ID) {
		return s.locationError(ctx, req.Caller, "This applies to all locations. Use a key that is not bound to one.")
	}
	if !req.Spec.Writes() {
		return nil
	}
	switch in := req.Input.(type) {
	case *api.WorkKeyInput:
		return s.checkDevice(req.Caller, in.Key)
	case *api.DropWorkInput:
		return s.checkDevice(req.Caller, in.Key)
	case *api.ReplaceWorkInput:
		if err := s.checkDevice(req.Caller, in.Key); err != nil {
			return err
		}
		other, err := offline.DecodeRequest(in.Operation, in.Target, in.Body)
		if err != nil {
			return nil // the node reports it
		}
		other.Caller = req.Caller
		return s.checkLocation(ctx, other)
	}
	ends, err := s.locations(ctx, req)
	if err != nil || len(ends) == 0 || slices.Contains(ends, req.Caller.LocationID) {
		return err
	}
	return s.locationError(ctx, req.Caller, "This must be done at "+s.locationCode(ctx, ends[0])+".")
}

// checkDevice checks that an operation was done on the caller's device.
func (s *Service) checkDevice(c *api.Caller, key string) error {
	if op := s.node.Operation(key); op != nil && op.Device != c.KeyLabel {
		return api.Fail(api.LocationNotAllowed, api.Details{"location": c.LocationID, "device": op.Device},
			"This was done on another device (%s). Resolve it there, at the edge, or with a key that is not bound to a location.", op.Device)
	}
	return nil
}

// locations returns the locations one of which must be the caller's: those
// that the input names, or those of its document. A transfer is shipped at its
// source and received at its destination; its other operations may be done at
// either.
func (s *Service) locations(ctx context.Context, req *api.Request) (ends []api.ID, err error) {
	in := reflect.ValueOf(req.Input).Elem()
	if id := idField(in, "TransferID"); id != (api.ID{}) {
		t, err := callLocal(ctx, s, api.GetTransfer, api.TransferInput{TransferID: id})
		switch {
		case err != nil:
			return nil, ignoreNotFound(err)
		case req.Spec.ID == api.ShipTransfer.ID:
			return []api.ID{t.SourceLocationID}, nil
		case req.Spec.ID == api.ReceiveTransfer.ID:
			return []api.ID{t.DestinationLocationID}, nil
		}
		return []api.ID{t.SourceLocationID, t.DestinationLocationID}, nil
	}
	at := func(id api.ID, err error) ([]api.ID, error) {
		if err != nil {
			return nil, ignoreNotFound(err)
		}
		return []api.ID{id}, nil
	}
	if id := idField(in, "InboundID"); id != (api.ID{}) {
		x, err := callLocal(ctx, s, api.GetInbound, api.InboundInput{InboundID: id})
		return at(x.LocationID, err)
	}
	if id := idField(in, "OutboundID"); id != (api.ID{}) {
		x, err := callLocal(ctx, s, api.GetOutbound, api.OutboundInput{OutboundID: id})
		return at(x.LocationID, err)
	}
	if id := idField(in, "ReservationID"); id != (api.ID{}) && idField(in, "LocationID") == (api.ID{}) {
		x, err := callLocal(ctx, s, api.GetReservation, api.ReservationInput{ReservationID: id})
		return at(x.LocationID, err)
	}
	for _, name := range []string{"LocationID", "SourceLocationID", "DestinationLocationID"} {
		if id := idField(in, name); id != (api.ID{}) {
			ends = append(ends, id)
		}
	}
	return ends, nil
}

// idField returns the id in a field of an input, zero if it has no such field.
func idField(in reflect.Value, name string) api.ID {
	if f := in.FieldByName(name); f.IsValid() {
		if id, ok := f.Interface().(api.ID); ok {
			return id
		}
	}
	return api.ID{}
}

// ignoreNotFound ignores a missing document, which the node reports itself.
func ignoreNotFound(err error) error {
	if api.HasCode(err, api.NotFound) {
		return nil
	}
	return err
}

// A localReader reads the local data of a node.
type localReader struct{ *offline.Node }

// Do performs a read.
func (s localReader) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	return s.ReadLocal(ctx, req)
}

// callLocal reads the local data as the edge itself.
func callLocal[I, O any](ctx context.Context, s *Service, op api.Operation[I, O], in I) (O, error) {
	return op.Call(ctx, localReader{s.node}, in)
}

// FindLocation returns the location with a code, nil if there is none.
func FindLocation(ctx context.Context, n *offline.Node, code string) (*api.Place, error) {
	page, err := api.ListLocations.Call(ctx, localReader{n}, api.ListPlacesInput{Code: code})
	if err != nil || len(page.Items) == 0 {
		return nil, err
	}
	return &page.Items[0], nil
}

func (s *Service) locationError(ctx context.Context, c *api.Caller, what string) error {
	own := s.locationCode(ctx, c.LocationID)
	return api.Fail(api.LocationNotAllowed, api.Details{"location": own},
		"This terminal (%s) works only at %s. %s", c.KeyLabel, own, what)
}

// locationCode returns the code of a location.
func (s *Service) locationCode(ctx context.Context, id api.ID) string {
	limit := int64(100)
	for in := (api.ListPlacesInput{Limit: &limit}); ; {
		page, err := callLocal(ctx, s, api.ListLocations, in)
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
