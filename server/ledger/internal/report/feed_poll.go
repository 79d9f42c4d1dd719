package report

import (
	"context"
	"time"

	"bincard/server/store"
)

// pollInterval is how often the store is asked for the changes of other processes while
// anyone waits for a change.
const pollInterval = 200 * time.Millisecond

// pollTimeout limits one call to the store.
const pollTimeout = 5 * time.Second

// Wait returns a channel that is closed at the next change, and a function that
// ends the wait. Call it before checking whether there is a change.
func (f *Feed) Wait(p store.Partition) (<-chan struct{}, func()) {
	changed, stop := f.notifier.Wait(p)
	if f.shared != nil && f.beginPolling() {
		go f.poll()
	}
	return changed, stop
}

// poll asks for the changes of other processes, in the partitions where anyone waits and in
// the system's, which has the keys. The ledger notifies the waiters of those it hears of.
func (f *Feed) poll() {
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for partitions := f.polled(); len(partitions) > 0; partitions = f.polled() {
		ctx, cancel := context.WithTimeout(context.Background(), pollTimeout)
		_ = f.shared.Refresh(ctx, append(partitions, store.Partition{})...) // else the next poll does it
		cancel()
		<-ticker.C
	}
}

// beginPolling reports whether the caller must run poll.
func (n *notifier) beginPolling() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	begins := !n.polling && len(n.waiters) > 0
	n.polling = n.polling || begins
	return begins
}

// polled returns the partitions where anyone waits. If there are none polling has ended.
func (n *notifier) polled() []store.Partition {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.polling = len(n.waiters) > 0
	list := make([]store.Partition, 0, len(n.waiters)+1)
	for p := range n.waiters {
		list = append(list, p)
	}
	return list
}
