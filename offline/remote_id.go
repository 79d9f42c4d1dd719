package offline

import (
	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger"
)

// A document created at the node has an id at once. Bincard's own service derives the
// same id; another service returns its own in the response, and later operations on the
// document are sent with that.

// recordRemoteID adds the service's id of a created document to the entry of its
// response, if it differs from the local id.
func (n *Node) recordRemoteID(e *outbox.Entry, remote api.ID) {
	if e == nil || e.StateChange == nil || e.StateChange.State != outbox.Done || remote == (api.ID{}) {
		return
	}
	op := n.queue.Operation(e.StateChange.Key)
	spec := api.FindOperation(op.SpecID)
	if spec == nil || spec.Document == "" || !spec.Creates() {
		return
	}
	if local := ledger.DerivedID(n.partition(), string(spec.Document), op.Key); local != remote {
		e.StateChange.LocalID, e.StateChange.RemoteID = local.String(), remote.String()
	}
}
