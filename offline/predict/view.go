package predict

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/store"
)

// A Config has what the views of a node have in common.
type Config struct {
	Partition store.Partition
	// Caller performs the operations.
	Caller api.Caller
	Now    func() time.Time
	Log    *slog.Logger
}

// A LocalView is the local data: a ledger over an overlay, and the steps that led to
// it.
type LocalView struct {
	// Revision is the replica's; "" if it is not known.
	Revision string

	overlay *overlay
	ledger  *ledger.Ledger
	steps   []*Step
	polled  bool // the replica was filled with the documented operations alone
}

var _ api.Service = (*LocalView)(nil)

// A Step is what one operation did to the overlay, and what that depended on.
// It is valid as long as the rows that it read are unchanged.
type Step struct {
	Footprint outbox.Footprint
	Risk      *outbox.Refusal // why the local ledger rejects it

	key      string
	position ledger.LocalPosition
	reads    []uint64
	rows     []store.Row // in the order of table and key
}

func (s *Step) matches(op *outbox.Operation) bool {
	return s.key == op.Key && s.position.N == op.Seq && s.position.At.Equal(op.At) &&
		s.position.From.Equal(op.EffectiveAt)
}

// NewLocalView returns a view of a replica without any operation.
func NewLocalView(cfg Config, replica store.Store, polled bool) *LocalView {
	o := newOverlay(replica, cfg.Partition, cfg.Now)
	return &LocalView{
		polled:  polled,
		overlay: o,
		ledger:  ledger.New(o, ledger.Options{Log: cfg.Log, Now: cfg.Now, LocalWrites: true}),
	}
}

// Close ends the view. The replica stays open.
func (v *LocalView) Close() { v.ledger.Close() }

// Replica returns the replica below the view.
func (v *LocalView) Replica() store.Store { return v.overlay.replica }

// Steps returns the steps that led to the view. Apply does not change the list.
func (v *LocalView) Steps() []*Step { return slices.Clip(v.steps) }

// Do reads from the view.
func (v *LocalView) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	return v.ledger.Do(ctx, req)
}

// EffectiveTime returns the time of an operation done now: not before the last
// expiry, even if the clock was set back.
func (v *LocalView) EffectiveTime(now time.Time) time.Time { return v.overlay.effectiveTime(now) }

// Savepoint marks the state that Rollback returns to.
func (v *LocalView) Savepoint() { v.overlay.savepoint() }

// Apply performs an operation after those applied so far.
func (v *LocalView) Apply(ctx context.Context, req *api.Request, t ledger.LocalPosition) (*Step, *api.Response, error) {
	for {
		trace, reverted := v.overlay.beginOperation()
		if reverted || v.overlay.exclusive {
			v.ledger.RefreshExpiry(v.overlay.p)
		}

		res, err := v.Predict(ledger.WithLocalPosition(ctx, t), req)
		if !v.overlay.endOperation() && ctx.Err() == nil {
			continue // something expired meanwhile, which must be part of the step
		}

		st := &Step{key: req.IdempotencyKey, position: t, rows: trace.rows, Footprint: trace.footprint}
		for row := range trace.reads {
			st.reads = append(st.reads, row)
		}

		if err != nil {
			st.Risk = outbox.RefusalOf(err)
			// What it would have written is unknown, so it is ordered after
			// everything that it read.
			st.Footprint.Writes = slices.Concat(st.Footprint.Writes, st.Footprint.Reads)
		}

		return st, res, err
	}
}

// Predict performs a write in the local ledger as the service will. If the
// replica is polled, it ignores lots, serials and units, which the reports do
// not contain.
func (v *LocalView) Predict(ctx context.Context, req *api.Request) (*api.Response, error) {
	if v.polled {
		if err := api.Check(req.Input); err != nil && req.IdempotencyKey != "" {
			return nil, err
		}
		req = withoutDetails(req)
	}

	return v.ledger.Do(ctx, req)
}

// Commit makes the last step permanent.
func (v *LocalView) Commit(st *Step) {
	v.overlay.commit()
	v.steps = append(v.steps, st)
}

// Rollback reverts the last step.
func (v *LocalView) Rollback() {
	v.overlay.rollback()
	v.ledger.RefreshExpiry(v.overlay.p)
}

// nextExpiry returns the time of the next expiry; any is false if nothing
// expires.
func (v *LocalView) nextExpiry(ctx context.Context) (at time.Time, any bool, err error) {
	err = v.overlay.View(ctx, v.overlay.p, func(r store.Reader) (err error) {
		at, any, err = ledger.Due(r)
		return err
	})
	return at, any, err
}

// Compare returns an error if what the steps of the view wrote differs from
// correct, a view of the same operations and replica.
func (v *LocalView) Compare(correct *LocalView) error {
	shown, want := v.overlay.committed, correct.overlay.layer
	return errors.Join(diffLayers(want, shown, "is wrong"), diffLayers(shown, want, "is out of date"))
}

// diffLayers returns an error for each changed row of one layer that the other layer does
// not have. problem says what is wrong with it.
func diffLayers(of, in *store.Layer, problem string) (err error) {
	reader := in.Over(nil)
	for table := range of.Tables() {
		e := of.Changes(table, func(key, value []byte) error {
			other, err := reader.Get(table, key)
			if err == nil && !bytes.Equal(other, value) {
				err = fmt.Errorf("the row %x of %s %s", key, table, problem)
			}
			return err
		})

		err = errors.Join(err, e)
	}

	return err
}
