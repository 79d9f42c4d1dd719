package transfers

import (
	"context"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/names"
	"bincard/views/session"
	"bincard/views/submit"
)

// side is one end of a transfer and holds what differs between shipping and
// receiving.
type side struct {
	id                   string // prefix of routes and actions: "ship"
	verbWord, titleWord  string // to translate: "ship", "Ship"
	totalWord, doneWord  string // labels of the summary
	stepText, bookedText string // messages with the quantity
	directionText        string // "to %s", "from %s"
	emptyWord            string // shown for an empty list
	load                 func(ctx context.Context, site *session.Site, at session.Location) ([]api.Transfer, bool, error)
	totalOf, doneOf      func(t *api.Transfer) int64
	pendingOf            func(t *api.Transfer) int64
	otherLocation        func(t *api.Transfer) *api.PlaceRef    // the location at the other end
	location             func(t *api.Transfer) session.Location // the location at this end
	directionWord        string                                 // "to", "from"
}

// shipping is the source end.
var shipping = side{
	id:            "ship",
	verbWord:      i18n.Text("ship"),
	titleWord:     i18n.Text("Ship"),
	totalWord:     i18n.Text("to ship"),
	doneWord:      i18n.Text("shipped"),
	directionWord: i18n.Text("to"),
	directionText: i18n.Text("to %s"),
	stepText:      i18n.Text("ship %s"),
	bookedText:    i18n.Text("Shipped %s: %s of %s, %s to go"),
	emptyWord: i18n.Text(
		"No transfers to ship from here. Scan a transfer, choose another location (F6), or plan a transfer (F3).",
	),
	load: func(ctx context.Context, s *session.Site, at session.Location) ([]api.Transfer, bool, error) {
		return s.Departures(ctx, at)
	},
	totalOf:       func(t *api.Transfer) int64 { return t.Quantity },
	doneOf:        func(t *api.Transfer) int64 { return t.ShippedQuantity },
	pendingOf:     func(t *api.Transfer) int64 { return t.PendingShipmentQuantity },
	otherLocation: func(t *api.Transfer) *api.PlaceRef { return t.DestinationLocation },
	location: func(t *api.Transfer) session.Location {
		return session.LocationAt(t.SourceLocationID, t.SourceLocation)
	},
}

// receiving is the destination end.
var receiving = side{
	id:            "receive-transfer",
	verbWord:      i18n.Text("receive"),
	titleWord:     i18n.Text("Receive TR"),
	totalWord:     i18n.Text("shipped"),
	doneWord:      i18n.Text("received"),
	directionWord: i18n.Text("from"),
	directionText: i18n.Text("from %s"),
	stepText:      i18n.Text("receive %s"),
	bookedText:    i18n.Text("Received %s: %s of %s, %s to go"),
	emptyWord: i18n.Text(
		"No transfers are in transit to this location. Scan a transfer, or choose another location (F6)."),
	load: func(ctx context.Context, s *session.Site, at session.Location) ([]api.Transfer, bool, error) {
		return s.Arrivals(ctx, at)
	},
	totalOf:       func(t *api.Transfer) int64 { return t.ShippedQuantity },
	doneOf:        func(t *api.Transfer) int64 { return t.ReceivedQuantity },
	pendingOf:     func(t *api.Transfer) int64 { return t.PendingReceiveQuantity },
	otherLocation: func(t *api.Transfer) *api.PlaceRef { return t.SourceLocation },
	location: func(t *api.Transfer) session.Location {
		return session.LocationAt(t.DestinationLocationID, t.DestinationLocation)
	},
}

// ships reports whether this is the source end.
func (e *side) ships() bool { return e.id == "ship" }

// spec returns the operation of this end.
func (e *side) spec() *api.Spec {
	if e.ships() {
		return api.ShipTransfer.Spec
	}
	return api.ReceiveTransfer.Spec
}

// buildStep returns the step that moves a quantity at this end.
func (e *side) buildStep(in api.MoveTransferInput, words string) (submit.Step, error) {
	if e.ships() {
		return submit.NewStep(api.ShipTransfer, in, words)
	}
	return submit.NewStep(api.ReceiveTransfer, in, words)
}

// transferIn returns the transfer in a response, or nil.
func transferIn(res *api.Response) *api.Transfer {
	switch out := res.Output.(type) {
	case *api.TransferSourceResult:
		return &out.Transfer
	case *api.TransferDestinationResult:
		return &out.Transfer
	}

	return nil
}

func sku(t *api.Transfer) string { return names.ProductSKU(t.Product, t.ProductID) }

func name(t *api.Transfer) string { return names.ProductName(t.Product) }
