package demo

import (
	"fmt"
	"time"

	"bincard/server/api"
)

var suppliers = []string{"Nordic Foods", "Harbor Roasters", "Mill & Sons", "Verde Import", "Kitchen Craft"}
var customers = []string{"Café Lumen", "Hotel Pier 9", "Corner Deli", "Ines Marlow", "Tidal Kitchen", "Bluebird Bakery", "R. Okafor"}

// day creates the movements of the day that is ago days ago.
func (w *generator) day(ago int) {
	w.at(ago, 7, 30)
	for i := range 8 {
		g := w.items[((Days-ago)*7+i)%len(w.items)]
		if i == 0 {
			g = w.items[w.rng.IntN(40)]
		}
		w.delivery(g, w.main, w.boxQuantity(g, 6, 20))
		w.advance(10)
	}

	w.at(ago, 9, 30)
	for range 4 {
		w.order(w.items[w.rng.IntN(len(w.items))], w.between(1, 12), true)
		w.advance(25)
	}
	if ago%2 == 0 {
		w.at(ago, 13, 0)
		w.shipment(w.items[w.rng.IntN(60)], w.main, w.store)
		w.advance(30)
	}

	if ago%3 == 0 {
		w.at(ago, 15, 0)
		w.correction(w.items[w.rng.IntN(60)])
	}
}

// boxQuantity returns a quantity of whole boxes, or of a few pieces if the
// item has no box.
func (w *generator) boxQuantity(g *item, lo, hi int64) int64 {
	if len(g.Units) == 0 {
		return w.between(2, 6)
	}
	return g.Units[0].Factor * w.between(lo, hi)
}

// announce creates an inbound.
func (w *generator) announce(g *item, at api.Place, q int64, due *time.Time) api.Inbound {
	return call(w, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: g.ID, LocationID: at.ID}, ExpectedQuantity: q,
		SupplierName: suppliers[w.rng.IntN(len(suppliers))], Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: w.reference("PO")}, ExpectedAt: due}).Inbound
}

// receive receives part of an inbound, with a new lot or new serials if the
// item is tracked.
func (w *generator) receive(g *item, in api.Inbound, q int64) api.Inbound {
	arrival := api.ReceiveInboundInput{InboundID: in.ID, Quantity: q}
	switch g.Tracking {
	case api.TrackLot:
		w.lots++
		ends := w.clock.now.AddDate(0, 2+w.rng.IntN(10), w.rng.IntN(28))
		if w.rng.IntN(12) == 0 {
			ends = w.now.AddDate(0, 0, 1+w.rng.IntN(6))
		}
		ends = time.Date(ends.Year(), ends.Month(), ends.Day(), 0, 0, 0, 0, time.UTC)
		g.lot, g.expiry = fmt.Sprintf("L%03d-%c", w.lots, 'A'+rune(w.rng.IntN(3))), ends.Format("060102")
		arrival.LotCode, arrival.ExpiresAt = g.lot, &ends

	case api.TrackSerial:
		for range q {
			w.serials++
			arrival.Serials = append(arrival.Serials, api.SerialInput{SerialNumber: fmt.Sprintf("%s%06d", g.SKU[:3], w.serials)})
		}
	}

	return call(w, api.ReceiveInbound, arrival).Inbound
}

// delivery creates an inbound and receives it.
func (w *generator) delivery(g *item, at api.Place, q int64) {
	in := w.announce(g, at, q, &w.clock.now)
	w.advance(20)
	w.receive(g, in, q)
}

// available returns the available quantity of an item at a location.
func (w *generator) available(g *item, at api.Place) int64 {
	var free int64
	for _, b := range call(w, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: g.ID, LocationID: at.ID}}).Items {
		free += b.Available
	}
	return free
}

// order creates an outbound of one item, and fulfills it if done.
func (w *generator) order(g *item, q int64, done bool) api.Outbound {
	q = min(q, w.available(g, w.main))
	if q == 0 {
		return api.Outbound{}
	}

	out := w.request(w.due(0, 16), api.OutboundLineInput{ProductID: g.ID, RequestedQuantity: q})
	if done {
		out = w.finish(out)
	}

	return out
}

func (w *generator) request(due *time.Time, lines ...api.OutboundLineInput) api.Outbound {
	in := api.CreateOutboundInput{LocationID: w.main.ID, CustomerName: customers[w.rng.IntN(len(customers))],
		Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: w.reference("SO")}, ExpectedShipAt: due}
	if len(lines) == 1 {
		in.ProductID, in.RequestedQuantity = lines[0].ProductID, &lines[0].RequestedQuantity
	} else {
		in.Lines = lines
	}

	return call(w, api.CreateOutbound, in).Outbound
}

// finish picks, packs and fulfills what is allocated, with serials if the item
// has them.
func (w *generator) finish(out api.Outbound) api.Outbound {
	if out.AllocatedQuantity == 0 {
		return out
	}

	pick := api.HandleOutboundInput{OutboundID: out.ID, SerialChoice: api.SerialChoice{SerialIDs: w.piecesFor(out)}}
	w.advance(8)
	call(w, api.PickOutbound, pick)
	w.advance(8)
	call(w, api.PackOutbound, api.HandleOutboundInput{OutboundID: out.ID})
	w.advance(8)

	return call(w, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: out.ID}).Outbound
}

// piecesFor returns serials in stock for an outbound.
func (w *generator) piecesFor(out api.Outbound) (ids []api.ID) {
	limit := int64(100)
	for _, s := range call(w, api.ListSerials, api.ListSerialsInput{ProductID: out.ProductID, Page: api.Page{Limit: &limit}}).Items {
		if s.Status == api.InStock && s.LocationID == out.LocationID && int64(len(ids)) < out.AllocatedQuantity {
			ids = append(ids, s.ID)
		}
	}

	return ids
}

// plan creates a transfer.
func (w *generator) plan(g *item, from, to api.Place, q int64) api.Transfer {
	return call(w, api.CreateTransfer, api.CreateTransferInput{ProductID: g.ID, SourceLocationID: from.ID,
		DestinationLocationID: to.ID, Quantity: q, Reference: api.Reference{ReferenceType: "transfer_order", ReferenceID: w.reference("TR")}}).Transfer
}

// shipment creates a transfer, ships it and receives it.
func (w *generator) shipment(g *item, from, to api.Place) {
	q := min(w.boxQuantity(g, 1, 2), w.available(g, from))
	if q == 0 {
		return
	}

	t := w.plan(g, from, to, q)
	w.advance(15)
	call(w, api.ShipTransfer, api.MoveTransferInput{TransferID: t.ID})
	w.advance(90)
	call(w, api.ReceiveTransfer, api.MoveTransferInput{TransferID: t.ID})
}

// correction records some damage and a miscount.
func (w *generator) correction(g *item) {
	if g.Tracking == api.TrackSerial || w.available(g, w.main) < 4 {
		return
	}
	call(w, api.MoveStock, api.MoveStockInput{StockKey: api.StockKey{ProductID: g.ID, LocationID: w.main.ID}, Quantity: w.between(1, 3),
		SourceState: api.MovableState(api.Available), DestinationState: api.MovableState(api.Damaged), Reason: "crushed corner"})
	w.advance(10)
	call(w, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: g.ID, LocationID: w.main.ID}, InventoryState: api.OnHand,
		QuantityDelta: 1, Reason: "found behind the rack"})
}
