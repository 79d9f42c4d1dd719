package predict

import (
	"context"
	"time"

	"bincard/offline/outbox"
	"bincard/offline/replicas"
	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/store"
)

// Replay returns a view of a replica with all operations of a queue applied
// that the replica does not contain, each at its own time. It reuses the known
// steps that read no dirty row, and sets the footprint of each operation in the
// queue.
func Replay(
	ctx context.Context,
	cfg Config,
	replica store.Store,
	polled bool,
	queue *outbox.Queue,
	known []*Step,
	dirty replicas.RowSet,
) (*LocalView, error) {
	v := NewLocalView(cfg, replica, polled)
	v.overlay.layer, v.overlay.exclusive = &store.Layer{}, true
	v.overlay.commit()
	applied := queue.Applied()
	v.steps = make([]*Step, 0, len(applied)+64)
	r := replayer{cfg: &cfg, queue: queue, view: v, known: known, dirty: dirty}
	for _, op := range applied {
		if err := r.apply(ctx, op); err != nil {
			return nil, err
		}
	}

	v.overlay.exclusive = false
	v.ledger.RefreshExpiry(v.overlay.p)

	return v, nil
}

// A replayer applies operations in order and reuses the steps of the previous
// view.
type replayer struct {
	cfg         *Config
	queue       *outbox.Queue
	view        *LocalView
	known       []*Step
	dirty       replicas.RowSet // rows that differ from the previous view at this point
	expiryKnown bool            // nothing expires before expiry
	expiry      time.Time       // zero means never
}

// apply reuses an operation's step, or predicts it again.
func (r *replayer) apply(ctx context.Context, op *outbox.Operation) error {
	for len(r.known) > 0 && r.known[0].position.N < op.Seq {
		r.dirty.AddDiff(r.known[0].rows, nil) // no longer applied
		r.known = r.known[1:]
	}

	var old *Step
	if len(r.known) > 0 && r.known[0].matches(op) {
		old, r.known = r.known[0], r.known[1:]
	}

	t := ledger.LocalPosition{N: op.Seq, At: op.At, From: op.EffectiveAt}
	if old != nil && !r.dirty.Overlaps(old.reads) {
		if !r.expiresBefore(ctx, t) {
			r.view.overlay.extend(old.rows)
			r.addStep(op, old)
			return nil
		}
	}

	st, err := r.predict(ctx, op, t)
	if err != nil {
		return err
	}
	if old == nil {
		old = &Step{}
	}

	r.dirty.AddDiff(old.rows, st.rows)
	r.addStep(op, st)

	return nil
}

// addStep adds the step of an operation to the view.
func (r *replayer) addStep(op *outbox.Operation, st *Step) {
	r.queue.SetFootprint(op, st.Footprint, st.Risk)
	r.view.Commit(st)
	for i := range st.rows {
		if st.rows[i].Table == ledger.DueTable {
			r.expiryKnown = false
		}
	}
}

// expiresBefore reports whether something expires before an operation.
func (r *replayer) expiresBefore(ctx context.Context, t ledger.LocalPosition) bool {
	if !r.expiryKnown {
		at, any, err := r.view.nextExpiry(ctx)
		if err != nil {
			return true // the ledger will report the error
		}
		if r.expiryKnown, r.expiry = true, at; !any {
			r.expiry = time.Time{}
		}
	}

	return !r.expiry.IsZero() && !r.expiry.After(t.At)
}

// predict performs one operation on the view.
func (r *replayer) predict(ctx context.Context, op *outbox.Operation, t ledger.LocalPosition) (*Step, error) {
	req, err := r.queue.Request(op, true)
	if err != nil {
		return &Step{key: op.Key, position: t, Risk: outbox.RefusalOf(err)}, nil
	}
	req.Caller = &r.cfg.Caller
	st, _, _ := r.view.Apply(ctx, req, t)
	return st, ctx.Err()
}

// withoutDetails returns a write without its lots, serials and units.
func withoutDetails(req *api.Request) *api.Request {
	r := *req
	quantity := func(given *int64, serials int) *int64 {
		if n := int64(serials); given == nil && n > 0 {
			return &n
		}
		return given
	}

	switch in := req.Input.(type) {
	case *api.ReceiveInboundInput:
		if n := len(in.Serials); n > 0 && int64(n) != in.Quantity {
			return req // which the ledger rejects
		}

		r.Input = &api.ReceiveInboundInput{
			InboundID:  in.InboundID,
			Quantity:   in.Quantity,
			Reason:     in.Reason,
			Metadata:   in.Metadata,
			ReceivedAt: in.ReceivedAt,
		}

	case *api.FulfillOutboundInput:
		all := *in
		all.Quantity = quantity(in.Quantity, len(in.SerialIDs)+len(in.SerialNumbers))
		all.SerialIDs, all.SerialNumbers, all.Lots, all.Lines = nil, nil, nil, nil
		r.Input = &all
	case *api.MoveTransferInput:
		r.Input = &api.MoveTransferInput{
			TransferID: in.TransferID,
			Quantity:   quantity(in.Quantity, len(in.SerialIDs)+len(in.SerialNumbers)),
		}
	case *api.MoveStockInput:
		all := *in
		all.LotID, all.LotStrategy, all.SerialIDs, all.SerialNumbers = api.NoID, "", nil, nil
		all.UnitCode, all.UnitQuantity = "", nil
		r.Input = &all
	}

	return &r
}
