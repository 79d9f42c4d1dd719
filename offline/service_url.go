package offline

import (
	"context"

	"bincard/offline/outbox"
)

// Epoch returns the epoch of the service's data that the replica follows, empty if there
// is no replica or the service has no change feed.
func (n *Node) Epoch(ctx context.Context) (string, error) {
	replica := n.replicas.Current()
	if replica == nil {
		return "", nil
	}
	at, err := n.replicas.Position(ctx, replica)
	return at.Epoch, err
}

// ServiceURL returns the address of the service that the journal belongs to.
func (n *Node) ServiceURL() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.cfg.Owner.Service
}

// SetServiceURL records that the same service has another address.
func (n *Node) SetServiceURL(url string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	owner := n.cfg.Owner
	owner.Service = url
	if err := n.queue.Commit(&outbox.Entry{Header: &owner}); err != nil {
		return notSavedError(err)
	}
	n.cfg.Owner = owner
	return nil
}
