package host

import (
	"context"
	"fmt"
	"log/slog"
	"reflect"
	"time"

	"bincard/server/api"
)

const (
	// accessInterval is how often a node asks for its access and rules.
	accessInterval = 10 * time.Minute
	// accessPatience is how long a request for the access waits for the service's
	// answer before it gets the saved one.
	accessPatience = 150 * time.Millisecond
)

// Do performs the operation at the node. The access is what the service said last, so
// that no one waits for it.
func (h *Node) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec == api.GetAccess.Spec && h.Ready() {
		return h.getAccess(ctx)
	}
	if req.Caller == nil {
		local := *req
		local.Caller = h.caller.Load()
		req = &local
	}

	return h.Node.Do(ctx, req)
}

func (h *Node) getAccess(ctx context.Context) (*api.Response, error) {
	if done := h.upstream.inProgress(); done != nil {
		timer := time.NewTimer(accessPatience)
		select {
		case <-done:
		case <-timer.C:
		case <-ctx.Done():
		}

		timer.Stop()
	}

	access := *h.access.Load()
	if !isDescribed(&access) {
		return nil, api.Fail(api.NotFound, nil, "The service does not support %s %s.", api.GetAccess.Spec.Method,
			api.GetAccess.Spec.Path)
	}

	return &api.Response{Output: &access}, nil
}

// setAccess records what the service says about the key, and returns an error if it is for
// another location.
func (h *Node) setAccess(ctx context.Context, access api.Access) error {
	if err := h.matchLocations(&access); err != nil {
		return err
	}

	old := h.access.Swap(&access)
	if !isDescribed(&access) {
		h.access.CompareAndSwap(&access, old)
		return nil
	}

	caller := *h.caller.Load()
	caller.Scopes = access.Scopes
	bindCaller(&caller, &access)
	h.caller.Store(&caller)
	h.UpdateRules(ctx, &access)
	for _, fn := range h.onAccess {
		fn(access)
	}

	before, after := *old, access
	before.Usage, after.Usage = api.Usage{}, api.Usage{}
	if reflect.DeepEqual(before, after) {
		return nil
	}
	if err := saveAccess(h.dir, access); err != nil {
		slog.Warn("cannot save the key's access", "error", err)
	}

	return nil
}

// bindCaller binds the caller to the role and the location of its key, if it has one.
func bindCaller(caller *api.Caller, access *api.Access) {
	caller.LocationID, caller.LocationCode, caller.Role = api.NoID, "", access.Role
	if access.LocationID != nil {
		caller.LocationID, caller.LocationCode = *access.LocationID, access.LocationCode
	}
}

// matchLocations returns an error if the key is for one location and the node for others. A
// node that started before its service answered takes the location of the key now.
func (h *Node) matchLocations(access *api.Access) error {
	locations, err := savedLocations(h.dir)
	if err != nil {
		return err
	}

	if at := keyLocation(access); at != nil && len(locations) == 0 && !h.allLocations && !h.Ready() {
		if err := saveLocations(h.dir, at); err != nil {
			return fmt.Errorf("cannot save the node's locations: %w", err)
		}
		h.LimitTo(at)
		locations = at
	}

	return checkKeyLocation(access, locations)
}

// keyReplaced checks the new key and syncs with it at once.
func (h *Node) keyReplaced() {
	h.upstream.replaceKey()
	h.Resume()
}

// keepAccess asks for the access and rules from time to time.
func (h *Node) keepAccess(ctx context.Context) {
	tick := time.NewTicker(accessInterval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}

		if access, err := h.upstream.ask(ctx); err == nil {
			_ = h.setAccess(ctx, access) // the next check of the key reports it
		}
	}
}
