package offline

import (
	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger"
)

// What is made here has an id at once, which Bincard's own service gives it as
// well. Any other has its own: it is known with the answer, and what is to be
// done with what was made goes by it.

// createdID is the id of what an answer says was made; zero where nothing was.
func createdID(res *api.Response) api.ID {
	if res == nil {
		return api.ID{}
	}
	switch out := res.Output.(type) {
	case *api.InboundResult:
		return out.Inbound.ID
	case *api.ReservationResult:
		return out.Reservation.ID
	}
	return api.ID{}
}

// createdKinds are what the documented operations make.
var createdKinds = map[string]string{api.CreateInbound.ID: "inbound", api.CreateReservation.ID: "reservation"}

// recordRemoteID notes with an answer how the service calls what was made.
func (n *Node) recordRemoteID(e *outbox.Entry, called api.ID) {
	if e == nil || e.StateChange == nil || e.StateChange.State != outbox.Done || called == (api.ID{}) {
		return
	}
	it := n.queue.Operation(e.StateChange.Key)
	kind := createdKinds[it.SpecID]
	if kind == "" {
		return
	}
	if here := ledger.DerivedID(n.partition(), kind, it.Key); here != called {
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
