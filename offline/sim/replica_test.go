package sim_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"bincard/offline/replicas"
	"bincard/server/store"
)

// A memStore is a store in memory that can be copied at no cost.
type memStore struct {
	updateMu sync.Mutex // serializes updates
	staged   *store.Overlay
	mu       sync.RWMutex
	layers   map[store.Partition]*store.Layer
	closed   bool
	failed   bool // every call fails until it is reopened
	// fail is what a change runs into, nil where nothing is wrong.
	fail func() error
}

var _ store.Store = (*memStore)(nil)

func newMemStore() *memStore { return &memStore{layers: map[store.Partition]*store.Layer{}} }

func (s *memStore) clone() *memStore {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return &memStore{layers: maps.Clone(s.layers), fail: s.fail}
}

// layer returns the rows of a partition.
func (s *memStore) layer(p store.Partition) *store.Layer {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.layers[p]
}

func (s *memStore) View(ctx context.Context, p store.Partition, fn func(store.Reader) error) error {
	s.mu.RLock()
	layer, closed, dead := s.layers[p], s.closed, s.failed
	s.mu.RUnlock()
	switch {
	case closed:
		return store.ErrClosed
	case dead:
		return store.ErrUncertain
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return fn(layer.Over(nil))
}

func (s *memStore) Update(ctx context.Context, p store.Partition, fn func(store.Tx) error) error {
	s.updateMu.Lock()
	defer s.updateMu.Unlock()
	return s.View(ctx, p, func(r store.Reader) error {
		if s.staged == nil {
			s.staged = store.NewOverlay(nil)
		}
		s.staged.Reuse(r)
		if err := fn(s.staged); err != nil {
			return err
		}
		if s.fail != nil {
			if err := s.fail(); err != nil {
				return err
			}
		}
		if rows := cloneRows(s.staged.Rows()); len(rows) > 0 {
			s.mu.Lock()
			s.layers[p] = s.layers[p].With(rows)
			s.mu.Unlock()
		}
		return nil
	})
}

// cloneRows copies rows, whose memory is reused, into one allocation.
func cloneRows(rows []store.Row) []store.Row {
	size := 0
	for _, r := range rows {
		size += len(r.Key) + len(r.Value)
	}
	data := make([]byte, 0, size)
	clone := func(b []byte) []byte {
		at := len(data)
		data = append(data, b...)
		return data[at:len(data):len(data)]
	}
	for i := range rows {
		if r := &rows[i]; r.Value == nil {
			r.Key = clone(r.Key)
		} else {
			r.Key, r.Value = clone(r.Key), clone(r.Value)
		}
	}
	return rows
}

func (s *memStore) Partitions(context.Context) ([]store.Partition, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var list []store.Partition
	for p, layer := range s.layers {
		if live, err := store.HasRows(layer.Over(nil), layer.Tables()); err != nil {
			return nil, err
		} else if live {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, store.Partition.Compare)
	return list, nil
}

func (s *memStore) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}

var errReplica = errors.New("input/output error")

// A replicaSet is a node's replicas, which can fail and be lost.
type replicaSet struct {
	site          *site
	current, next *memStore
	syncedAt      time.Time
}

var _ replicas.Set = (*replicaSet)(nil)

// fail returns the error of an update, nil if it succeeds.
func (b *replicaSet) fail() error {
	if b.site.replicaFails && b.site.sim.inject(replicaFailed, 0.3) {
		if b.site.sim.chance(0.2) {
			return store.ErrFull
		}
		return errReplica
	}
	return nil
}

func (b *replicaSet) Current() store.Store {
	if b.current == nil {
		return nil
	}
	return b.current
}

func (b *replicaSet) Stage() (store.Store, error) {
	if err := b.fail(); err != nil {
		return nil, err
	}
	b.next = newMemStore()
	b.next.fail = b.fail
	return b.next, nil
}

func (b *replicaSet) Swap() (release func() error, err error) {
	if b.next == nil {
		return nil, errors.New("there is no staged replica")
	}
	if err := b.fail(); err != nil {
		return nil, err
	}
	old := b.current
	b.current, b.next = b.next, nil
	return func() error {
		if old != nil {
			return old.Close()
		}
		return nil
	}, nil
}

func (b *replicaSet) SyncedAt() time.Time      { return b.syncedAt }
func (b *replicaSet) SetSyncedAt(at time.Time) { b.syncedAt = at }

// reopen returns the replicas as the next start finds them.
func (b *replicaSet) reopen() *replicaSet {
	again := &replicaSet{site: b.site, syncedAt: b.syncedAt}
	if b.current != nil {
		again.current = b.current.clone()
		again.current.fail = again.fail
	}
	return again
}
