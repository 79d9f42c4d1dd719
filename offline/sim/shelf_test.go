package sim_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"bincard/offline"
	"bincard/server/store"
)

// A shelf is a store in memory of which a copy costs nothing: the world's
// restores are made of such copies.
type shelf struct {
	turn   sync.Mutex // of who updates: the service notes its usage by itself
	mu     sync.RWMutex
	parts  map[store.Partition]*store.Layer
	closed bool
	dead   bool // it answers nothing any more, until it is opened again
	// fail is what a change runs into, nil where nothing is wrong.
	fail func() error
}

var _ store.Store = (*shelf)(nil)

func newShelf() *shelf { return &shelf{parts: map[store.Partition]*store.Layer{}} }

func (s *shelf) copied() *shelf {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return &shelf{parts: maps.Clone(s.parts), fail: s.fail}
}

func (s *shelf) View(ctx context.Context, p store.Partition, fn func(store.Reader) error) error {
	s.mu.RLock()
	layer, closed, dead := s.parts[p], s.closed, s.dead
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

func (s *shelf) Update(ctx context.Context, p store.Partition, fn func(store.Tx) error) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	return s.View(ctx, p, func(r store.Reader) error {
		staged := store.NewOverlay(r)
		if err := fn(staged); err != nil {
			return err
		}
		if s.fail != nil {
			if err := s.fail(); err != nil {
				return err
			}
		}
		if rows := staged.Rows(); len(rows) > 0 {
			s.mu.Lock()
			s.parts[p] = s.parts[p].With(rows)
			s.mu.Unlock()
		}
		return nil
	})
}

func (s *shelf) Partitions(context.Context) ([]store.Partition, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var list []store.Partition
	for p, layer := range s.parts {
		if live, err := store.Holds(layer.Over(nil), layer.Tables()); err != nil {
			return nil, err
		} else if live {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, store.Partition.Compare)
	return list, nil
}

func (s *shelf) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}

var errBase = errors.New("input/output error")

// shelves are a node's bases, which may fail it and may be lost.
type shelves struct {
	site          *site
	current, next *shelf
	read          time.Time
}

var _ offline.Bases = (*shelves)(nil)

func (b *shelves) fail() error {
	if b.site.sickBase && b.site.w.befalls(baseFailed, 0.3) {
		if b.site.w.chance(0.2) {
			return store.ErrFull
		}
		return errBase
	}
	return nil
}

func (b *shelves) Current() store.Store {
	if b.current == nil {
		return nil
	}
	return b.current
}

func (b *shelves) Stage() (store.Store, error) {
	if err := b.fail(); err != nil {
		return nil, err
	}
	b.next = newShelf()
	b.next.fail = b.fail
	return b.next, nil
}

func (b *shelves) Swap() (release func() error, err error) {
	if b.next == nil {
		return nil, errors.New("nothing was read to be swapped in")
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

func (b *shelves) Read() time.Time       { return b.read }
func (b *shelves) NoteRead(at time.Time) { b.read = at }

// opened are the bases as the next program finds them.
func (b *shelves) opened() *shelves {
	again := &shelves{site: b.site, read: b.read}
	if b.current != nil {
		again.current = b.current.copied()
		again.current.fail = again.fail
	}
	return again
}
