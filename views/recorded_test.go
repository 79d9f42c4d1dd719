package views_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/server/testenv"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views"
	"bincard/views/session"
	"bincard/views/settings"
	"bincard/views/viewtest"
)

// TestScans_AreRecorded brings random documents into random states, scans random labels
// on the real screens and books. The lots and serials of the movements must be those that
// the screen showed, or the booking must be refused with a message and record nothing.
//
// The seed of a failed case is printed; BINCARD_SEED and BINCARD_CASES=1 repeat it.
func TestScans_AreRecorded(t *testing.T) {
	t.Parallel()
	runRecorded(t, testenv.RecordedScans, onScreen)
}

// onScreen returns what sets a case up on a screen.
func onScreen(t *testing.T) func(*recordedCase) {
	h := viewtest.NewWarehouse(t)
	reg := jobRegistry(h)
	return func(c *recordedCase) { c.Warehouse, c.reg = h, reg }
}

// jobRegistry returns the registry of a warehouse with an empty first screen, because the
// numbers of the real one take a third of the time of a case.
func jobRegistry(h *viewtest.Warehouse) *tui.Registry {
	reg := tui.NewRegistry().Add("home", "Home", tuitest.NewBlankScreen)
	views.Register(reg, h.Site, settings.Hooks{})
	return reg
}

// runSeeds runs a case for each seed. The cases of a batch share a ledger, and newLedger
// returns what sets a case of it up.
func runSeeds(t *testing.T, b testenv.Budget, batch int,
	newLedger func(*testing.T) func(*recordedCase), run func(*recordedCase)) (cases int) {
	t.Helper()
	cases = b.Cases(t)
	first := testenv.Seed(t)
	for start := 0; start < cases; start += batch {
		t.Run(fmt.Sprint("seed ", first+uint64(start)), func(t *testing.T) {
			t.Parallel()
			setUp := newLedger(t)
			for i := start; i < min(start+batch, cases); i++ {
				seed := first + uint64(i)
				c := &recordedCase{t: t, seed: seed, r: rand.New(rand.NewPCG(seed, 0))}
				setUp(c)
				if run(c); t.Failed() {
					return
				}
			}
		})
	}
	return cases
}

// allRecorded is a number of cases in which each kind of booking is recorded.
const allRecorded = 200

// runRecorded runs random documents.
func runRecorded(t *testing.T, b testenv.Budget, newLedger func(*testing.T) func(*recordedCase)) {
	t.Helper()
	results := recordedResults{recorded: map[string]int{}, refused: map[string]int{}}
	cases := runSeeds(t, b, 50, newLedger, func(c *recordedCase) {
		c.results = &results
		c.run()
	})

	t.Cleanup(func() {
		t.Logf("%d cases; recorded: %v; refused: %v", cases, results.recorded, results.refused)
		if t.Failed() || cases < allRecorded {
			return
		}
		for _, kind := range []string{"fulfill", "pick", "pack", "ship", "receive-transfer", "receive", "adjust", "move", "kit"} {
			require.Positive(t, results.recorded[kind], "no case of %s was recorded", kind)
		}
	})
}

// A recordedResults counts the cases that recorded something and those that were refused,
// by kind.
type recordedResults struct {
	mu                sync.Mutex
	recorded, refused map[string]int
}

// A recordedCase is a document with products of its own, and a terminal that books it.
type recordedCase struct {
	*viewtest.Warehouse
	t    *testing.T
	r    *rand.Rand
	seed uint64
	reg  *tui.Registry
	d    terminal

	plain   bool         // the terminal is in line mode
	closing func()       // closes the terminal; may be nil
	site    *offlineSite // nil unless the terminal has an offline node

	results *recordedResults
	kind    string // what is booked

	log      []string // what was done, for the failure message
	products []recordedProduct
	known    map[api.ID]bool // movements before the booking
	partly   bool            // a later step of the booking was refused
	changed  bool            // others changed the stock after the booking, before the sync
}

type recordedProduct struct {
	api.Product
	gtin    string
	lots    []string
	serials []string
}

// end closes the terminal, and logs what was done if the case failed.
func (c *recordedCase) end() {
	if c.closing != nil {
		c.closing()
	}
	if !c.t.Failed() {
		return
	}
	c.t.Logf("BINCARD_SEED=%d BINCARD_CASES=1", c.seed)
	for _, line := range c.log {
		c.t.Log(line)
	}
	if c.d != nil {
		c.t.Log("\n" + c.d.view())
	}
}

func (c *recordedCase) run() {
	defer c.end()
	c.known = map[api.ID]bool{}
	c.stock()
	switch c.seed % 13 { // some cases in a row are of all kinds
	case 0:
		c.receiveInbound()
	case 1, 2:
		c.shipTransfer()
	case 3, 4:
		c.receiveTransfer()
	case 5:
		c.changeStock("adjust", api.OnHand)
	case 6:
		c.changeStock("move", api.Available)
	case 7:
		c.changeStock("kit", api.OnHand)
	case 8:
		c.fulfillOutbound("f4")
	case 9:
		c.fulfillOutbound("f5")
	default:
		c.fulfillOutbound("enter")
	}
}

func (c *recordedCase) note(format string, args ...any) {
	c.log = append(c.log, fmt.Sprintf(format, args...))
}

// require ends the case as failed unless ok.
func (c *recordedCase) require(ok bool, format string, args ...any) {
	if !ok {
		require.Fail(c.t, fmt.Sprintf(format, args...))
	}
}

func (c *recordedCase) upTo(n int) int64         { return int64(1 + c.r.IntN(n)) }
func (c *recordedCase) chance(of int) bool       { return c.r.IntN(of) == 0 }
func (c *recordedCase) one(list []string) string { return list[c.r.IntN(len(list))] }

// try performs a write that may be refused.
func try[I, O any](c *recordedCase, op api.Operation[I, O], in I) (O, bool) {
	out, err := op.Call(c.t.Context(), c.Service, in)
	c.note("%s %+v: %v", op.Spec.ID, in, err)
	return out, err == nil
}

// stock creates a product by lot, one by serial and one untracked, with stock at WH-1.
func (c *recordedCase) stock() {
	for i, tracking := range []api.Tracking{api.TrackLot, api.TrackSerial, ""} {
		p := recordedProduct{gtin: gtin13(int64(c.seed%10_000_000)*10 + int64(i))}
		sku := fmt.Sprintf("%c%d", 'A'+i, c.seed)
		p.Product = ledgertest.Do(c.World, api.CreateProduct, api.CreateProductInput{SKU: sku, Name: "Item " + sku, Tracking: tracking, Barcodes: []string{p.gtin}})
		switch tracking {
		case api.TrackLot:
			for n := range c.upTo(3) {
				p.lots = append(p.lots, fmt.Sprintf("L%d-%d", n+1, c.seed))
				c.Receive(p.ID, c.Main.ID, c.upTo(8), p.lots[n])
			}
		case api.TrackSerial:
			lots := []string{""}
			if c.chance(2) {
				lots = []string{fmt.Sprintf("M1-%d", c.seed), fmt.Sprintf("M2-%d", c.seed)}
				p.lots = lots
			}
			for n := range 1 + c.upTo(4) {
				p.serials = append(p.serials, fmt.Sprintf("S%d-%d", n+1, c.seed))
				c.Receive(p.ID, c.Main.ID, 1, c.one(lots), p.serials[n])
			}
		default:
			c.Stock(p.ID, c.Main.ID, 2+c.upTo(8))
		}
		c.products = append(c.products, p)
	}
}

// gtin13 returns a trade item number with a check digit.
func gtin13(n int64) string {
	digits := fmt.Sprintf("20%010d", n)
	sum := 0
	for i, d := range digits {
		sum += int(d-'0') * (1 + 2*(i%2))
	}
	return digits + strconv.Itoa((10-sum%10)%10)
}

// open opens a screen, and remembers what was recorded before.
func (c *recordedCase) open(route string) {
	c.site.begin(c)
	for _, m := range c.movements() {
		c.known[m.ID] = true
	}
	c.note("open %s", route)
	if c.plain {
		c.d = newLineTerminal(c, route)
		return
	}
	d := c.Terminal(c.t, c.reg, func(o *shell.Options) { o.Start = []string{"home", route} }).Size(200, 60)
	c.d = &screenTerminal{d, c.seed}
}

// movements returns the movements of the case's products, from the explanations of their
// balances: at the service, or at the node until the case is synced.
func (c *recordedCase) movements() []api.Movement { return c.movementsAt(c.site.ledger(c)) }

func (c *recordedCase) movementsAt(svc api.Service) (out []api.Movement) {
	limit := int64(500)
	for _, p := range c.products {
		list, err := api.ListBalances.Call(c.t.Context(), svc, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: p.ID}})
		require.NoError(c.t, err)
		for _, b := range list.Items {
			page, err := api.ExplainBalance.Call(c.t.Context(), svc, api.ExplainBalanceInput{BalanceID: b.ID, HistoryPage: api.HistoryPage{Limit: &limit}})
			require.NoError(c.t, err)
			out = append(out, page.Movements...)
		}
	}
	return out
}

// recorded returns the movements since the screen was opened.
func (c *recordedCase) recorded() (out []api.Movement) {
	for _, m := range c.movements() {
		if !c.known[m.ID] {
			out = append(out, m)
		}
	}
	return out
}

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

// handle picks, packs, puts back or fulfills part of an order.
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
	switch c.r.IntN(7) {
	case 0, 1, 2:
		in.Swap = c.chance(4)
		try(c, api.PickOutbound, in)
	case 3, 4:
		if c.chance(2) {
			in = api.HandleOutboundInput{OutboundID: o.ID}
		}
		try(c, api.PackOutbound, in)
	case 5:
		try(c, api.UnpickOutbound, in)
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
			if strings.Contains(fault, "is in transit, not") { // nothing is counted now
				return
			}
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
		for lot, n := range l.lots {
			got.lots[recordedLot{l.sku, lot}] -= n
			l.quantity -= n
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
	if strings.Contains(c.d.view(), "What damaged them?") {
		c.d.enter("1")
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
