package offline

import (
	"context"
	"slices"
	"time"

	"bincard/offline/outbox"
	"bincard/offline/predict"
	"bincard/offline/syncer"
	"bincard/server/api"
	"bincard/server/ledger/replica"
)

// A pollSource is a service that has the documented operations only, and so has its node:
// the local data is not enough for others, and the service would not accept them. It has
// no state of its own.
type pollSource struct{ *state }

var _ source = (*pollSource)(nil)

func (p *pollSource) supports(spec *api.Spec) bool {
	return !spec.Extension || !slices.Contains(api.Operations(), spec)
}

func (p *pollSource) metered() bool { return true }

func (p *pollSource) historyUnknown() bool { return false }

func (p *pollSource) hasDocument(context.Context, *predict.LocalView, *api.Request) bool {
	return false
}

func (p *pollSource) epochEntry(context.Context) *outbox.Entry { return nil }

func (p *pollSource) identify(*api.Request) {}

func (p *pollSource) rejects(code api.Code) bool { return slices.Contains(permanentCodes, code) }

func (p *pollSource) proves(req *api.Request, res *api.Response) bool {
	return outbox.Proves(req, res, false)
}

func (p *pollSource) probe() (*api.Request, int) {
	one := int64(1)
	return syncer.NewRequest(api.ListInbounds, api.ListInboundsInput{Page: api.Page{Limit: &one}}), 0
}

// mayFind reports whether the reports may not contain yet what a write refers to.
func (p *pollSource) mayFind(err error) bool { return api.HasCode(err, api.NotFound) && p.online() }

func (p *pollSource) keyExpired(op *outbox.Operation) bool {
	return op == nil || p.now().Sub(op.SentAt) >= syncer.KeyLifetime-time.Hour
}

// fillDefaults names the quantity alone: the service does not accept the lot of a transfer.
func (p *pollSource) fillDefaults(req *api.Request, res *api.Response) (*api.Request, []outbox.StockKey) {
	q, _ := movedQuantity(res.Movements())
	return withDefaults(req, q, api.NoID), movedStock(res)
}

// read sends reads of history to the service, because a polled replica has none. It adds
// the outbound that a request is for to the replica: the service has no list of outbounds,
// so each is read when it is first used.
func (p *pollSource) read(ctx context.Context, req *api.Request) (res *api.Response, answered bool, err error) {
	if req.Spec.History {
		if !p.online() {
			return nil, true, api.Fail(api.Unavailable, api.Details{"outcome": "not_sent"},
				"Stock history is only at the service, which cannot be reached. Current quantities are still shown.")
		}
		res, err = p.readRemote(ctx, req)
		if !api.HasCode(err, api.NotFound) {
			return res, true, err
		} // else it was created at the node
	}

	p.fetchOutbound(ctx, req)

	return nil, false, nil
}

// fetchOutbound adds the outbound that a request is for to the replica.
func (p *pollSource) fetchOutbound(ctx context.Context, req *api.Request) {
	id := req.DocumentID()
	target := p.replicas.Current()
	if req.Spec.Document != api.DocOutbound || id == api.NoID || target == nil || !p.online() {
		return
	}

	var doc any
	err := p.replicas.View(ctx, target, func(r *replica.Tx) (err error) {
		doc, err = r.Document(id)
		return err
	})
	if doc != nil || err != nil {
		return
	}

	res, err := p.cfg.Upstream.Do(ctx, syncer.NewRequest(api.GetOutbound, api.OutboundInput{OutboundID: id}))
	if err != nil {
		return // the local ledger returns NOT_FOUND
	}
	if out, ok := res.Output.(*api.Outbound); ok {
		if err := p.storeOutbound(ctx, out); err != nil && ctx.Err() == nil {
			p.cfg.Log.Warn("cannot save an outbound locally", "outbound", id, "error", err)
		}
	}
}

// storeOutbound adds an outbound to the replica, unless it may already contain
// operations sent from here. In that case the next polling cycle adds it.
func (p *pollSource) storeOutbound(ctx context.Context, out *api.Outbound) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	target := p.replicas.Current()
	if p.closed || target == nil {
		return nil
	}
	for _, op := range slices.Concat(p.queue.Unconfirmed(), p.queue.Unanswered()) {
		if concerns(op, out.ID) {
			return nil
		}
	}

	if err := p.replicas.Update(ctx, target, func(r *replica.Tx) error { return r.Outbound(out) }); err != nil {
		return err
	}

	return p.rebuild(ctx)
}

// concerns reports whether an operation is for a document.
func concerns(op *outbox.Operation, id api.ID) bool {
	req, err := op.Request()
	return err == nil && req.DocumentID() == id
}

// movedStock returns the stock keys of the movements in a response.
func movedStock(res *api.Response) (list []outbox.StockKey) {
	for _, m := range res.Movements() {
		key := outbox.StockKey{Product: m.ProductID, Location: m.LocationID, Owner: m.OwnerID, Channel: m.ChannelID}
		if !slices.Contains(list, key) {
			list = append(list, key)
		}
	}

	return list
}
