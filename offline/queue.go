package offline

import (
	"context"
	"time"

	"bincard/offline/outbox"
)

// Operation is the operation with that key as it stands, nil where there is none.
func (n *Node) Operation(key string) *outbox.Operation {
	n.mu.Lock()
	defer n.mu.Unlock()
	it := n.queue.Operation(key)
	if it == nil {
		return nil
	}
	copied := *it
	return &copied
}

// Operations are all operations as they stand, in the order in which they were done.
func (n *Node) Operations() []outbox.Operation {
	n.mu.Lock()
	defer n.mu.Unlock()
	list := make([]outbox.Operation, len(n.queue.Operations()))
	for i, it := range n.queue.Operations() {
		list[i] = *it
	}
	return list
}

// A Status is how a node stands, for the header of every screen.
type Status struct {
	outbox.Counts
	Link outbox.Link
	// SyncedAt is when what shows was last known to be what the service has.
	SyncedAt time.Time
}

// Status tells how the node stands.
func (n *Node) Status() Status {
	n.mu.Lock()
	defer n.mu.Unlock()
	return Status{Counts: n.queue.Counts(), Link: n.queue.Link(n.now()), SyncedAt: n.pull.syncedAt}
}

// Ready tells whether anything shows: the service's data was read once.
func (n *Node) Ready() bool { return n.view.Load() != nil }

// Resume ends all pauses: a person wishes it, the key was replaced, or the network
// came back.
func (n *Node) Resume() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.queue.Resume()
	n.pull.tries, n.pull.notBefore, n.pull.nextCycle = 0, time.Time{}, time.Time{}
	n.notify()
}

// Retry sends a refused or held operation again, as it is.
func (n *Node) Retry(ctx context.Context, key, by string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	e, err := n.queue.Retry(n.now(), key, by)
	if err != nil {
		return err
	}
	return n.decide(ctx, e)
}

// Discard gives an operation up, with a reason.
func (n *Node) Discard(ctx context.Context, key, by, reason string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	e, err := n.queue.Discard(n.now(), key, by, reason)
	if err != nil {
		return err
	}
	return n.decide(ctx, append([]*outbox.Entry{e}, n.queue.HoldDependents(n.now(), key, reason)...)...)
}

func (n *Node) decide(ctx context.Context, entries ...*outbox.Entry) error {
	if err := n.commit(entries...); err != nil {
		return notSavedError(err)
	}
	n.notify()
	return n.rebuild(context.WithoutCancel(ctx))
}
