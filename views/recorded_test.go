package views_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"

	"bincard/server/api"
	"bincard/server/budget"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/views"
	"bincard/views/settings"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// TestScans_AreRecorded brings random documents into random states, scans random labels
// on the real screens and books. The lots and serials of the movements must be those that
// the screen showed, or the booking must be refused with a message and record nothing.
//
// The seed of a failed case is printed; BINCARD_SEED and BINCARD_CASES=1 repeat it.
func TestScans_AreRecorded(t *testing.T) {
	t.Parallel()
	runRecorded(t, budget.RecordedScans, onScreen)
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
	reg := tui.NewRegistry().Add("home", "Home", viewtest.NewBlankScreen)
	views.Register(reg, h.Site, settings.Hooks{})
	return reg
}

// runSeeds runs a case for each seed. The cases of a batch share a ledger, and newLedger
// returns what sets a case of it up.
func runSeeds(t *testing.T, b budget.Budget, batch int,
	newLedger func(*testing.T) func(*recordedCase), run func(*recordedCase)) (cases int) {
	t.Helper()
	cases = b.Cases(t)
	first := budget.Seed(t)
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
func runRecorded(t *testing.T, b budget.Budget, newLedger func(*testing.T) func(*recordedCase)) {
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

func (c *recordedCase) run() {
	defer func() {
		if c.t.Failed() {
			c.t.Logf("BINCARD_SEED=%d BINCARD_CASES=1", c.seed)
			for _, line := range c.log {
				c.t.Log(line)
			}
			if c.d != nil {
				c.t.Log("\n" + c.d.view())
			}
		}
	}()
	defer func() {
		if c.closing != nil {
			c.closing()
		}
	}()
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
	c.note("%s %+v: %v", op.ID, in, err)
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
