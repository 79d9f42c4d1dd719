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

// An overlay is a store whose changes stay in memory, over a base that they never
// reach: what is done here and not yet confirmed, over what is.
//
// What an update of a turn does is noted. What expires because somebody looks is
// of no turn: it shows until the next turn, which does it again itself.
type overlay struct {
	replica store.Store
	p       store.Partition
	now     func() time.Time

	updateMu sync.Mutex // of who updates
	writes   *store.Overlay
	accesses map[uint64]access

	mu        sync.RWMutex
	layer     *store.Layer
	committed *store.Layer // as the last turn that was kept left it
	saved     *store.Layer // before the turn under way
	exclusive bool         // nobody else reads it yet, so it grows as it is
	trace     *trace       // of the turn under way
	expired   bool         // something expired during it that is of no turn
	expiredAt time.Time    // when something did last
}

var _ store.Store = (*overlay)(nil)

func newOverlay(base store.Store, p store.Partition, now func() time.Time) *overlay {
	return &overlay{replica: base, p: p, now: now, writes: store.NewOverlay(nil), accesses: map[uint64]access{}}
}

func (f *overlay) View(ctx context.Context, p store.Partition, fn func(store.Reader) error) error {
	layer := f.layerFor(p)
	return f.replica.View(ctx, p, func(r store.Reader) error { return fn(layer.Over(r)) })
}

func (f *overlay) layerFor(p store.Partition) *store.Layer {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if p != f.p {
		return nil
	}
	return f.layer
}

// Update runs fn and keeps what it wrote in memory.
func (f *overlay) Update(ctx context.Context, p store.Partition, fn func(store.Tx) error) error {
	if p != f.p {
		return fmt.Errorf("there is no data for organization %s (%s) here", p.Organization, p.Environment)
	}
	f.updateMu.Lock()
	defer f.updateMu.Unlock()
	_, ofTurn := ledger.LocalPositionOf(ctx)
	layer := f.layerFor(p)
	var rows []store.Row
	clear(f.accesses)
	err := f.replica.View(ctx, p, func(r store.Reader) error {
		below := layer.Over(r)
		f.writes.Reuse(below)
		err := fn(&trackedTx{Tx: f.writes, lower: below, rows: f.accesses})
		if err == nil {
			rows = cloneRows(f.writes.Rows())
		}
		return err
	})
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case !ofTurn && len(rows) > 0:
		f.expired, f.expiredAt = true, f.now()
	case !ofTurn:
	case f.trace != nil:
		f.trace.add(f.accesses, rows)
	}
	f.extend(rows)
	return err
}

// extend lays rows over what shows. f.mu is held, or nobody else has f.
func (f *overlay) extend(rows []store.Row) {
	switch {
	case len(rows) == 0:
	case f.exclusive:
		f.layer.Grow(rows)
	default:
		f.layer = f.layer.With(rows)
	}
}

// beginOperation takes back what is of no turn, and tells whether there was anything.
func (f *overlay) beginOperation() (trace *trace, back bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	back = f.layer != f.committed
	f.layer, f.expired, f.trace = f.committed, false, newTrace()
	return f.trace, back
}

// endOperation ends a turn; false where something else came between.
func (f *overlay) endOperation() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.trace = nil
	return !f.expired
}

// effectiveTime is when something is done at an instant of the clock: what has expired
// stays so when the clock is set back.
func (f *overlay) effectiveTime(now time.Time) time.Time {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.layer != f.committed && now.Before(f.expiredAt) {
		return f.expiredAt
	}
	return now
}

// savepoint is what drop comes back to; keep has what shows stay.
func (f *overlay) savepoint() { f.mu.Lock(); f.saved = f.layer; f.mu.Unlock() }
func (f *overlay) rollback()  { f.mu.Lock(); f.layer = f.saved; f.mu.Unlock() }
func (f *overlay) commit()    { f.mu.Lock(); f.committed, f.saved = f.layer, nil; f.mu.Unlock() }

func (f *overlay) Partitions(ctx context.Context) ([]store.Partition, error) {
	list, err := f.replica.Partitions(ctx)
	if f.layerFor(f.p) != nil && !slices.Contains(list, f.p) {
		list = append(list, f.p)
	}
	return list, err
}

// Close leaves the base open.
func (f *overlay) Close() error { return nil }

// cloneRows copies rows, whose memory is used again, into as little as they need.
func cloneRows(rows []store.Row) []store.Row {
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
