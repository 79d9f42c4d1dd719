package offline

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"bincard/server/ledger"
	"bincard/server/store"
)

// A front is a store whose changes stay in memory, over a base that they never
// reach: what is done here and not yet confirmed, over what is.
//
// What an update of a turn does is noted. What expires because somebody looks is
// of no turn: it shows until the next turn, which does it again itself.
type front struct {
	base store.Store
	p    store.Partition
	now  func() time.Time

	turn  sync.Mutex // of who updates
	stage *store.Overlay
	touch map[uint64]touch

	mu    sync.RWMutex
	layer *store.Layer
	sure  *store.Layer // as the last turn that was kept left it
	shows *store.Layer // before the turn under way
	alone bool         // nobody else reads it yet, so it grows as it is
	trace *trace       // of the turn under way
	loose bool         // something expired during it that is of no turn
	until time.Time    // when something did last
}

var _ store.Store = (*front)(nil)

func newFront(base store.Store, p store.Partition, now func() time.Time) *front {
	return &front{base: base, p: p, now: now, stage: store.NewOverlay(nil), touch: map[uint64]touch{}}
}

func (f *front) View(ctx context.Context, p store.Partition, fn func(store.Reader) error) error {
	layer := f.shown(p)
	return f.base.View(ctx, p, func(r store.Reader) error { return fn(layer.Over(r)) })
}

func (f *front) shown(p store.Partition) *store.Layer {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if p != f.p {
		return nil
	}
	return f.layer
}

// Update runs fn and keeps what it wrote in memory.
func (f *front) Update(ctx context.Context, p store.Partition, fn func(store.Tx) error) error {
	if p != f.p {
		return fmt.Errorf("nothing of the organization %s (%s) is kept here", p.Organization, p.Environment)
	}
	f.turn.Lock()
	defer f.turn.Unlock()
	_, ofTurn := ledger.TurnOf(ctx)
	layer := f.shown(p)
	var rows []store.Row
	clear(f.touch)
	err := f.base.View(ctx, p, func(r store.Reader) error {
		below := layer.Over(r)
		f.stage.Reuse(below)
		err := fn(&tracked{Tx: f.stage, below: below, rows: f.touch})
		if err == nil {
			rows = compact(f.stage.Rows())
		}
		return err
	})
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case !ofTurn && len(rows) > 0:
		f.loose, f.until = true, f.now()
	case !ofTurn:
	case f.trace != nil:
		f.trace.add(f.touch, rows)
	}
	f.grow(rows)
	return err
}

// grow lays rows over what shows. f.mu is held, or nobody else has f.
func (f *front) grow(rows []store.Row) {
	switch {
	case len(rows) == 0:
	case f.alone:
		f.layer.Grow(rows)
	default:
		f.layer = f.layer.With(rows)
	}
}

// begin takes back what is of no turn, and tells whether there was anything.
func (f *front) begin() (trace *trace, back bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	back = f.layer != f.sure
	f.layer, f.loose, f.trace = f.sure, false, newTrace()
	return f.trace, back
}

// end ends a turn; false where something else came between.
func (f *front) end() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.trace = nil
	return !f.loose
}

// instant is when something is done at an instant of the clock: what has expired
// stays so when the clock is set back.
func (f *front) instant(now time.Time) time.Time {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.layer != f.sure && now.Before(f.until) {
		return f.until
	}
	return now
}

// note is what drop comes back to; keep has what shows stay.
func (f *front) note() { f.mu.Lock(); f.shows = f.layer; f.mu.Unlock() }
func (f *front) drop() { f.mu.Lock(); f.layer = f.shows; f.mu.Unlock() }
func (f *front) keep() { f.mu.Lock(); f.sure, f.shows = f.layer, nil; f.mu.Unlock() }

func (f *front) Partitions(ctx context.Context) ([]store.Partition, error) {
	list, err := f.base.Partitions(ctx)
	if f.shown(f.p) != nil && !slices.Contains(list, f.p) {
		list = append(list, f.p)
	}
	return list, err
}

// Close leaves the base open.
func (f *front) Close() error { return nil }

// compact copies rows, whose memory is used again, into as little as they need.
func compact(rows []store.Row) []store.Row {
	size := 0
	for _, r := range rows {
		size += len(r.Key) + len(r.Value)
	}
	data := make([]byte, 0, size)
	list := make([]store.Row, len(rows))
	for i, r := range rows {
		list[i].Table = r.Table
		data = append(data, r.Key...)
		list[i].Key = data[len(data)-len(r.Key) : len(data) : len(data)]
		if r.Value != nil {
			data = append(data, r.Value...)
			list[i].Value = data[len(data)-len(r.Value) : len(data) : len(data)]
		}
	}
	return list
}
