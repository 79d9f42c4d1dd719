package offline

import (
	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger"
)

// What is made here has an id at once, which Bincard's own service gives it as
// well. Any other has its own: it is known with the answer, and what is to be
// done with what was made goes by it.

// madeBy is the id of what an answer says was made; zero where nothing was.
func madeBy(res *api.Response) api.ID {
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

// kindsMade are what the documented operations make.
var kindsMade = map[string]string{api.CreateInbound.ID: "inbound", api.CreateReservation.ID: "reservation"}

// christen notes with an answer how the service calls what was made.
func (n *Node) christen(e *outbox.Entry, called api.ID) {
	if e == nil || e.Mark == nil || e.Mark.State != outbox.Done || called == (api.ID{}) {
		return
	}
	it := n.box.Item(e.Mark.Key)
	kind := kindsMade[it.Operation]
	if kind == "" {
		return
	}
	if here := ledger.Made(n.partition(), kind, it.Key); here != called {
		e.Mark.Made, e.Mark.Called = here.String(), called.String()
	}
}

// request is what an operation asks of the service, or of the ledger here: by
// the ids that are known there.
func (n *Node) request(it *outbox.Item, here bool) (*api.Request, error) {
	c := it.Capture
	c.Target = n.box.Called(c.Target, here)
	return request(&c)
}
