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

// A sight is what shows at the node: the ledger over a front, and the steps that
// led there.
type sight struct {
	front  *front
	ledger *ledger.Ledger
	steps  []*step
	stamp  string // of the base that they were done over
	plain  bool   // which was read by the documented operations alone
}

func (n *Node) sight(base store.Store) *sight {
	f := newFront(base, n.partition(), n.now)
	return &sight{plain: n.plainly.Load(), front: f, ledger: ledger.New(f, ledger.Options{Log: n.cfg.Log, Now: n.cfg.Now, Ahead: true})}
}

// do does an operation in its turn, after those that are kept.
func (s *sight) do(ctx context.Context, req *api.Request, t ledger.Turn) (*step, *api.Response, error) {
	for {
		trace, back := s.front.begin()
		if back || s.front.alone {
			s.ledger.Review(s.front.p)
		}
		res, err := s.foretell(ledger.Ahead(ctx, t), req)
		if !s.front.end() && ctx.Err() == nil {
			continue // something expired beside it, which it must do itself
		}
		st := &step{key: req.IdempotencyKey, turn: t, rows: trace.rows, print: trace.print}
		for row := range trace.reads {
			st.reads = append(st.reads, row)
		}
		if err != nil {
			st.risk = outbox.RefusalOf(err)
			// What it would have written is not known, so it keeps its order with all
			// that it looked at.
			st.print.Writes = slices.Concat(st.print.Writes, st.print.Reads)
		}
		return st, res, err
	}
}

// keep has the last step stay.
func (s *sight) keep(st *step) {
	s.front.keep()
	s.steps = append(s.steps, st)
}

// drop takes back what the last step did, which is not kept.
func (s *sight) drop() {
	s.front.drop()
	s.ledger.Review(s.front.p)
}

// due is when the first of what expires by itself does; false where nothing does.
func (s *sight) due(ctx context.Context) (at time.Time, any bool, err error) {
	err = s.front.View(ctx, s.front.p, func(r store.Reader) (err error) {
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
	base := n.cfg.Bases.Current()
	if base == nil {
		return nil // nothing shows, and what is sent keeps the order in which it was done
	}
	began := n.now()
	at, err := n.place(ctx, base)
	if err != nil { // then all of it is done again, and fails where it does
		n.cfg.Log.Error("what was read from the service cannot be told by its stamp", "error", err)
	}
	var known []*step
	dirty := rowset{}
	if old := n.seen.Load(); old != nil && old.front.base == base {
		if rows, ok := n.news.since(old.stamp, at.Stamp); ok {
			known, dirty = old.steps, rows
		}
	} else if old == nil && at.Stamp != "" && len(n.box.Applied()) >= n.cfg.Memorable {
		known = n.recall(at.Stamp)
	}
	s, err := n.settled(ctx, base, known, dirty)
	if err != nil {
		n.stale.Store(true)
		return err
	}
	s.stamp = at.Stamp
	n.news = news{from: at.Stamp, to: at.Stamp, rows: rowset{}}
	now := n.now()
	n.rest = now.Add(restful * now.Sub(began))
	if old := n.seen.Swap(s); old != nil {
		old.ledger.Close()
	}
	return nil
}

// settled applies all that is not confirmed, holding back what looks like a
// conflict: what is held shows no more, nor what expired on its way.
func (n *Node) settled(ctx context.Context, base store.Store, known []*step, dirty rowset) (*sight, error) {
	for {
		s, err := n.apply(ctx, base, known, dirty)
		if err != nil {
			return nil, err
		}
		var held []*outbox.Entry
		for _, it := range n.box.Applied() {
			if it.Risk != nil {
				if e := n.doubtful(it); e != nil {
					held = append(held, e)
				}
			}
		}
		if len(held) == 0 {
			return s, nil
		}
		if err := n.keep(held...); err != nil {
			n.cfg.Log.Error("what looks like a conflict cannot be held back", "error", err)
			return s, nil
		}
		s.ledger.Close()
		known, dirty = s.steps, rowset{}
	}
}

// apply does over a base all that is not confirmed. Of the steps that are known
// those stay that read none of the rows that are not what they were.
func (n *Node) apply(ctx context.Context, base store.Store, known []*step, dirty rowset) (*sight, error) {
	s := n.sight(base)
	s.front.layer, s.front.alone = &store.Layer{}, true
	s.front.keep()
	applied := n.box.Applied()
	s.steps = make([]*step, 0, len(applied)+64)
	r := rerun{n: n, s: s, known: known, dirty: dirty}
	for _, it := range applied {
		if err := r.item(ctx, it); err != nil {
			return nil, err
		}
	}
	s.front.alone = false
	s.ledger.Review(s.front.p)
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
	seen := n.seen.Load()
	if seen == nil {
		return nil
	}
	s, err := n.apply(ctx, seen.front.base, nil, rowset{})
	if err != nil {
		return err
	}
	defer s.ledger.Close()
	return errors.Join(missing(s.front.layer, seen.front.sure, "is not as it should be"), missing(seen.front.sure, s.front.layer, "should be different"))
}

// missing tells of the changes of one layer that another has not.
func missing(of, in *store.Layer, words string) (err error) {
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

// restful is how many times as long as a rebuild took nothing is read of the
// service after it while work is on its way: the next one then takes more at once.
const restful = 4

// A rerun goes through the operations that show, in order, beside the steps of
// the sight before.
type rerun struct {
	n     *Node
	s     *sight
	known []*step
	dirty rowset    // what is, at this place, not what it was
	clear bool      // nothing is due before the instant
	until time.Time // zero is for ever
}

// item takes an operation's step over, or does it again.
func (r *rerun) item(ctx context.Context, it *outbox.Item) error {
	for len(r.known) > 0 && r.known[0].turn.N < it.N {
		r.dirty.differ(r.known[0].rows, nil) // it shows no more
		r.known = r.known[1:]
	}
	var old *step
	if len(r.known) > 0 && r.known[0].is(it) {
		old, r.known = r.known[0], r.known[1:]
	}
	t := ledger.Turn{N: it.N, At: it.At, From: it.Turn}
	if old != nil && !r.dirty.meets(old.reads) {
		if !r.due(ctx, t) {
			r.s.front.grow(old.rows)
			r.n.box.Lay(it.Key, old.print, old.risk)
			r.took(old)
			return nil
		}
	}
	st, err := r.n.predict(ctx, r.s, it, t)
	if err != nil {
		return err
	}
	if old == nil {
		old = &step{}
	}
	r.dirty.differ(old.rows, st.rows)
	r.took(st)
	return nil
}

// took notes a step that shows.
func (r *rerun) took(st *step) {
	r.s.keep(st)
	for i := range st.rows {
		if st.rows[i].Table == ledger.DueTable {
			r.clear = false
		}
	}
}

// due tells whether something expires before a turn. It looks only where that
// may have changed.
func (r *rerun) due(ctx context.Context, t ledger.Turn) bool {
	if !r.clear {
		at, any, err := r.s.due(ctx)
		if err != nil {
			return true // the ledger will say what is the matter
		}
		if r.clear, r.until = true, at; !any {
			r.until = time.Time{}
		}
	}
	return !r.until.IsZero() && !r.until.After(t.At)
}

// predict does one operation again, and notes what it touches and what the
// ledger says against it.
func (n *Node) predict(ctx context.Context, s *sight, it *outbox.Item, t ledger.Turn) (*step, error) {
	req, err := n.request(it, true)
	if err != nil {
		st := &step{key: it.Key, turn: t, risk: outbox.RefusalOf(err)}
		n.box.Lay(it.Key, st.print, st.risk)
		return st, nil
	}
	req.Caller = &n.cfg.Caller
	st, _, _ := s.do(ctx, req, t)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n.box.Lay(it.Key, st.print, st.risk)
	return st, nil
}
