package predict

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"bincard/server/ledger"
	"bincard/server/store"
)

// An overlay is a store whose changes stay in memory, over a replica that it
// never changes: the operations done here and not yet confirmed.
//
// An update belongs to an operation if its context has a ledger.LocalPosition;
// the rows it touches are traced. An expiry that a read triggers belongs to no
// operation: it stays visible until the next operation, which performs it
// again.
type overlay struct {
	replica store.Store
	p       store.Partition
	now     func() time.Time

	updateMu sync.Mutex // serializes updates
	writes   *store.Overlay
	accesses map[uint64]access

	mu        sync.RWMutex
	layer     *store.Layer
	committed *store.Layer // after the last committed operation
	saved     *store.Layer // before the current operation
	exclusive bool         // nobody else reads the layer yet, so it is changed in place
	trace     *trace       // of the current operation
	expired   bool         // something expired outside the current operation
	expiredAt time.Time    // when that last happened
}

var _ store.Store = (*overlay)(nil)

func newOverlay(replica store.Store, p store.Partition, now func() time.Time) *overlay {
	return &overlay{replica: replica, p: p, now: now, writes: store.NewOverlay(nil), accesses: map[uint64]access{}}
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

// Update runs fn and stores its writes in memory.
func (f *overlay) Update(ctx context.Context, p store.Partition, fn func(store.Tx) error) error {
	if p != f.p {
		return fmt.Errorf("there is no data for organization %s (%s) here", p.Organization, p.Environment)
	}

	f.updateMu.Lock()
	defer f.updateMu.Unlock()
	_, ofOperation := ledger.LocalPositionOf(ctx)
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
	case !ofOperation && len(rows) > 0:
		f.expired, f.expiredAt = true, f.now()
	case !ofOperation:
	case f.trace != nil:
		f.trace.add(f.accesses, rows)
	}

	f.extend(rows)

	return err
}

// extend adds rows to the layer. f.mu is held, or nobody else has f.
func (f *overlay) extend(rows []store.Row) {
	switch {
	case len(rows) == 0:
	case f.exclusive:
		f.layer.Grow(rows)
	default:
		f.layer = f.layer.With(rows)
	}
}

// beginOperation reverts changes that belong to no operation, and reports
// whether there were any.
func (f *overlay) beginOperation() (trace *trace, reverted bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	reverted = f.layer != f.committed
	f.layer, f.expired, f.trace = f.committed, false, newTrace()
	return f.trace, reverted
}

// endOperation ends an operation; false if something expired meanwhile.
func (f *overlay) endOperation() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.trace = nil
	return !f.expired
}

// effectiveTime returns the time of an operation done now: not before the last
// expiry, even if the clock was set back.
func (f *overlay) effectiveTime(now time.Time) time.Time {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.layer != f.committed && now.Before(f.expiredAt) {
		return f.expiredAt
	}
	return now
}

// savepoint marks the state that rollback returns to; commit makes the current
// state permanent.
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

// Close leaves the replica open.
func (f *overlay) Close() error { return nil }

// cloneRows copies rows, whose memory is reused, into one allocation.
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
