package views_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/server/testenv"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/shell"
	"bincard/views/stocktext"

	"github.com/stretchr/testify/require"
)

// TestCounts_AreRecorded counts random stock by random scans on the real screen and posts
// the count: as a worker or not, blind, restarted, counted a second time or approved. The
// stock must then be what was scanned and typed, and what was not counted must be unchanged.
func TestCounts_AreRecorded(t *testing.T) {
	t.Parallel()
	runCounts(t, testenv.RecordedCounts, onScreen)
}

// TestOfflineCounts_AreRecorded runs the cases of TestCounts_AreRecorded on a terminal with a
// node, as TestOfflineScans_AreRecorded does. The service must have the count after the sync.
func TestOfflineCounts_AreRecorded(t *testing.T) {
	t.Parallel()
	runCounts(t, testenv.RecordedOfflineCounts, withNode)
}

// TestPlainCounts_AreRecorded runs the cases of TestCounts_AreRecorded in line mode.
func TestPlainCounts_AreRecorded(t *testing.T) {
	t.Parallel()
	runCounts(t, testenv.RecordedPlainCounts, inLineMode)
}

// runCounts runs random counts.
func runCounts(t *testing.T, b testenv.Budget, newLedger func(*testing.T) func(*recordedCase)) {
	t.Helper()
	runSeeds(t, b, 25, newLedger, func(c *recordedCase) {
		count := countCase{recordedCase: *c}
		count.run()
	})
}

// A countCase is a location of its own, and what a person counted there.
type countCase struct {
	recordedCase
	drafts    tui.Drafts
	worker    bool
	selected  map[string]bool       // by SKU
	counted   map[recordedLot]int64 // what was counted; a missing lot is not counted
	serials   map[string]bool       // the counted serials
	before    map[recordedLot]int64
	elsewhere []string // serials that are not here
}

func (c *countCase) run() {
	defer c.end()
	main := c.Main
	defer func() { c.Main = main }()
	c.Main = ledgertest.Do(c.World, api.CreateLocation, api.CreateLocationInput{Code: fmt.Sprintf("C-%d", c.seed), Name: "Counted", Type: "warehouse"})
	c.stock()
	c.loseSerials()
	c.selected, c.counted, c.serials = map[string]bool{}, map[recordedLot]int64{}, map[string]bool{}
	c.before, c.drafts, c.worker = c.onHand(), drafts.InMemory(), c.chance(2)
	c.known = map[api.ID]bool{}
	c.site.begin(&c.recordedCase)
	for _, m := range c.movements() {
		c.known[m.ID] = true
	}
	c.start()
	for range 1 + c.upTo(12) {
		c.site.change(&c.recordedCase)
		c.step()
	}
	c.post()
}

// loseSerials ships, writes off and receives elsewhere some serials.
func (c *countCase) loseSerials() {
	p := &c.products[1]
	key := api.StockKey{ProductID: p.ID, LocationID: c.Main.ID}
	choice := func(n int) api.SerialChoice { return api.SerialChoice{SerialNumbers: p.serials[n : n+1]} }
	if c.chance(2) {
		ledgertest.Do(c.World, api.FulfillStock, api.FulfillStockInput{StockKey: key, SerialChoice: choice(0)})
		c.elsewhere = append(c.elsewhere, p.serials[0])
	}
	if c.chance(2) {
		ledgertest.Do(c.World, api.WriteOffStock, api.WriteOffStockInput{StockKey: key, SerialChoice: choice(1), Reason: "lost"})
		c.elsewhere = append(c.elsewhere, p.serials[1])
	}
	other := fmt.Sprintf("X1-%d", c.seed)
	if len(p.lots) == 0 {
		c.Receive(p.ID, c.Depot.ID, 1, "", other)
		c.elsewhere = append(c.elsewhere, other)
	}
	c.elsewhere = append(c.elsewhere, fmt.Sprintf("X2-%d", c.seed)) // never received
}

// start opens the count, again with its draft.
func (c *countCase) start() {
	options := func(o *shell.Options) {
		o.Drafts = c.drafts
		if c.worker {
			c.SignIn(o)
		}
	}
	if c.plain {
		if c.closing != nil {
			c.closing()
		}
		c.d = newLineTerminal(&c.recordedCase, "count/"+c.Main.Code, options)
		return
	}
	c.d = &screenTerminal{c.Terminal(c.t, c.reg, options, func(o *shell.Options) { o.Start = []string{"home", "count/" + c.Main.Code} }).Size(200, 60), c.seed}
}

// approve scans the badge that an action asks a worker for.
func (c *countCase) approve() {
	if !strings.Contains(c.d.view(), "A supervisor must approve") {
		return
	}
	c.d.wait()
	if c.plain {
		c.d.enter("EVE-43") // an answer
	} else {
		c.d.scan("EVE-43")
	}
	c.d.wait()
}

func (c *countCase) step() {
	switch c.r.IntN(9) {
	case 0, 1, 2:
		p := c.products[2]
		c.scan(p, recordedLot{sku: p.SKU}, c.one([]string{p.gtin, "]C1010" + p.gtin}))
	case 3, 4:
		p := c.products[0]
		lot := c.one(append(slices.Clone(p.lots), fmt.Sprint("L9-", c.seed)))
		c.scan(p, recordedLot{p.SKU, lot}, "]C1010"+p.gtin+"10"+lot)
	case 5, 6:
		c.scanSerial()
	case 7:
		c.note("restart")
		c.d.press("esc")
		switch d, onScreen := c.d.(*screenTerminal); {
		case c.worker || c.chance(2):
			c.start()
		case onScreen:
			d.Do(tui.Open("count/" + c.Main.Code))
		default:
			c.d.enter("count " + c.Main.Code)
		}
	case 8:
		c.note("blind")
		c.d.press("f4")
		c.approve()
	}
}

// scan scans a label, and may then type a quantity.
func (c *countCase) scan(p recordedProduct, line recordedLot, label string) {
	c.note("scan %q", label)
	view := c.d.view()
	c.scanLabel(label)
	c.require(c.d.fault() == "", "refused: %s", c.d.fault())
	c.require(c.d.view() != view, "the scan shows nothing")
	if c.selected[p.SKU] {
		c.counted[line]++
	} else {
		c.require(strings.Contains(c.d.view(), p.SKU+" selected, 0 counted. Scan again to count."), "the first scan does not say that it selects")
	}
	c.selected[p.SKU] = true
	switch c.r.IntN(4) {
	case 0:
		n := c.r.Int64N(6)
		if c.chance(3) {
			n += 30
		}
		c.note("type %d", n)
		c.d.enter(strconv.FormatInt(n, 10))
		c.counted[line] = n
	case 1:
		if n, ok := c.counted[line]; ok && n > 1 {
			c.note("undo")
			c.d.press("ctrl+z")
			c.counted[line]--
		}
	}
}

// scanLabel scans a label, again if its product is not expected.
func (c *countCase) scanLabel(label string) {
	c.d.wait()
	c.d.scan(label)
	if c.d.asksAgain() {
		c.d.wait()
		c.d.scan(label)
	}
}

func (c *countCase) scanSerial() {
	p := c.products[1]
	number := c.one(append(slices.Clone(p.serials), c.elsewhere...))
	c.note("scan serial %s", number)
	c.scanLabel("]C1010" + p.gtin + "21" + number)
	away := slices.Contains(c.elsewhere, number)
	switch fault := c.d.fault(); {
	case c.serials[number]:
		c.require(strings.Contains(fault, "already counted"), "counted twice: %q", fault)
		c.settle()
		return
	case away && c.chance(2):
		c.require(strings.Contains(fault, "Nothing was counted"), "%s is not here: %q", number, fault)
		c.settle()
		return
	case away:
		c.require(strings.Contains(fault, "Nothing was counted"), "%s is not here: %q", number, fault)
		c.note("accept it as found")
		c.d.wait()
		c.d.press("f8")
		c.approve()
	}
	c.require(c.d.fault() == "", "refused: %s", c.d.fault())
	c.serials[number], c.selected[p.SKU] = true, true
	c.counted[recordedLot{sku: p.SKU}] = int64(len(c.serials))
}

// post reviews the count and posts it.
func (c *countCase) post() {
	if len(c.counted) == 0 {
		return
	}
	again := c.chance(2)
	posted := func() bool { return strings.Contains(c.d.view(), "counted: ") && c.d.dialog() == "" }
	for range 30 {
		if posted() {
			break
		}
		c.d.wait()
		switch {
		case strings.Contains(c.d.fault(), "nothing of it is counted"):
			c.note("leave it uncounted")
			c.d.press("f8")
		case c.d.fault() != "":
			c.require(false, "not posted: %s", c.d.fault())
		case strings.Contains(c.d.dialog(), "Reason?"):
			c.d.enter("checked")
		case again && largeDifference.MatchString(c.d.view()):
			c.countAgain()
			again = !c.worker // who needs another person
		case strings.Contains(c.d.view(), "A supervisor must approve"):
			c.approve()
		default:
			c.d.press("enter")
		}
	}
	c.require(posted(), "not posted")
	c.site.sync(&c.recordedCase)
	c.require(!c.partly, "the service refused the count")
	c.requireStock()
}

// largeDifference matches a line of the review that must be counted again. The screen marks
// the selected line, and line mode numbers the lines.
var largeDifference = regexp.MustCompile(`(?m)^(▸ |(\d+) +)(\S+)(.*) again\r?$`)

// countAgain counts a line with a large difference again, with the same result.
func (c *countCase) countAgain() {
	row := largeDifference.FindStringSubmatch(c.d.view())
	line := recordedLot{sku: row[3]}
	for lot := range c.counted {
		if lot.sku == line.sku && lot.lot != "" && strings.Contains(row[4], " "+lot.lot[:3]) { // a long lot is clipped
			line = lot
		}
	}
	c.note("count %v again: %d", line, c.counted[line])
	c.require(c.counted[line] >= 0 && line.sku != c.products[1].SKU, "a large difference of %v", line)
	if c.plain {
		c.d.enter("#" + row[2])
	}
	c.d.press("f3")
	c.d.enter(strconv.FormatInt(c.counted[line], 10))
	c.d.press("enter")
}

// onHand returns the stock of the case's location by product and lot.
func (c *countCase) onHand() map[recordedLot]int64 {
	out := map[recordedLot]int64{}
	for i, p := range c.products {
		for _, b := range ledgertest.Do(c.World, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: p.ID, LocationID: c.Main.ID}}).Items {
			if i != 0 {
				out[recordedLot{sku: p.SKU}] = b.OnHand
				continue
			}
			for _, lot := range ledgertest.Do(c.World, api.ListLots, api.ListLotsInput{ProductID: p.ID}).Items {
				for _, h := range ledgertest.Do(c.World, api.TraceLot, api.TraceLotInput{LotID: lot.ID}).Holdings {
					if h.BalanceID == b.ID {
						out[recordedLot{p.SKU, lot.LotCode}] = h.OnHand
					}
				}
			}
		}
	}
	return out
}

// requireStock requires that the stock is what was counted, and that a supervisor stands
// behind the large differences of a worker.
func (c *countCase) requireStock() {
	want := maps.Clone(c.before)
	maps.Copy(want, c.counted)
	got := c.onHand()
	for line, n := range want {
		c.require(got[line] == n, "%v: counted %d, before %d, now %d", line, n, c.before[line], got[line])
	}
	if len(c.serials) > 0 {
		for _, s := range ledgertest.Do(c.World, api.ListSerials, api.ListSerialsInput{ProductID: c.products[1].ID}).Items {
			here := s.LocationID == c.Main.ID && s.Status == api.InStock
			c.require(here == c.serials[s.SerialNumber], "serial %s is %s, counted %v", s.SerialNumber, s.Status, c.serials[s.SerialNumber])
		}
	}
	line := recordedLot{sku: c.products[2].SKU}
	if d := got[line] - c.before[line]; c.worker && (d > 10 || -d > 10) {
		moves := c.movements()
		last := moves[slices.IndexFunc(moves, func(m api.Movement) bool {
			return m.Product.SKU == line.sku && m.Quantity == d && m.InventoryState == api.OnHand
		})]
		who := stocktext.MovementActor(nil, &last)
		c.require(who == "Ada, approved by Eve", "%d recorded for %s", d, who)
	}
	require.NotEmpty(c.t, got)
}
