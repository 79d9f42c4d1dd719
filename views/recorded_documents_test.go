package views_test

import (
	"encoding/json"
	"strings"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// fulfillOutbound books an order that is allocated, picked, packed or fulfilled in part.
// The key picks, packs or fulfills it.
func (c *recordedCase) fulfillOutbound(key string) {
	in := api.CreateOutboundInput{LocationID: c.Main.ID}
	var ordered []recordedProduct
	for range c.upTo(3) {
		p := c.products[c.r.IntN(len(c.products))]
		if c.chance(2) {
			p = c.products[0]
		}
		ordered = append(ordered, p)
		in.Lines = append(in.Lines, api.OutboundLineInput{ProductID: p.ID, RequestedQuantity: c.upTo(6)})
	}
	o := ledgertest.Do(c.World, api.CreateOutbound, in).Outbound
	c.note("order %+v", in.Lines)
	c.site.others(func() { c.handle(o, ordered[c.r.IntN(len(ordered))]) })
	for range c.r.IntN(map[string]int{"enter": 5, "f4": 2, "f5": 2}[key]) {
		c.handle(o, ordered[c.r.IntN(len(ordered))])
	}
	if key == "f5" { // only what is picked can be packed
		try(c, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID})
	}
	c.open("fulfill/" + o.ID.String())
	c.count(ordered, "f10", "down", "up")
	shown := c.readLines(len(o.Lines))
	if len(shown) == 0 {
		c.note("press +")
		c.d.press("+")
		c.settle()
		shown = c.readLines(len(o.Lines))
	}
	if len(shown) == 0 {
		return // booking would pick or pack everything
	}

	c.note("book by %s: %+v", key, shown)
	c.book(key)
	switch c.kind = "fulfill"; key {
	case "f4":
		c.kind = "pick"
		c.requireRecorded(shown, c.handled(api.OpOutboundPick, "picked"))
	case "f5":
		c.kind = "pack"
		c.requireRecorded(shown, c.handled(api.OpOutboundPack, "packed"))
	default:
		c.requireRecorded(shown, c.moved(api.OnHand, -1))
	}
}

// handle picks, packs or fulfills part of an order.
func (c *recordedCase) handle(o api.Outbound, p recordedProduct) {
	q := c.upTo(4)
	in := api.HandleOutboundInput{OutboundID: o.ID, ProductID: p.ID, Quantity: &q}
	switch {
	case len(p.serials) > 0:
		in.Quantity, in.SerialNumbers = nil, []string{c.one(p.serials)}
	case len(p.lots) > 0 && !c.chance(3):
		in.LotID = c.lotID(p, c.one(p.lots))
	case c.chance(2):
		in.Quantity = nil
	}
	switch c.r.IntN(6) {
	case 0, 1, 2:
		in.Swap = c.chance(4)
		try(c, api.PickOutbound, in)
	case 3, 4:
		if c.chance(2) {
			in = api.HandleOutboundInput{OutboundID: o.ID}
		}
		try(c, api.PackOutbound, in)
	default:
		try(c, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, Quantity: in.Quantity, SerialChoice: in.SerialChoice})
	}
}

func (c *recordedCase) lotID(p recordedProduct, code string) api.ID {
	lots := ledgertest.Do(c.World, api.ListLots, api.ListLotsInput{ProductID: p.ID, LotCode: code}).Items
	if len(lots) == 0 {
		return api.ID{}
	}
	return lots[0].ID
}

// book presses a key that books, and syncs an offline node.
func (c *recordedCase) book(keys ...string) {
	c.confirm(keys...)
	c.site.sync(c)
}

// confirm presses a key that books, and swaps lots if the screen offers it. A refusal must
// say so and record nothing.
func (c *recordedCase) confirm(keys ...string) {
	c.d.wait()
	c.d.press(keys...)
	for range 4 {
		if dialog := c.d.dialog(); dialog != "" && len(c.recorded()) == 0 { // another location
			c.note("  %s", dialog)
			c.d.wait()
			c.d.press("enter")
		}
		fault := c.d.fault()
		if fault == "" {
			break
		}
		c.note("  %s", fault)
		if strings.HasPrefix(fault, "Done: ") {
			c.partly = true
			return
		}
		c.require(len(c.recorded()) == 0, "refused (%s), but recorded", fault)
		if strings.Contains(fault, "Press F8") && !c.chance(4) {
			c.note("press f8")
			c.d.wait()
			c.d.press("f8")
			continue
		}
		c.d.wait()
		c.d.press("enter")
		return
	}
	c.require(len(c.recorded()) > 0 || c.d.said() != "", "neither recorded nor refused")
}

// A recordedLot is a lot of a product in movements; the lot is empty without one.
type recordedLot struct{ sku, lot string }

// A record is the quantities and the serials of movements.
type record struct {
	lots    map[recordedLot]int64
	serials map[string]bool
}

// moved returns what was recorded in a state, with a sign.
func (c *recordedCase) moved(state api.State, sign int64) record {
	return c.sum(func(m api.Movement) int64 {
		if m.InventoryState != state {
			return 0
		}
		return sign * m.Quantity
	})
}

// handled returns what was picked or packed.
func (c *recordedCase) handled(op api.MovementOperation, what string) record {
	return c.sum(func(m api.Movement) int64 {
		var note map[string]any
		if m.Operation != op || json.Unmarshal(m.Metadata, &note) != nil || note[what] == nil {
			return 0
		}
		return int64(note[what].(float64))
	})
}

func (c *recordedCase) sum(of func(api.Movement) int64) record {
	out := record{map[recordedLot]int64{}, map[string]bool{}}
	for _, m := range c.recorded() {
		n := of(m)
		if n == 0 {
			continue
		}
		key := recordedLot{sku: m.Product.SKU}
		if m.Lot != nil {
			key.lot = m.Lot.LotCode
		}
		out.lots[key] += n
		for _, s := range m.Serials {
			out.serials[s.SerialNumber] = true
		}
	}
	return out
}

// requireRecorded requires that the record has what was shown, or that nothing was
// recorded. A line without a scanned lot may be of any lot that was shown as held, and of
// any lot if others changed the stock since.
func (c *recordedCase) requireRecorded(shown []shownLine, got record) {
	c.results.mu.Lock()
	defer c.results.mu.Unlock()
	if len(c.recorded()) == 0 {
		c.results.refused[c.kind]++
		return
	}
	c.results.recorded[c.kind]++
	c.note("recorded %+v", got)
	free, held, serials := map[string]int64{}, map[recordedLot]bool{}, 0
	for _, l := range shown {
		for _, s := range l.serials {
			c.require(c.partly || got.serials[s], "serial %s is shown, but not recorded", s)
			serials++
			if c.partly {
				delete(got.serials, s)
			}
		}
		if l.lot != "" {
			got.lots[recordedLot{l.sku, l.lot}] -= l.quantity
			continue
		}
		free[l.sku] += l.quantity
		for _, lot := range l.held {
			held[recordedLot{l.sku, lot}] = true
		}
		if len(l.held) == 0 || len(l.serials) > 0 || c.changed {
			held[recordedLot{l.sku, "*"}] = true
		}
	}
	c.require(serials == 0 || serials == len(got.serials) || c.partly && len(got.serials) == 0, "serials %v recorded", got.serials)
	for key, n := range got.lots {
		c.require(n >= 0 || c.partly, "%d too few of %v recorded", -n, key)
		c.require(n == 0 || n < 0 && c.partly || held[key] || held[recordedLot{key.sku, "*"}], "%d of %v recorded, not shown", n, key)
		free[key.sku] -= max(0, n)
	}
	for sku, n := range free {
		c.require(n == 0 || c.partly && n > 0, "%d of %s shown, but not recorded", n, sku)
	}
}
