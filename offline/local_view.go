package offline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/store"
)

// A localView is the local data: a ledger over an overlay, and the steps that
// led to it.
type localView struct {
	overlay  *overlay
	ledger   *ledger.Ledger
	steps    []*step
	revision string // of the replica
	polled   bool   // the replica was filled with the documented operations alone
}

func (n *Node) newView(replica store.Store) *localView {
	f := newOverlay(replica, n.partition(), n.now)
	return &localView{polled: n.polled.Load(), overlay: f, ledger: ledger.New(f, ledger.Options{Log: n.cfg.Log, Now: n.cfg.Now, LocalWrites: true})}
}

// do performs an operation after those applied so far.
func (s *localView) do(ctx context.Context, req *api.Request, t ledger.LocalPosition) (*step, *api.Response, error) {
	for {
		trace, reverted := s.overlay.beginOperation()
		if reverted || s.overlay.exclusive {
			s.ledger.RefreshExpiry(s.overlay.p)
		}
		res, err := s.predict(ledger.WithLocalPosition(ctx, t), req)
		if !s.overlay.endOperation() && ctx.Err() == nil {
			continue // something expired meanwhile, which must be part of the step
		}
		st := &step{key: req.IdempotencyKey, position: t, rows: trace.rows, footprint: trace.footprint}
		for row := range trace.reads {
			st.reads = append(st.reads, row)
		}
		if err != nil {
			st.risk = outbox.RefusalOf(err)
			// What it would have written is unknown, so it is ordered after
			// everything that it read.
			st.footprint.Writes = slices.Concat(st.footprint.Writes, st.footprint.Reads)
		}
		return st, res, err
	}
}

// commit makes the last step permanent.
func (s *localView) commit(st *step) {
	s.overlay.commit()
	s.steps = append(s.steps, st)
}

// rollback reverts the last step.
func (s *localView) rollback() {
	s.overlay.rollback()
	s.ledger.RefreshExpiry(s.overlay.p)
}

// nextExpiry returns the time of the next expiry; any is false if nothing
// expires.
func (s *localView) nextExpiry(ctx context.Context) (at time.Time, any bool, err error) {
	err = s.overlay.View(ctx, s.overlay.p, func(r store.Reader) (err error) {
		at, any, err = ledger.Due(r)
		return err
	})
	return at, any, err
}

// rebuild applies all operations that are not confirmed to the replica, each
// at its own time. A step that read only unchanged rows is reused without the
// ledger. n.mu is held, or nobody else has the node yet.
func (n *Node) rebuild(ctx context.Context) error {
	n.stale.Store(false)
	replica := n.cfg.Replicas.Current()
	if replica == nil {
		return nil // nothing to show; operations are sent in the order in which they were done
	}
	start := n.now()
	at, err := n.replicaPosition(ctx, replica)
	if err != nil { // without a revision no step is reused
		n.cfg.Log.Error("cannot identify the replica by its revision", "error", err)
	}
	var known []*step
	dirty := rowSet{}
	if old := n.view.Load(); old != nil && old.overlay.replica == replica {
		if rows, ok := n.rowChanges.since(old.revision, at.Stamp); ok {
			known, dirty = old.steps, rows
		}
	} else if old == nil && at.Stamp != "" && len(n.queue.Applied()) >= n.cfg.CacheMin {
		known = n.loadCache(at.Stamp)
	}
	s, err := n.buildView(ctx, replica, known, dirty)
	if err != nil {
		n.stale.Store(true)
		return err
	}
	s.revision = at.Stamp
	n.rowChanges = rowChanges{from: at.Stamp, to: at.Stamp, rows: rowSet{}}
	now := n.now()
	n.readAfter = now.Add(readPauseFactor * now.Sub(start))
	if old := n.view.Swap(s); old != nil {
		old.ledger.Close()
	}
	return nil
}

// buildView applies all operations that are not confirmed and quarantines
// those that look like a conflict. A quarantined or expired operation is not
// applied.
func (n *Node) buildView(ctx context.Context, replica store.Store, known []*step, dirty rowSet) (*localView, error) {
	for {
		s, err := n.applyPending(ctx, replica, known, dirty)
		if err != nil {
			return nil, err
		}
		var conflicts []*outbox.Entry
		for _, op := range n.queue.Applied() {
			if op.Risk != nil {
				if e := n.holdConflict(op); e != nil {
					conflicts = append(conflicts, e)
				}
			}
		}
		if len(conflicts) == 0 {
			return s, nil
		}
		if err := n.commit(conflicts...); err != nil {
			n.cfg.Log.Error("cannot quarantine a conflicting operation", "error", err)
			return s, nil
		}
		s.ledger.Close()
		known, dirty = s.steps, rowSet{}
	}
}

// applyPending applies all operations that are not confirmed to a replica. It
// reuses the known steps that read no dirty row.
func (n *Node) applyPending(ctx context.Context, replica store.Store, known []*step, dirty rowSet) (*localView, error) {
	s := n.newView(replica)
	s.overlay.layer, s.overlay.exclusive = &store.Layer{}, true
	s.overlay.commit()
	applied := n.queue.Applied()
	s.steps = make([]*step, 0, len(applied)+64)
	r := replayer{n: n, s: s, known: known, dirty: dirty}
	for _, op := range applied {
		if err := r.apply(ctx, op); err != nil {
			return nil, err
		}
	}
	s.overlay.exclusive = false
	s.ledger.RefreshExpiry(s.overlay.p)
	return s, nil
}

// Verify predicts all operations that are not confirmed again and returns an
// error if the result differs from the current view.
func (n *Node) Verify(ctx context.Context) error {
	if err := n.refresh(ctx); err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	current := n.view.Load()
	if current == nil {
		return nil
	}
	s, err := n.applyPending(ctx, current.overlay.replica, nil, rowSet{})
	if err != nil {
		return err
	}
	defer s.ledger.Close()
	return errors.Join(diffLayers(s.overlay.layer, current.overlay.committed, "is wrong"), diffLayers(current.overlay.committed, s.overlay.layer, "is out of date"))
}

// diffLayers returns an error for every change of one layer that another
// lacks.
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

// readPauseFactor is how many times the duration of a rebuild reading pauses
// after it while operations are being sent: the next answer then contains more
// at once.
const readPauseFactor = 4

// A replayer applies operations in order and reuses the steps of the previous
// view.
type replayer struct {
	n           *Node
	s           *localView
	known       []*step
	dirty       rowSet    // rows that differ from the previous view at this point
	expiryKnown bool      // nothing expires before expiry
	expiry      time.Time // zero means never
}

// apply reuses an operation's step, or predicts it again.
func (r *replayer) apply(ctx context.Context, op *outbox.Operation) error {
	for len(r.known) > 0 && r.known[0].position.N < op.Seq {
		r.dirty.addDiff(r.known[0].rows, nil) // no longer applied
		r.known = r.known[1:]
	}
	var old *step
	if len(r.known) > 0 && r.known[0].matches(op) {
		old, r.known = r.known[0], r.known[1:]
	}
	t := ledger.LocalPosition{N: op.Seq, At: op.At, From: op.EffectiveAt}
	if old != nil && !r.dirty.overlaps(old.reads) {
		if !r.expiresBefore(ctx, t) {
			r.s.overlay.extend(old.rows)
			r.n.queue.SetFootprint(op.Key, old.footprint, old.risk)
			r.addStep(old)
			return nil
		}
	}
	st, err := r.n.predictOperation(ctx, r.s, op, t)
	if err != nil {
		return err
	}
	if old == nil {
		old = &step{}
	}
	r.dirty.addDiff(old.rows, st.rows)
	r.addStep(st)
	return nil
}

// addStep adds a step to the view.
func (r *replayer) addStep(st *step) {
	r.s.commit(st)
	for i := range st.rows {
		if st.rows[i].Table == ledger.DueTable {
			r.expiryKnown = false
		}
	}
}

// expiresBefore reports whether something expires before an operation.
func (r *replayer) expiresBefore(ctx context.Context, t ledger.LocalPosition) bool {
	if !r.expiryKnown {
		at, any, err := r.s.nextExpiry(ctx)
		if err != nil {
			return true // the ledger will report the error
		}
		if r.expiryKnown, r.expiry = true, at; !any {
			r.expiry = time.Time{}
		}
	}
	return !r.expiry.IsZero() && !r.expiry.After(t.At)
}

// predictOperation performs one operation on the view and records its
// footprint and its rejection, if any.
func (n *Node) predictOperation(ctx context.Context, s *localView, op *outbox.Operation, t ledger.LocalPosition) (*step, error) {
	req, err := n.requestFor(op, true)
	if err != nil {
		st := &step{key: op.Key, position: t, risk: outbox.RefusalOf(err)}
		n.queue.SetFootprint(op.Key, st.footprint, st.risk)
		return st, nil
	}
	req.Caller = &n.cfg.Caller
	st, _, _ := s.do(ctx, req, t)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n.queue.SetFootprint(op.Key, st.footprint, st.risk)
	return st, nil
}
