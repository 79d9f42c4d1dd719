package demo

import "bincard/server/api"

// documents creates today's work: documents in every status, overdue, due
// today, and due later.
func (w *generator) documents() {
	w.at(1, 17, 0)
	for _, sku := range []string{"OAT-1L", "SOY-1L", "COF-500", "CHOD-100", "MUGW-250", "GLA-500", "SCA-5", "GRI-1", "ESP-1", "TEAEG-20"} {
		g := w.find(sku)
		w.delivery(g, w.main, w.boxQuantity(g, 10, 20))
	}

	w.at(0, 8, 0)
	w.inbounds()
	w.transfers()
	w.outbounds()
	w.states()
	w.largeDelivery()
}

// largeDelivery announces a purchase order of several products, which has an inbound of
// each. It comes last: the documents before it keep their references.
func (w *generator) largeDelivery() {
	reference := api.Reference{ReferenceType: "purchase_order", ReferenceID: w.reference("PO")}
	for _, line := range []struct {
		sku string
		q   int64
	}{{"CHOD-100", 120}, {"GLA-500", 24}, {"TEAEG-20", 60}, {"GRI-1", 2}} {
		call(w, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: w.find(line.sku).ID, LocationID: w.main.ID},
			ExpectedQuantity: line.q, SupplierName: suppliers[0], Reference: reference, ExpectedAt: w.due(0, 17)})
	}
}

func (w *generator) inbounds() {
	oat := w.find("OAT-1L")
	today := w.announce(oat, w.main, 240, w.due(0, 14))
	w.receive(oat, today, 96)
	w.announce(w.find("SOY-1L"), w.main, 144, w.due(0, 15))
	w.announce(w.find("SCA-5"), w.main, 4, w.due(0, 16))
	w.announce(w.find("COF-1K"), w.main, 60, w.due(-1, 10))
	w.announce(oat, w.main, 120, w.due(-2, 9))
	w.announce(w.find("CHOM-50"), w.main, 200, w.due(1, 9))
	w.announce(w.find("WATS-500"), w.annex, 480, w.due(3, 11))
	w.announce(w.find("RICBA-1K"), w.annex, 100, w.due(21, 8))
	w.announce(w.find("ESP-2"), w.main, 2, w.due(40, 8))
	w.announce(w.newItem, w.main, 48, w.due(1, 8))
	partly := w.find("COFD-500")
	w.receive(partly, w.announce(partly, w.main, 90, w.due(0, 11)), 30)
	cancelled := w.announce(w.find("MUGY-250"), w.main, 36, w.due(-3, 10))
	call(w, api.CancelInbound, api.InboundInput{InboundID: cancelled.ID})
	short := w.find("TOWB-1")
	in := w.receive(short, w.announce(short, w.main, 50, w.due(-1, 13)), 40)
	call(w, api.CloseInbound, api.CloseInboundInput{InboundID: in.ID, Reason: "supplier is out of blue"})
	for _, sku := range []string{"FLOW-1K", "HON-500"} { // the consignor's own stock
		g := w.find(sku)
		in := call(w, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: g.ID, LocationID: w.annex.ID, OwnerID: w.consignor.ID, ChannelID: w.shop.ID}, ExpectedQuantity: 48, SupplierName: "Nordic Foods", Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: w.reference("PO")}, ExpectedAt: w.due(0, 12)}).Inbound
		w.receive(g, in, 24)
	}
}

func (w *generator) transfers() {
	ship := func(t api.Transfer, q *int64) {
		call(w, api.ShipTransfer, api.MoveTransferInput{TransferID: t.ID, Quantity: q})
	}
	quantity := func(q int64) *int64 { return &q }
	w.plan(w.find("OAT-1L"), w.main, w.store, 24)
	w.plan(w.find("COF-500"), w.main, w.store, 12)
	w.plan(w.find("MUGW-250"), w.main, w.annex, 18)
	ship(w.plan(w.find("CHOD-100"), w.main, w.store, 40), quantity(20))
	ship(w.plan(w.find("SOY-1L"), w.main, w.store, 24), nil)
	ship(w.plan(w.find("GLA-500"), w.main, w.annex, 12), nil)
	ship(w.plan(w.find("SCA-5"), w.main, w.store, 2), nil)
	partly := w.plan(w.find("TEAEG-20"), w.main, w.store, 48)
	ship(partly, nil)
	call(w, api.ReceiveTransfer, api.MoveTransferInput{TransferID: partly.ID, Quantity: quantity(24)})
	back := w.plan(w.find("OAT-1L"), w.main, w.annex, 12)
	ship(back, nil)
	call(w, api.CancelTransfer, api.TransferInput{TransferID: back.ID})
	lost := w.plan(w.find("COF-500"), w.main, w.web, 6)
	ship(lost, nil)
	call(w, api.ReceiveTransfer, api.MoveTransferInput{TransferID: lost.ID, Quantity: quantity(4)})
	call(w, api.CloseTransfer, api.CloseTransferInput{TransferID: lost.ID, Reason: "two fell off the van"})
}

func (w *generator) outbounds() {
	line := func(sku string, q int64) api.OutboundLineInput {
		return api.OutboundLineInput{ProductID: w.find(sku).ID, RequestedQuantity: q}
	}
	handle := func(out api.Outbound, q int64) api.HandleOutboundInput {
		return api.HandleOutboundInput{OutboundID: out.ID, Quantity: &q}
	}
	w.request(w.due(0, 17), line("OAT-1L", 36), line("COF-500", 6))                                // allocated
	w.request(w.due(0, 11), line("COF-500", 12))                                                   // allocated, late
	w.request(w.due(-1, 15), line("GRI-1", 1))                                                     // allocated, a day late, by serial
	w.request(w.due(0, 18), line("SCA-5", 1), line("MUGW-250", 6))                                 // allocated, mixed
	w.request(w.due(2, 10), line("CHOD-100", w.available(w.find("CHOD-100"), w.main)+40))          // partly allocated
	w.request(w.due(1, 10), api.OutboundLineInput{ProductID: w.newItem.ID, RequestedQuantity: 12}) // backordered
	picked := w.request(w.due(0, 16), line("GLA-500", 6))
	call(w, api.PickOutbound, handle(picked, 6))
	half := w.request(w.due(0, 16), line("MUGW-250", 8))
	call(w, api.PickOutbound, handle(half, 4))
	packed := w.request(w.due(0, 15), line("OAT-1L", 12))
	call(w, api.PickOutbound, handle(packed, 12))
	call(w, api.PackOutbound, handle(packed, 12))
	packing := w.request(w.due(0, 15), line("SOY-1L", 12))
	call(w, api.PickOutbound, handle(packing, 12))
	call(w, api.PackOutbound, handle(packing, 6))
	sent, q := w.request(w.due(3, 9), line("OAT-1L", 24)), int64(12)
	call(w, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: sent.ID, Quantity: &q})
	w.finish(w.request(w.due(0, 9), line("TEAEG-20", 2)))
	cancelled := w.request(w.due(4, 9), line("COF-500", 2))
	call(w, api.CancelOutbound, api.OutboundInput{OutboundID: cancelled.ID})
	w.request(w.due(28, 9), line("OAT-1L", 48))
}

// states moves stock into every visible state.
func (w *generator) states() {
	move := func(sku string, q int64, to api.State, why string) {
		call(w, api.MoveStock, api.MoveStockInput{StockKey: api.StockKey{ProductID: w.find(sku).ID, LocationID: w.main.ID}, Quantity: q,
			SourceState: api.MovableState(api.Available), DestinationState: api.MovableState(to), Reason: why})
	}
	move("OAT-1L", 4, api.Damaged, "leaking")
	move("OAT-1L", 20, api.QualityControl, "sample of the new lot")
	move("COF-500", 6, api.SafetyStock, "kept back for the store")
	move("MUGW-250", 3, api.Damaged, "chipped")
}
