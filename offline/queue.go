package offline

import (
	"context"
	"time"

	"bincard/offline/outbox"
)

// Operation returns the operation with a key, nil if there is none.
func (n *Node) Operation(key string) *outbox.Operation {
	n.mu.Lock()
	defer n.mu.Unlock()
	op := n.queue.Operation(key)
	if op == nil {
		return nil
	}
	copied := *op
	return &copied
}

// Operations returns all operations, oldest first.
func (n *Node) Operations() []outbox.Operation {
	n.mu.Lock()
	defer n.mu.Unlock()
	list := make([]outbox.Operation, len(n.queue.Operations()))
	for i, op := range n.queue.Operations() {
		list[i] = *op
	}
	return list
}

// A Status is the sync status in the header of every screen.
type Status struct {
	outbox.Counts
	Link outbox.Link
	// SyncedAt is when the local data was last known to match the service's.
	SyncedAt time.Time
}

// Status returns the node's sync status.
func (n *Node) Status() Status {
	n.mu.Lock()
	defer n.mu.Unlock()
	return Status{Counts: n.queue.Counts(), Link: n.queue.Link(n.now()), SyncedAt: n.pull.local.SyncedAt}
}

// Ready reports whether the service's data was downloaded once.
func (n *Node) Ready() bool { return n.view.Load() != nil }

// Resume ends all pauses: because a person asked, the key was replaced, or the
// network is back.
func (n *Node) Resume() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.queue.Resume()
	n.pull.tries, n.pull.notBefore, n.pull.local.NextCycle = 0, time.Time{}, time.Time{}
	n.notify()
}

// Retry sends a failed or quarantined operation again.
func (n *Node) Retry(ctx context.Context, key, by string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	e, err := n.queue.Retry(n.now(), key, by)
	if err != nil {
		return err
	}
	return n.decide(ctx, e)
}

// Discard discards an operation, with a reason. mayBeDone discards also one that may have
// been done.
func (n *Node) Discard(ctx context.Context, key, by, reason string, mayBeDone bool) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	entries, err := n.queue.Discard(n.now(), key, by, reason, mayBeDone)
	if err != nil {
		return err
	}
	return n.decide(ctx, entries...)
}

func (n *Node) decide(ctx context.Context, entries ...*outbox.Entry) error {
	if err := n.queue.Commit(entries...); err != nil {
		return notSavedError(err)
	}
	n.notify()
	return n.rebuild(context.WithoutCancel(ctx))
}
