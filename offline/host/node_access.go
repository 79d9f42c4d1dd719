package host

import (
	"context"
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

// setAccess records what the service says about the key.
func (h *Node) setAccess(ctx context.Context, access api.Access) {
	old := h.access.Swap(&access)
	if !isDescribed(&access) {
		h.access.CompareAndSwap(&access, old)
		return
	}

	caller := *h.caller.Load()
	caller.Scopes = access.Scopes
	h.caller.Store(&caller)
	h.UpdateRules(ctx, &access)
	for _, fn := range h.onAccess {
		fn(access)
	}

	before, after := *old, access
	before.Usage, after.Usage = api.Usage{}, api.Usage{}
	if reflect.DeepEqual(before, after) {
		return
	}
	if err := saveAccess(h.dir, access); err != nil {
		slog.Warn("cannot save the key's access", "error", err)
	}
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
			h.setAccess(ctx, access)
		}
	}
}
