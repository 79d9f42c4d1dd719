package offline

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger/replica"
)

// A node over a service that has the documented operations alone is one that
// has them alone: what it knows is not enough for more, and nobody there would
// take it.

// isExtension tells whether an operation is none of the interface.
func isExtension(spec *api.Spec) bool {
	return spec.Extension && slices.Contains(api.Operations(), spec)
}

// unsupportedError is the refusal of an operation that the service has not.
func unsupportedError(spec *api.Spec) error {
	return api.Fail(api.NotFound, nil, "There is no %s %s in the local data.", spec.Method, spec.Path)
}

// askUpstream asks the service what the replica does not hold: what has happened. ok is
// false where the ledger here can answer it.
func (n *Node) askUpstream(ctx context.Context, req *api.Request) (res *api.Response, ok bool, err error) {
	if req.Spec != api.ExplainBalance.Spec && req.Spec != api.ReportMovements.Spec {
		return nil, false, nil
	}
	if !n.online() {
		return nil, true, api.Fail(api.Unavailable, api.Details{"outcome": "not_sent"},
			"Stock history is only at the service, which cannot be reached. Current quantities are still shown.")
	}
	there := *req
	there.Caller = nil
	res, err = n.cfg.Upstream.Do(ctx, &there)
	if api.HasCode(err, api.NotFound) {
		return nil, false, nil // it came to be here
	}
	return res, true, err
}

// online tells whether the service can be asked now.
func (n *Node) online() bool {
	if n.cfg.Upstream == nil {
		return false
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.queue.Link(n.now()).Up
}

// fetchOutbound has an outbound read that somebody asks for: no list tells of them, so
// they are known one by one.
func (n *Node) fetchOutbound(ctx context.Context, req *api.Request) {
	var id api.ID
	switch in := req.Input.(type) {
	case *api.OutboundInput:
		id = in.OutboundID
	case *api.FulfillOutboundInput:
		id = in.OutboundID
	default:
		return
	}
	base := n.cfg.Replicas.Current()
	if base == nil || !n.online() {
		return
	}
	var doc any
	err := replica.View(ctx, base, n.partition(), func(r *replica.Tx) (err error) {
		doc, err = r.Document(id)
		return err
	})
	if doc != nil || err != nil {
		return
	}
	res, err := n.cfg.Upstream.Do(ctx, newRequest(api.GetOutbound, api.OutboundInput{OutboundID: id}))
	if err != nil {
		return // the ledger here says that there is none
	}
	if out, ok := res.Output.(*api.Outbound); ok {
		if err := n.storeOutbound(ctx, out); err != nil {
			n.cfg.Log.Warn("cannot save an outbound locally", "outbound", id, "error", err)
		}
	}
}

// storeOutbound takes an outbound into the base, unless what was sent from here may be
// in it already: then a round does.
func (n *Node) storeOutbound(ctx context.Context, out *api.Outbound) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	base := n.cfg.Replicas.Current()
	if n.closed || base == nil {
		return nil
	}
	for _, it := range slices.Concat(n.queue.Unconfirmed(), n.queue.Unanswered()) {
		if concerns(it, out.ID) {
			return nil
		}
	}
	if err := n.updateReplica(ctx, base, func(r *replica.Tx) error { return r.Outbound(out) }); err != nil {
		return err
	}
	return n.rebuild(ctx)
}

// concerns tells whether an operation is one on a document.
func concerns(it *outbox.Operation, id api.ID) bool {
	req, err := requestOf(&it.Capture)
	if err != nil {
		return false
	}
	switch in := req.Input.(type) {
	case *api.OutboundInput:
		return in.OutboundID == id
	case *api.FulfillOutboundInput:
		return in.OutboundID == id
	}
	return false
}

// passThrough are the keys of the writes that went to the service as they came:
// they were of something that is not known here.
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
	maps.DeleteFunc(s.keys, func(_ string, at time.Time) bool { return now.Sub(at) >= keyLifetime })
	s.keys[key] = now
}

func (s *passThrough) has(key string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.keys[key]
	return ok && now.Sub(at) < keyLifetime
}

// keyExpired tells whether an operation must not be sent again for its answer:
// the service may not know any more that it has done it.
func (n *Node) keyExpired(key string) bool {
	if !n.polled.Load() {
		return false
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	it := n.queue.Operation(key)
	return it == nil || n.now().Sub(it.SentAt) >= keyLifetime-time.Hour
}

// upstreamOnlyRefusals are refusals for want of what only the service knows here: what a kit
// is made of, which units there are.
var upstreamOnlyRefusals = []api.Code{api.ProductNotComposed, api.UnitConversionMismatch}
