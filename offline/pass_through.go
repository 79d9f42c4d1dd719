package offline

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"bincard/offline/outbox"
	"bincard/offline/syncer"
	"bincard/server/api"
	"bincard/server/ledger/replica"
)

// A polled service has the documented operations only, and so has its node: the local
// data is not enough for others, and the service would not accept them.

// isExtension reports whether an operation is an extension of the service.
func isExtension(spec *api.Spec) bool {
	return spec.Extension && slices.Contains(api.Operations(), spec)
}

// unsupportedError returns the error for an operation that the service does not have.
func unsupportedError(spec *api.Spec) error {
	return api.Fail(api.NotFound, nil, "The service does not support %s %s.", spec.Method, spec.Path)
}

// askUpstream sends reads of history to the service, because a polled replica has none.
// ok is false if the local ledger should answer.
func (n *Node) askUpstream(ctx context.Context, req *api.Request) (res *api.Response, ok bool, err error) {
	if !req.Spec.History {
		return nil, false, nil
	}
	if !n.online() {
		return nil, true, api.Fail(api.Unavailable, api.Details{"outcome": "not_sent"},
			"Stock history is only at the service, which cannot be reached. Current quantities are still shown.")
	}
	upstream := *req
	upstream.Caller = nil
	res, err = n.cfg.Upstream.Do(ctx, &upstream)
	if api.HasCode(err, api.NotFound) {
		return nil, false, nil // it was created at the node
	}
	return res, true, err
}

// online reports whether the service is connected.
func (n *Node) online() bool {
	if n.cfg.Upstream == nil {
		return false
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.queue.Link(n.now()).Up
}

// fetchOutbound adds the outbound that a request is for to the replica. A polled
// service has no list of outbounds, so each is read when it is first used.
func (n *Node) fetchOutbound(ctx context.Context, req *api.Request) {
	id := req.DocumentID()
	target := n.replicas.Current()
	if req.Spec.Document != api.DocOutbound || id == (api.ID{}) || target == nil || !n.online() {
		return
	}
	var doc any
	err := n.replicas.View(ctx, target, func(r *replica.Tx) (err error) {
		doc, err = r.Document(id)
		return err
	})
	if doc != nil || err != nil {
		return
	}
	res, err := n.cfg.Upstream.Do(ctx, syncer.NewRequest(api.GetOutbound, api.OutboundInput{OutboundID: id}))
	if err != nil {
		return // the local ledger returns NOT_FOUND
	}
	if out, ok := res.Output.(*api.Outbound); ok {
		if err := n.storeOutbound(ctx, out); err != nil && ctx.Err() == nil {
			n.cfg.Log.Warn("cannot save an outbound locally", "outbound", id, "error", err)
		}
	}
}

// storeOutbound adds an outbound to the replica, unless it may already contain
// operations sent from here. In that case the next polling cycle adds it.
func (n *Node) storeOutbound(ctx context.Context, out *api.Outbound) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	target := n.replicas.Current()
	if n.closed || target == nil {
		return nil
	}
	for _, op := range slices.Concat(n.queue.Unconfirmed(), n.queue.Unanswered()) {
		if concerns(op, out.ID) {
			return nil
		}
	}
	if err := n.replicas.Update(ctx, target, func(r *replica.Tx) error { return r.Outbound(out) }); err != nil {
		return err
	}
	return n.rebuild(ctx)
}

// concerns reports whether an operation is for a document.
func concerns(op *outbox.Operation, id api.ID) bool {
	req, err := op.Request()
	return err == nil && req.DocumentID() == id
}

// passThrough is the set of keys of writes that were sent to the service unchanged
// because the local data lacks what they refer to.
type passThrough struct {
	mu   sync.Mutex
	keys map[string]time.Time
}

func (s *passThrough) add(key string, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keys == nil {
		s.keys = map[string]time.Time{}
	}
	maps.DeleteFunc(s.keys, func(_ string, at time.Time) bool { return now.Sub(at) >= syncer.KeyLifetime })
	s.keys[key] = now
}

func (s *passThrough) has(key string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.keys[key]
	return ok && now.Sub(at) < syncer.KeyLifetime
}

// keyExpired reports whether the service may have forgotten the key of an operation, so
// that sending it again could apply it twice.
func (n *Node) keyExpired(key string) bool {
	if !n.replicas.Polled() {
		return false
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	op := n.queue.Operation(key)
	return op == nil || n.now().Sub(op.SentAt) >= syncer.KeyLifetime-time.Hour
}

// upstreamOnlyCodes are errors caused by data that a polled replica lacks: the
// components of kits and the units of products.
var upstreamOnlyCodes = []api.Code{api.ProductNotComposed, api.UnitConversionMismatch}
