package offline

import (
	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger"
)

// What is made here has an id at once, which Bincard's own service gives it as
// well. Any other has its own: it is known with the answer, and what is to be
// done with what was made goes by it.

// recordRemoteID notes with an answer how the service calls what was made.
func (n *Node) recordRemoteID(e *outbox.Entry, called api.ID) {
	if e == nil || e.StateChange == nil || e.StateChange.State != outbox.Done || called == (api.ID{}) {
		return
	}
	it := n.queue.Operation(e.StateChange.Key)
	spec := api.FindOperation(it.SpecID)
	if spec == nil || spec.Document == "" || !spec.Creates() {
		return
	}
	if here := ledger.DerivedID(n.partition(), string(spec.Document), it.Key); here != called {
		e.StateChange.LocalID, e.StateChange.RemoteID = here.String(), called.String()
	}
}

// requestFor is what an operation asks of the service, or of the ledger here: by
// the ids that are known there.
func (n *Node) requestFor(it *outbox.Operation, here bool) (*api.Request, error) {
	c := it.Capture
	c.Target = n.queue.RemoteTarget(c.Target, here)
	return requestOf(&c)
}
