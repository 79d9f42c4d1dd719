package offline

import (
	"context"
	"time"

	"bincard/offline/outbox"
)

// Item is the operation with that key as it stands, nil where there is none.
func (n *Node) Item(key string) *outbox.Item {
	n.mu.Lock()
	defer n.mu.Unlock()
	it := n.box.Item(key)
	if it == nil {
		return nil
	}
	copied := *it
	return &copied
}

// Items are all operations as they stand, in the order in which they were done.
func (n *Node) Items() []outbox.Item {
	n.mu.Lock()
	defer n.mu.Unlock()
	list := make([]outbox.Item, len(n.box.Items()))
	for i, it := range n.box.Items() {
		list[i] = *it
	}
	return list
}

// A Status is how a node stands, for the header of every screen.
type Status struct {
	outbox.Counts
	Line outbox.Line
	// Read is when what shows was last known to be what the service has.
	Read time.Time
}

// Status tells how the node stands.
func (n *Node) Status() Status {
	n.mu.Lock()
	defer n.mu.Unlock()
	return Status{Counts: n.box.Counts(), Line: n.box.Line(n.now()), Read: n.pull.heard}
}

// Ready tells whether anything shows: the service's data was read once.
func (n *Node) Ready() bool { return n.seen.Load() != nil }

// Try ends all pauses: a person wishes it, the key was replaced, or the network
// came back.
func (n *Node) Try() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.box.Try()
	n.pull.tries, n.pull.next, n.pull.due = 0, time.Time{}, time.Time{}
	n.wake()
}

// Retry sends a refused or held operation again, as it is.
func (n *Node) Retry(ctx context.Context, key, by string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	e, err := n.box.Retry(n.now(), key, by)
	if err != nil {
		return err
	}
	return n.decide(ctx, e)
}

// Drop gives an operation up, with a reason.
func (n *Node) Drop(ctx context.Context, key, by, reason string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	e, err := n.box.Drop(n.now(), key, by, reason)
	if err != nil {
		return err
	}
	return n.decide(ctx, append([]*outbox.Entry{e}, n.box.Left(n.now(), key, reason)...)...)
}

func (n *Node) decide(ctx context.Context, entries ...*outbox.Entry) error {
	if err := n.keep(entries...); err != nil {
		return unsaved(err)
	}
	n.wake()
	return n.rebuild(context.WithoutCancel(ctx))
}
