package offline

import (
	"context"
	"slices"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// An affectedStock is what an operation of the work here changes.
type affectedStock struct {
	keys      []stockKey
	documents documentKinds
	outbound  api.ID
}

// affected tells what an operation changes, as far as its documents are known.
func (p *pollingSyncer) affected(ctx context.Context, it *outbox.Operation) (t affectedStock, err error) {
	req, err := p.requestFor(it, false)
	if err != nil {
		return t, nil // it is none of this program's, and so was not sent by it
	}
	doc := api.ID{}
	at := func(product, location, owner, channel api.ID) {
		t.keys = append(t.keys, stockKey{product, location, owner, channel})
	}
	switch in := req.Input.(type) {
	case *api.CreateInboundInput:
		t.documents = inboundDocuments
		at(in.ProductID, in.LocationID, in.OwnerID, in.ChannelID)
	case *api.ReceiveInboundInput:
		doc = in.InboundID
	case *api.InboundInput:
		doc = in.InboundID
	case *api.MoveTransferInput:
		doc = in.TransferID
	case *api.TransferInput:
		doc = in.TransferID
	case *api.CreateReservationInput:
		t.documents = reservationDocuments
		at(in.ProductID, in.LocationID, in.OwnerID, in.ChannelID)
	case *api.ReservationInput:
		doc = in.ReservationID
	case *api.FulfillOutboundInput:
		doc = in.OutboundID
	case *api.OutboundInput:
		doc = in.OutboundID
	case *api.AdjustStockInput:
		at(in.ProductID, in.LocationID, in.OwnerID, in.ChannelID)
	case *api.MoveStockInput:
		at(in.ProductID, in.LocationID, in.OwnerID, in.ChannelID)
	case *api.DisassembleInput:
		at(in.ProductID, in.LocationID, in.OwnerID, in.ChannelID)
	}
	if doc == (api.ID{}) {
		return t, nil
	}
	t.documents = operationDocuments[it.SpecID]
	known, err := p.document(ctx, doc)
	switch d := known.(type) {
	case *api.Inbound:
		at(d.ProductID, d.LocationID, d.OwnerID, d.ChannelID)
	case *api.Transfer:
		at(d.ProductID, d.SourceLocationID, d.OwnerID, d.ChannelID)
		at(d.ProductID, d.DestinationLocationID, d.OwnerID, d.ChannelID)
	case *api.Reservation:
		at(d.ProductID, d.LocationID, d.OwnerID, d.ChannelID)
	case *api.Outbound:
		t.outbound = d.ID
		for i := range d.Lines {
			at(d.Lines[i].ProductID, d.LocationID, d.OwnerID, d.ChannelID)
		}
	default: // it has ended, and the base was read since
		for _, x := range it.Stock {
			at(x.Product, x.Location, x.Owner, x.Channel)
		}
	}
	return t, err
}

// operationDocuments are the documents that operations on one are of.
var operationDocuments = map[string]documentKinds{
	api.ReceiveInbound.ID: inboundDocuments, api.CancelInbound.ID: inboundDocuments,
	api.ShipTransfer.ID: transferDocuments, api.ReceiveTransfer.ID: transferDocuments, api.CancelTransfer.ID: transferDocuments,
	api.CommitReservation.ID: reservationDocuments, api.FulfillOutbound.ID: outboundDocuments, api.CancelOutbound.ID: outboundDocuments,
}

// movedStock are the balances that an operation moved.
func movedStock(out any) (list []outbox.StockKey) {
	var moves []api.Movement
	switch out := out.(type) {
	case *api.InboundResult:
		moves = out.Movements
	case *api.OutboundResult:
		moves = out.Movements
	case *api.TransferSourceResult:
		moves = out.Movements
	case *api.TransferDestinationResult:
		moves = out.Movements
	case *api.ReservationResult:
		moves = out.Movements
	case *api.StockResult:
		moves = out.Movements
	case *api.DisassembleResult:
		moves = out.Movements
	}
	for i := range moves {
		m := &moves[i]
		at := outbox.StockKey{Product: m.ProductID, Location: m.LocationID, Owner: m.OwnerID, Channel: m.ChannelID}
		if !slices.Contains(list, at) {
			list = append(list, at)
		}
	}
	return list
}
