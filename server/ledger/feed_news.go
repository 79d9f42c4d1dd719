package ledger

import (
	"sync"
	"sync/atomic"

	"bincard/server/store"
)

// news tells those who wait for changes of a partition that there is one. Those
// who write pay one look at a number where nobody waits.
type news struct {
	waiting atomic.Int64
	mu      sync.Mutex
	of      map[store.Partition]*rumour
	closed  bool
}

// A rumour is what all who wait in one partition wait for.
type rumour struct {
	spread chan struct{}
	heard  int // how many wait
}

// wait answers a channel that is closed at the next change, and the function
// that ends the waiting. Ask for it before looking whether there is a change.
func (n *news) wait(p store.Partition) (<-chan struct{}, func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		c := make(chan struct{})
		close(c)
		return c, func() {}
	}
	r := n.of[p]
	if r == nil {
		if n.of == nil {
			n.of = map[store.Partition]*rumour{}
		}
		r = &rumour{spread: make(chan struct{})}
		n.of[p] = r
	}
	r.heard++
	n.waiting.Add(1)
	return r.spread, func() { n.leave(p, r) }
}

func (n *news) leave(p store.Partition, r *rumour) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.waiting.Add(-1)
	if r.heard--; r.heard == 0 && n.of[p] == r {
		delete(n.of, p)
	}
}

// wake tells all who wait in the partition.
func (n *news) wake(p store.Partition) {
	if n.waiting.Load() == 0 {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if r := n.of[p]; r != nil {
		close(r.spread)
		delete(n.of, p)
	}
}

// close tells all who wait, and whoever comes after.
func (n *news) close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closed = true
	for p, r := range n.of {
		close(r.spread)
		delete(n.of, p)
	}
}

// ended tells whether nothing is worth waiting for any more.
func (n *news) ended() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.closed
}
