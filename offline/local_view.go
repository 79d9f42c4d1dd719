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

// A localView is what shows at the node: the ledger over a front, and the steps that
// led there.
type localView struct {
	overlay *overlay
	ledger  *ledger.Ledger
	steps   []*step
	stamp   string // of the base that they were done over
	polled  bool   // which was read by the documented operations alone
}

func (n *Node) newView(base store.Store) *localView {
	f := newOverlay(base, n.partition(), n.now)
	return &localView{polled: n.polled.Load(), overlay: f, ledger: ledger.New(f, ledger.Options{Log: n.cfg.Log, Now: n.cfg.Now, LocalWrites: true})}
}

// do does an operation in its turn, after those that are kept.
func (s *localView) do(ctx context.Context, req *api.Request, t ledger.LocalPosition) (*step, *api.Response, error) {
	for {
		trace, back := s.overlay.beginOperation()
		if back || s.overlay.exclusive {
			s.ledger.RefreshExpiry(s.overlay.p)
		}
		res, err := s.predict(ledger.WithLocalPosition(ctx, t), req)
		if !s.overlay.endOperation() && ctx.Err() == nil {
			continue // something expired beside it, which it must do itself
		}
		st := &step{key: req.IdempotencyKey, position: t, rows: trace.rows, footprint: trace.footprint}
		for row := range trace.reads {
			st.reads = append(st.reads, row)
		}
		if err != nil {
			st.risk = outbox.RefusalOf(err)
			// What it would have written is not known, so it keeps its order with all
			// that it looked at.
			st.footprint.Writes = slices.Concat(st.footprint.Writes, st.footprint.Reads)
		}
		return st, res, err
	}
}

// commit has the last step stay.
func (s *localView) commit(st *step) {
	s.overlay.commit()
	s.steps = append(s.steps, st)
}

// rollback takes back what the last step did, which is not kept.
func (s *localView) rollback() {
	s.overlay.rollback()
	s.ledger.RefreshExpiry(s.overlay.p)
}

// nextExpiry is when the first of what expires by itself does; false where nothing does.
func (s *localView) nextExpiry(ctx context.Context) (at time.Time, any bool, err error) {
	err = s.overlay.View(ctx, s.overlay.p, func(r store.Reader) (err error) {
		at, any, err = ledger.Due(r)
		return err
	})
	return at, any, err
}

// rebuild applies all that is not confirmed to the base anew, each at the
// instant at which it was done. What reads only rows that are what they were
// did what it did, and is not asked of the ledger again. n.mu is held, or nobody
// else has the node yet.
func (n *Node) rebuild(ctx context.Context) error {
	n.stale.Store(false)
	base := n.cfg.Replicas.Current()
	if base == nil {
		return nil // nothing shows, and what is sent keeps the order in which it was done
	}
	began := n.now()
	at, err := n.replicaPosition(ctx, base)
	if err != nil { // then all of it is done again, and fails where it does
		n.cfg.Log.Error("cannot identify the replica by its revision", "error", err)
	}
	var known []*step
	dirty := rowSet{}
	if old := n.view.Load(); old != nil && old.overlay.replica == base {
		if rows, ok := n.rowChanges.since(old.stamp, at.Stamp); ok {
			known, dirty = old.steps, rows
		}
	} else if old == nil && at.Stamp != "" && len(n.queue.Applied()) >= n.cfg.CacheMin {
		known = n.loadCache(at.Stamp)
	}
	s, err := n.buildView(ctx, base, known, dirty)
	if err != nil {
		n.stale.Store(true)
		return err
	}
	s.stamp = at.Stamp
	n.rowChanges = rowChanges{from: at.Stamp, to: at.Stamp, rows: rowSet{}}
	now := n.now()
	n.readAfter = now.Add(readPauseFactor * now.Sub(began))
	if old := n.view.Swap(s); old != nil {
		old.ledger.Close()
	}
	return nil
}

// buildView applies all that is not confirmed, holding back what looks like a
// conflict: what is held shows no more, nor what expired on its way.
func (n *Node) buildView(ctx context.Context, base store.Store, known []*step, dirty rowSet) (*localView, error) {
	for {
		s, err := n.applyPending(ctx, base, known, dirty)
		if err != nil {
			return nil, err
		}
		var held []*outbox.Entry
		for _, it := range n.queue.Applied() {
			if it.Risk != nil {
				if e := n.holdConflict(it); e != nil {
					held = append(held, e)
				}
			}
		}
		if len(held) == 0 {
			return s, nil
		}
		if err := n.commit(held...); err != nil {
			n.cfg.Log.Error("cannot quarantine a conflicting operation", "error", err)
			return s, nil
		}
		s.ledger.Close()
		known, dirty = s.steps, rowSet{}
	}
}

// applyPending does over a base all that is not confirmed. Of the steps that are known
// those stay that read none of the rows that are not what they were.
func (n *Node) applyPending(ctx context.Context, base store.Store, known []*step, dirty rowSet) (*localView, error) {
	s := n.newView(base)
	s.overlay.layer, s.overlay.exclusive = &store.Layer{}, true
	s.overlay.commit()
	applied := n.queue.Applied()
	s.steps = make([]*step, 0, len(applied)+64)
	r := replayer{n: n, s: s, known: known, dirty: dirty}
	for _, it := range applied {
		if err := r.apply(ctx, it); err != nil {
			return nil, err
		}
	}
	s.overlay.exclusive = false
	s.ledger.RefreshExpiry(s.overlay.p)
	return s, nil
}

// Verify does all that is not confirmed anew, and tells where what shows is
// something else.
func (n *Node) Verify(ctx context.Context) error {
	if err := n.refresh(ctx); err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	seen := n.view.Load()
	if seen == nil {
		return nil
	}
	s, err := n.applyPending(ctx, seen.overlay.replica, nil, rowSet{})
	if err != nil {
		return err
	}
	defer s.ledger.Close()
	return errors.Join(diffLayers(s.overlay.layer, seen.overlay.committed, "is wrong"), diffLayers(seen.overlay.committed, s.overlay.layer, "is out of date"))
}

// diffLayers tells of the changes of one layer that another has not.
func diffLayers(of, in *store.Layer, words string) (err error) {
	there := in.Over(nil)
	for table := range of.Tables() {
		e := of.Changes(table, func(key, value []byte) error {
			mine, err := there.Get(table, key)
			if err == nil && !bytes.Equal(mine, value) {
				err = fmt.Errorf("the row %x of %s %s", key, table, words)
			}
			return err
		})
		err = errors.Join(err, e)
	}
	return err
}

// readPauseFactor is how many times as long as a rebuild took nothing is read of the
// service after it while work is on its way: the next one then takes more at once.
const readPauseFactor = 4

// A replayer goes through the operations that show, in order, beside the steps of
// the sight before.
type replayer struct {
	n           *Node
	s           *localView
	known       []*step
	dirty       rowSet    // what is, at this place, not what it was
	expiryKnown bool      // nothing is due before the instant
	expiry      time.Time // zero is for ever
}

// apply takes an operation's step over, or does it again.
func (r *replayer) apply(ctx context.Context, it *outbox.Operation) error {
	for len(r.known) > 0 && r.known[0].position.N < it.Seq {
		r.dirty.addDiff(r.known[0].rows, nil) // it shows no more
		r.known = r.known[1:]
	}
	var old *step
	if len(r.known) > 0 && r.known[0].matches(it) {
		old, r.known = r.known[0], r.known[1:]
	}
	t := ledger.LocalPosition{N: it.Seq, At: it.At, From: it.EffectiveAt}
	if old != nil && !r.dirty.overlaps(old.reads) {
		if !r.expiresBefore(ctx, t) {
			r.s.overlay.extend(old.rows)
			r.n.queue.SetFootprint(it.Key, old.footprint, old.risk)
			r.addStep(old)
			return nil
		}
	}
	st, err := r.n.predictOperation(ctx, r.s, it, t)
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

// addStep notes a step that shows.
func (r *replayer) addStep(st *step) {
	r.s.commit(st)
	for i := range st.rows {
		if st.rows[i].Table == ledger.DueTable {
			r.expiryKnown = false
		}
	}
}

// expiresBefore tells whether something expires before a turn. It looks only where that
// may have changed.
func (r *replayer) expiresBefore(ctx context.Context, t ledger.LocalPosition) bool {
	if !r.expiryKnown {
		at, any, err := r.s.nextExpiry(ctx)
		if err != nil {
			return true // the ledger will say what is the matter
		}
		if r.expiryKnown, r.expiry = true, at; !any {
			r.expiry = time.Time{}
		}
	}
	return !r.expiry.IsZero() && !r.expiry.After(t.At)
}

// predictOperation does one operation again, and notes what it touches and what the
// ledger says against it.
func (n *Node) predictOperation(ctx context.Context, s *localView, it *outbox.Operation, t ledger.LocalPosition) (*step, error) {
	req, err := n.requestFor(it, true)
	if err != nil {
		st := &step{key: it.Key, position: t, risk: outbox.RefusalOf(err)}
		n.queue.SetFootprint(it.Key, st.footprint, st.risk)
		return st, nil
	}
	req.Caller = &n.cfg.Caller
	st, _, _ := s.do(ctx, req, t)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n.queue.SetFootprint(it.Key, st.footprint, st.risk)
	return st, nil
}
