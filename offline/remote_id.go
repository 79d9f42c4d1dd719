package offline

import (
	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/store"
)

// A document created at the node has an id at once. Bincard's own service derives the
// same id; another service returns its own in the response, and later operations on the
// document are sent with that.

// createdID returns the local id of the document that an operation creates, empty if none.
func (cfg *Config) createdID(c *outbox.Capture) string {
	spec := api.FindOperation(c.SpecID)
	if spec == nil || spec.Document == "" || !spec.Creates() {
		return ""
	}
	p := store.Partition{Organization: cfg.Caller.Organization, Environment: string(cfg.Caller.Environment)}
	return ledger.DerivedID(p, string(spec.Document), c.Key).String()
}

// recordRemoteID adds the service's id of a created document to the entry of its
// response, if it differs from the local id.
func (n *Node) recordRemoteID(e *outbox.Entry, remote api.ID) {
	if e == nil || e.StateChange == nil || e.StateChange.State != outbox.Done || remote == (api.ID{}) {
		return
	}
	if local := n.cfg.createdID(&n.queue.Operation(e.StateChange.Key).Capture); local != "" && local != remote.String() {
		e.StateChange.LocalID, e.StateChange.RemoteID = local, remote.String()
	}
}
