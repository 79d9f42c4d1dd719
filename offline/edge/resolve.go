package edge

import (
	"context"

	"bincard/server/api"
)

// checkOwnWork returns an error if an operation was done on another device than the caller,
// which is bound to a location, or at another location by an earlier device with the same name.
func (s *Service) checkOwnWork(ctx context.Context, c *api.Caller, key string) error {
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
	at, err := req.Elsewhere(ctx, s.documentLocations)
	if err != nil || at == api.NoID {
		return nil // its document may be gone, or never made
	}

	return c.LocationError(api.Textf("This was done at %s.", s.locationCode(ctx, at)))
}
