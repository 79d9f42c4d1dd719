package report

import (
	"sync"
	"sync/atomic"

	"bincard/server/store"
)

// A notifier wakes callers that wait for changes of a partition. When nobody
// waits, a write only loads one counter.
type notifier struct {
	waiting atomic.Int64
	mu      sync.Mutex
	waiters map[store.Partition]*waiters
	closed  bool
	polling bool // Feed.poll runs
}

// waiters are the callers that wait in one partition.
type waiters struct {
	changed chan struct{}
	count   int
}

// Wait returns a channel that is closed at the next change, and a function that
// ends the wait. Call it before checking whether there is a change.
func (n *notifier) Wait(p store.Partition) (<-chan struct{}, func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		c := make(chan struct{})
		close(c)
		return c, func() {}
	}

	r := n.waiters[p]
	if r == nil {
		if n.waiters == nil {
			n.waiters = map[store.Partition]*waiters{}
		}
		r = &waiters{changed: make(chan struct{})}
		n.waiters[p] = r
	}

	r.count++
	n.waiting.Add(1)

	return r.changed, func() { n.remove(p, r) }
}

func (n *notifier) remove(p store.Partition, r *waiters) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.waiting.Add(-1)
	if r.count--; r.count == 0 && n.waiters[p] == r {
		delete(n.waiters, p)
	}
}

// Notify wakes all callers that wait in the partition.
func (n *notifier) Notify(p store.Partition) {
	if n.waiting.Load() == 0 {
		return
	}

	n.mu.Lock()
	defer n.mu.Unlock()
	if r := n.waiters[p]; r != nil {
		close(r.changed)
		delete(n.waiters, p)
	}
}

// NotifyAll wakes all callers.
func (n *notifier) NotifyAll() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.notifyAll()
}

func (n *notifier) notifyAll() {
	for p, r := range n.waiters {
		close(r.changed)
		delete(n.waiters, p)
	}
}

// Close wakes all callers, and makes later waits return at once.
func (n *notifier) Close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closed = true
	n.notifyAll()
}

// IsClosed reports whether the notifier was closed.
func (n *notifier) IsClosed() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.closed
}
