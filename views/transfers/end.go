package transfers

import (
	"context"

	"bincard/server/api"
	"bincard/views/dock"
)

// end is one end of a transfer: what differs between shipping and receiving.
type end struct {
	id, verb, job   string  // "ship", "ship", "Ship"
	whole, done     string  // the words of a sheet
	empty           *string // a word of the table
	load            func(ctx context.Context, site *dock.Site, at dock.Place) ([]api.Transfer, bool, error)
	wholeOf, doneOf func(t *api.Transfer) int64
	pendingOf       func(t *api.Transfer) int64
	other           func(t *api.Transfer) *api.PlaceRef // the place at the other end
	toward          string                              // "to", "from"
}

// shipping is the source's end.
var shipping = end{id: "ship", verb: "ship", job: "Ship", whole: "to ship", done: "shipped", toward: "to",
	empty: &nothingToShip,
	load: func(ctx context.Context, s *dock.Site, at dock.Place) ([]api.Transfer, bool, error) {
		return s.Departing(ctx, at)
	},
	wholeOf:   func(t *api.Transfer) int64 { return t.Quantity },
	doneOf:    func(t *api.Transfer) int64 { return t.ShippedQuantity },
	pendingOf: func(t *api.Transfer) int64 { return t.PendingShipmentQuantity },
	other:     func(t *api.Transfer) *api.PlaceRef { return t.DestinationLocation },
}

// arriving is the destination's end.
var arriving = end{id: "arrive", verb: "receive", job: "Arrive", whole: "shipped", done: "received", toward: "from",
	empty: &nothingComing,
	load: func(ctx context.Context, s *dock.Site, at dock.Place) ([]api.Transfer, bool, error) {
		return s.Arriving(ctx, at)
	},
	wholeOf:   func(t *api.Transfer) int64 { return t.ShippedQuantity },
	doneOf:    func(t *api.Transfer) int64 { return t.ReceivedQuantity },
	pendingOf: func(t *api.Transfer) int64 { return t.PendingReceiveQuantity },
	other:     func(t *api.Transfer) *api.PlaceRef { return t.SourceLocation },
}

// step is the write that moves a part of a transfer at this end.
func (e *end) step(in api.MoveTransferInput, words string) (dock.Step, error) {
	if e.id == "ship" {
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

func sku(t *api.Transfer) string {
	if t.Product == nil {
		return dock.Brief(t.ProductID)
	}
	return t.Product.SKU
}

func name(t *api.Transfer) string {
	if t.Product == nil {
		return ""
	}
	return t.Product.Name
}
