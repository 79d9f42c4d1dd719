package offline

import (
	"context"

	"bincard/offline/outbox"
	"bincard/server/ledger/replica"
)

// Position returns where the replica is in the history of the service. Its Epoch is empty
// if there is no replica or the service has no change feed.
func (n *Node) Position(ctx context.Context) (replica.Position, error) {
	current := n.replicas.Current()
	if current == nil {
		return replica.Position{}, nil
	}
	return n.replicas.Position(ctx, current)
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
	header := *n.queue.Header
	header.Service = url
	if err := n.queue.Commit(&outbox.Entry{Header: &header}); err != nil {
		return notSavedError(err)
	}
	n.cfg.Owner.Service = url
	return nil
}
