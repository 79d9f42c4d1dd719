package offline

import (
	"context"
	"hash/fnv"
	"slices"
	"strings"
	"sync"

	"bincard/offline/outbox"
	"bincard/server/ledger"
	"bincard/server/store"
)

// A front is a store whose changes stay in memory, over a base that they never
// reach: what is done here and not yet confirmed, over what is.
type front struct {
	base store.Store

	turn  sync.Mutex // of who updates
	mu    sync.RWMutex
	parts map[store.Partition]*store.Layer
	print outbox.Footprint // of the last update
}

var _ store.Store = (*front)(nil)

func newFront(base store.Store) *front {
	return &front{base: base, parts: map[store.Partition]*store.Layer{}}
}

func (f *front) View(ctx context.Context, p store.Partition, fn func(store.Reader) error) error {
	layer := f.layer(p)
	return f.base.View(ctx, p, func(r store.Reader) error { return fn(layer.Over(r)) })
}

func (f *front) layer(p store.Partition) *store.Layer {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.parts[p]
}

// Update runs fn, notes the rows it touched, and keeps what it wrote in memory.
func (f *front) Update(ctx context.Context, p store.Partition, fn func(store.Tx) error) error {
	f.turn.Lock()
	defer f.turn.Unlock()
	layer := f.layer(p)
	var rows []store.Row
	var print outbox.Footprint
	err := f.base.View(ctx, p, func(r store.Reader) error {
		below := layer.Over(r)
		staged := store.NewOverlay(below)
		tx := &tracked{Tx: staged, below: below, rows: map[uint64]touch{}}
		err := fn(tx)
		print = tx.footprint()
		rows = staged.Rows()
		return err
	})
	f.mu.Lock()
	defer f.mu.Unlock()
	f.print = print
	if err == nil && len(rows) > 0 {
		f.parts[p] = layer.With(rows)
	}
	return err
}

// footprint is the last update's.
func (f *front) footprint() outbox.Footprint {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.print
}

func (f *front) Partitions(ctx context.Context) ([]store.Partition, error) {
	list, err := f.base.Partitions(ctx)
	f.mu.RLock()
	defer f.mu.RUnlock()
	for p := range f.parts {
		if !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list, err
}

// Close leaves the base open.
func (f *front) Close() error { return nil }

// touch is what an update did to a row.
type touch byte

const (
	wrote touch = 1 << iota
	made
)

// tracked is a transaction that notes the rows it touches.
type tracked struct {
	store.Tx
	below store.Reader
	rows  map[uint64]touch
}

func (t *tracked) Get(table string, key []byte) ([]byte, error) {
	t.note(table, key, 0)
	return t.Tx.Get(table, key)
}

func (t *tracked) Scan(table string, r store.Range, fn func(key, value []byte) error) error {
	return t.Tx.Scan(table, r, func(key, value []byte) error {
		t.note(table, key, 0)
		return fn(key, value)
	})
}

func (t *tracked) Put(table string, key, value []byte) error {
	did := wrote
	if ledger.Makes(table) {
		old, err := t.below.Get(table, key)
		if err != nil {
			return err
		}
		if old == nil {
			did |= made
		}
	}
	t.note(table, key, did)
	return t.Tx.Put(table, key, value)
}

func (t *tracked) Delete(table string, key []byte) error {
	t.note(table, key, wrote)
	return t.Tx.Delete(table, key)
}

func (t *tracked) note(table string, key []byte, did touch) {
	if ledger.Everybodys(table) || strings.Contains(table, ".") {
		return
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(table))
	_, _ = h.Write([]byte{0})
	_, _ = h.Write(key)
	t.rows[h.Sum64()] |= did
}

func (t *tracked) footprint() (p outbox.Footprint) {
	for row, did := range t.rows {
		if did&wrote == 0 {
			p.Reads = append(p.Reads, row)
			continue
		}
		p.Writes = append(p.Writes, row)
		if did&made != 0 {
			p.Makes = append(p.Makes, row)
		}
	}
	for _, list := range [][]uint64{p.Reads, p.Writes, p.Makes} {
		slices.Sort(list)
	}
	return p
}
