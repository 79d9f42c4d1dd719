package transfers

import (
	"context"

	"bincard/server/api"
	"bincard/views/dock"
)

// end is one end of a transfer: what differs between shipping and receiving.
type end struct {
	id              string  // "ship": of routes and actions
	verb, past, job *string // words of the table: "ship", "shipped", "Ship"
	whole, done     *string // the words of a sheet
	empty           *string // a word of the table
	load            func(ctx context.Context, site *dock.Site, at dock.Place) ([]api.Transfer, bool, error)
	wholeOf, doneOf func(t *api.Transfer) int64
	pendingOf       func(t *api.Transfer) int64
	other           func(t *api.Transfer) *api.PlaceRef // the place at the other end
	at              func(t *api.Transfer) dock.Place    // where the goods are handled
	toward          *string                             // "to", "from"
}

// shipping is the source's end.
var shipping = end{id: "ship", verb: &verbShip, past: &wordShipped, job: &jobShip, whole: &wordToShip, done: &wordShipped, toward: &wordTo,
	empty: &nothingToShip,
	load: func(ctx context.Context, s *dock.Site, at dock.Place) ([]api.Transfer, bool, error) {
		return s.Departing(ctx, at)
	},
	wholeOf:   func(t *api.Transfer) int64 { return t.Quantity },
	doneOf:    func(t *api.Transfer) int64 { return t.ShippedQuantity },
	pendingOf: func(t *api.Transfer) int64 { return t.PendingShipmentQuantity },
	other:     func(t *api.Transfer) *api.PlaceRef { return t.DestinationLocation },
	at:        func(t *api.Transfer) dock.Place { return dock.PlaceAt(t.SourceLocationID, t.SourceLocation) },
}

// arriving is the destination's end.
var arriving = end{id: "arrive", verb: &verbReceive, past: &wordReceived, job: &jobArrive, whole: &wordShipped, done: &wordReceived, toward: &wordFrom,
	empty: &nothingComing,
	load: func(ctx context.Context, s *dock.Site, at dock.Place) ([]api.Transfer, bool, error) {
		return s.Arriving(ctx, at)
	},
	wholeOf:   func(t *api.Transfer) int64 { return t.ShippedQuantity },
	doneOf:    func(t *api.Transfer) int64 { return t.ReceivedQuantity },
	pendingOf: func(t *api.Transfer) int64 { return t.PendingReceiveQuantity },
	other:     func(t *api.Transfer) *api.PlaceRef { return t.SourceLocation },
	at:        func(t *api.Transfer) dock.Place { return dock.PlaceAt(t.DestinationLocationID, t.DestinationLocation) },
}

// ships tells whether goods leave at this end.
func (e *end) ships() bool { return e.id == "ship" }

// write is the operation of this end.
func (e *end) write() *api.Spec {
	if e.ships() {
		return api.ShipTransfer.Spec
	}
	return api.ReceiveTransfer.Spec
}

// step is the write that moves a part of a transfer at this end.
func (e *end) step(in api.MoveTransferInput, words string) (dock.Step, error) {
	if e.ships() {
		return dock.NewStep(api.ShipTransfer, in, words)
	}
	return dock.NewStep(api.ReceiveTransfer, in, words)
}

// changed is the transfer that an answer tells of, or nil.
func changed(res *api.Response) *api.Transfer {
	switch out := res.Output.(type) {
	case *api.TransferSourceResult:
		return &out.Transfer
	case *api.TransferDestinationResult:
		return &out.Transfer
	}
	return nil
}

func sku(t *api.Transfer) string { return dock.SKUOf(t.Product, t.ProductID) }

func name(t *api.Transfer) string { return dock.NameOf(t.Product) }
