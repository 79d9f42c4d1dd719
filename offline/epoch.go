package offline

import (
	"context"

	"bincard/offline/outbox"
)

// epochEntry returns the entry that must precede the first operation in the
// journal if the journal has no epoch yet, else nil. The write of the epoch
// may have failed when the replica arrived, and without an epoch confirmed
// operations would not be checked again after the service is restored from a
// backup. n.mu is held.
func (n *Node) epochEntry(ctx context.Context) *outbox.Entry {
	if n.queue.Epoch != "" || n.replicas.Polled() {
		return nil
	}
	at, err := n.replicas.Position(ctx, n.replicas.Current())
	if err != nil || at.Epoch == "" {
		return nil
	}
	return &outbox.Entry{Epoch: &outbox.Epoch{ID: at.Epoch, At: n.now()}}
}
