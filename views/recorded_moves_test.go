package views_test

import (
	"fmt"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/views/session"
)

func (c *recordedCase) transfer(p recordedProduct) api.Transfer {
	return ledgertest.Do(c.World, api.CreateTransfer, api.CreateTransferInput{ProductID: p.ID, SourceLocationID: c.Main.ID, DestinationLocationID: c.Depot.ID, Quantity: c.upTo(8)}).Transfer
}

// ship ships part of a transfer.
func (c *recordedCase) ship(tr api.Transfer, p recordedProduct) {
	q := c.upTo(4)
	in := api.MoveTransferInput{TransferID: tr.ID, Quantity: &q}
	switch {
	case len(p.serials) > 0:
		in.Quantity, in.SerialNumbers = nil, []string{c.one(p.serials)}
	case len(p.lots) > 0 && !c.chance(3):
		in.LotID = c.lotID(p, c.one(p.lots))
	}
	try(c, api.ShipTransfer, in)
}

func (c *recordedCase) shipTransfer() {
	p := c.products[c.r.IntN(len(c.products))]
	tr := c.transfer(p)
	for range c.r.IntN(2) {
		c.ship(tr, p)
	}
	c.site.others(func() { c.ship(tr, p) })
	c.open("ship/" + tr.ID.String())
	c.count([]recordedProduct{p})
	c.bookPanel("ship", p, -1)
}

func (c *recordedCase) receiveTransfer() {
	p := c.products[c.r.IntN(len(c.products))]
	tr := c.transfer(p)
	for range c.upTo(3) {
		c.ship(tr, p)
	}
	c.site.others(func() { try(c, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID}) })
	c.Site.SetLocation(session.LocationOfPlace(&c.Depot))
	defer c.Site.SetLocation(session.LocationOfPlace(&c.Main))
	c.open("receive-transfer/" + tr.ID.String())
	c.count([]recordedProduct{p})
	c.markDamaged()
	c.bookPanel("receive-transfer", p, 1)
}

// receiveInbound receives known and new lots and serials.
func (c *recordedCase) receiveInbound() {
	p := c.products[c.r.IntN(len(c.products))]
	if len(p.lots) > 0 {
		p.lots = append(p.lots, fmt.Sprintf("N1-%d", c.seed), fmt.Sprintf("N2-%d", c.seed))
	}
	if len(p.serials) > 0 {
		p.serials = append(p.serials, fmt.Sprintf("T1-%d", c.seed), fmt.Sprintf("T2-%d", c.seed), fmt.Sprintf("T3-%d", c.seed))
	}
	in := ledgertest.Do(c.World, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: p.ID, LocationID: c.Main.ID}, ExpectedQuantity: c.upTo(6)}).Inbound
	c.site.others(func() {
		try(c, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 1, NewLot: api.NewLot{LotCode: "L8"}})
	})
	c.open("receive/" + in.ID.String())
	c.count([]recordedProduct{p})
	if n := c.upTo(9); len(p.serials) == 0 && c.chance(3) {
		c.note("type %d and accept what is over", n)
		c.d.enter(fmt.Sprint(n))
		if c.d.asksToAccept() {
			c.d.wait()
			c.d.press("f8")
		}
		c.settle()
	}
	c.markDamaged()
	c.bookPanel("receive", p, 1)
}

// markDamaged marks some of what is counted as damaged.
func (c *recordedCase) markDamaged() {
	l := c.d.shown()
	if l.quantity == 0 || !c.chance(2) {
		return
	}
	c.note("mark damaged")
	c.d.press("f4")
	if len(l.serials) > 0 {
		c.d.scan(c.one(l.serials))
		c.d.press("esc")
	} else {
		c.d.enter(fmt.Sprint(c.upTo(int(l.quantity))))
	}
	c.settle()
}

// bookPanel books what is counted on the current line.
func (c *recordedCase) bookPanel(kind string, p recordedProduct, sign int64) {
	c.kind = kind
	l := c.d.shown()
	if l.sku = p.SKU; l.quantity == 0 {
		return
	}
	c.note("book %+v", l)
	c.book("enter")
	damaged := l
	l.quantity += l.over
	c.requireRecorded([]shownLine{l}, c.moved(api.OnHand, sign))
	if damaged.quantity, damaged.serials = damaged.damaged, nil; damaged.damaged > 0 && !c.partly {
		c.requireRecorded([]shownLine{damaged}, c.moved(api.Damaged, 1))
	}
}

// changeStock removes stock, moves it to damaged, or disassembles kits, which changes the
// quantity in a state.
func (c *recordedCase) changeStock(route string, state api.State) {
	p := c.products[c.r.IntN(len(c.products))]
	if route == "kit" {
		p = c.kit()
	}
	c.kind = route
	c.open(route + "/" + p.SKU + "@WH-1")
	c.count([]recordedProduct{p})
	if c.d.shown().quantity == 0 {
		if route == "kit" {
			c.d.scan("]C1010" + p.gtin + "10" + p.lots[0])
		} else {
			c.d.enter("1")
		}
		c.settle()
	}

	l := c.d.shown()
	if l.sku = p.SKU; l.quantity == 0 {
		return
	}
	c.note("book %+v", l)
	c.d.wait()
	for range 4 { // the reason and the confirmation
		c.d.press("enter")
		if c.d.dialog() == "" {
			break
		}
	}
	if fault := c.d.fault(); fault != "" {
		c.note("  %s", fault)
		c.require(len(c.recorded()) == 0, "refused (%s), but recorded", fault)
		return
	}
	c.require(len(c.recorded()) > 0 || c.d.said() != "", "neither recorded nor refused")
	c.site.sync(c)
	c.requireRecorded([]shownLine{l}, only(c.moved(state, -1), p.SKU))
}

// only returns the part of a record that is about a product.
func only(r record, sku string) record {
	for key := range r.lots {
		if key.sku != sku {
			delete(r.lots, key)
		}
	}
	return r
}

// kit creates a kit by lot with stock of two lots.
func (c *recordedCase) kit() recordedProduct {
	p := recordedProduct{gtin: gtin13(int64(c.seed%10_000_000)*10 + 9), lots: []string{fmt.Sprintf("K1-%d", c.seed), fmt.Sprintf("K2-%d", c.seed)}}
	sku := fmt.Sprintf("K%d", c.seed)
	p.Product = ledgertest.Do(c.World, api.CreateProduct, api.CreateProductInput{SKU: sku, Name: "Kit " + sku, Tracking: api.TrackLot,
		Barcodes: []string{p.gtin}, Components: []api.Component{{ProductID: c.products[2].ID, Quantity: 2}}})
	for _, lot := range p.lots {
		c.Receive(p.ID, c.Main.ID, c.upTo(6), lot)
	}
	c.products = append(c.products, p)
	return p
}
