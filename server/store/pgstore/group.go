package pgstore

import (
	"errors"
	"sync/atomic"

	"bincard/server/store"
)

// An update is one call of Update.
type update struct {
	fn      func(store.Tx) error
	claimed atomic.Bool // by its group to run it, or by its caller to cancel it
	err     error
	done    chan struct{}
}

// A group commits the updates of one partition, those that wait together. It exists while
// there are some.
type group struct {
	store     *Store
	partition string
	queue     []*update // guarded by the store's mutex
}

var errGoexit = errors.New("store: update function ended its goroutine (runtime.Goexit); its batch was not saved")

// enqueue adds an update to its group. It reports false if the store is closed.
func (s *Store) enqueue(partition string, u *update) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}

	g := s.groups[partition]
	if g == nil {
		g = &group{store: s, partition: partition}
		s.groups[partition] = g
		s.running.Add(1)
		go g.run()
	}

	g.queue = append(g.queue, u)

	return true
}

// run commits batches until no update waits.
func (g *group) run() {
	var updates []*update
	finished := false
	defer func() {
		if !finished { // an update called runtime.Goexit
			complete(updates, errGoexit)
			go g.run()
		}
	}()

	for {
		if updates = g.next(); updates == nil {
			break
		}

		b := &batch{store: g.store, partition: g.partition}
		for _, u := range updates {
			if u.claimed.CompareAndSwap(false, true) {
				b.updates = append(b.updates, u)
			}
		}

		err := b.commit()
		if g.store.counters.updates.Add(uint64(len(b.updates))); err != nil {
			g.store.counters.failed.Add(1)
		}

		complete(b.updates, err)
	}

	finished = true
	g.store.running.Done()
}

// next returns the updates of the next batch, or nil if there are none; then the group has
// ended.
func (g *group) next() []*update {
	g.store.mu.Lock()
	defer g.store.mu.Unlock()
	n := min(len(g.queue), store.MaxBatch)
	if n == 0 {
		delete(g.store.groups, g.partition)
		return nil
	}

	updates := g.queue[:n:n]
	g.queue = g.queue[n:]

	return updates
}

// complete returns the results of updates to their callers.
func complete(updates []*update, err error) {
	for _, u := range updates {
		if err != nil {
			u.err = err
		}
		close(u.done)
	}
}
