package panel_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/server/testenv"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/inbounds"
	"bincard/views/outbounds"
	"bincard/views/panel"
	"bincard/views/viewtest"
)

// casesOfLedger is how many cases share a ledger.
const casesOfLedger = 25

// TestCountEvents_RecordEachPieceOnce counts and records documents in random events: scans,
// keys, answers that are late, come twice or never, errors, programs that are killed and
// started again, and colleagues. After each event, what is counted or recorded has changed by
// what the operator named and nothing else, and at the end the operator gets rid of
// everything that is counted. A supervisor's approval is that of the approved write alone.
//
// The seed of a failed case is printed; BINCARD_SEED and BINCARD_CASES=1 repeat it.
func TestCountEvents_RecordEachPieceOnce(t *testing.T) {
	t.Parallel()
	cases, first := testenv.CountEvents.Cases(t), testenv.Seed(t)
	for start := 0; start < cases; start += casesOfLedger {
		t.Run(fmt.Sprint("seed ", first+uint64(start)), func(t *testing.T) {
			t.Parallel()
			h := viewtest.NewWarehouse(t)
			for i := start; i < min(start+casesOfLedger, cases) && !t.Failed(); i++ {
				newEventCase(t, h, first+uint64(i)).run()
			}
		})
	}
}

// An eventCase is a document with products of its own, and a terminal that counts it.
type eventCase struct {
	*viewtest.Warehouse
	t    *testing.T
	r    *rand.Rand
	seed uint64
	log  []string

	svc      *lossyService
	drafts   tui.Drafts
	d        *tuitest.Driver
	held     []tea.Cmd // work without an answer
	orphans  []tea.Cmd // of programs that were killed
	notices  int
	route    string
	order    bool // else a delivery
	sign     int64
	products []*eventProduct
	lines    map[string]string // SKU of each line
	ids      map[string]api.ID // of each line of a delivery
	orderID  api.ID
	onlyLine string // the key of the line of an order with one

	before    work
	total     map[string]int64 // pieces of each product, counted or recorded
	ledger    map[string]int64 // recorded by this terminal
	colleague map[string]int64 // recorded by others
	named     []named
	history   []map[string]int64 // earlier counts
	latest    map[string]int64   // the count after those
	undoing   bool
	waiting   bool                      // keys may wait for a scan, or for what was approved
	forgets   bool                      // the event ends what can be undone
	moving    bool                      // the scan that chooses a line waits
	typedOn   string                    // the line that was current when typing began
	wanted    map[string]map[int64]bool // pieces of all scans and numbers, by SKU
	fault     string                    // that was seen last while the case is finished

	approvedOver  map[string]int64
	approvedClose map[string]bool
}

type eventProduct struct {
	api.Product
	stock   int64 // at the start
	lots    []string
	serials []string
}

// sscc is the number of a pallet.
const sscc = "340123450000000017"

// supervisor approves what Ada may not do.
const supervisor, badge = "Eve", "EVE-43"

func newEventCase(t *testing.T, h *viewtest.Warehouse, seed uint64) *eventCase {
	c := &eventCase{Warehouse: h, t: t, seed: seed, r: rand.New(rand.NewPCG(seed, 0)),
		lines: map[string]string{}, ids: map[string]api.ID{}, total: map[string]int64{}, ledger: map[string]int64{}, colleague: map[string]int64{},
		approvedOver: map[string]int64{}, approvedClose: map[string]bool{}, wanted: map[string]map[int64]bool{}}
	c.svc = &lossyService{Service: h.Service, c: c, r: c.r, recorded: map[string]map[string]int64{}, changed: true}
	c.drafts = watchedDrafts{drafts.InMemory(), c}
	c.sign = 1
	if c.order = c.chance(3); c.order {
		c.sign = -1
	}
	return c
}

func (c *eventCase) chance(of int) bool { return c.r.IntN(of) == 0 }
func (c *eventCase) upTo(n int) int64   { return int64(1 + c.r.IntN(n)) }

func (c *eventCase) note(format string, args ...any) {
	c.log = append(c.log, fmt.Sprintf(format, args...))
}

func one[T any](c *eventCase, list []T) T { return list[c.r.IntN(len(list))] }

func (c *eventCase) run() {
	defer func() {
		if !c.t.Failed() {
			return
		}
		c.t.Logf("BINCARD_SEED=%d BINCARD_CASES=1", c.seed)
		for _, line := range c.log {
			c.t.Log(line)
		}
		c.t.Logf("counted or recorded %v, to record %v\n%s", c.total, c.before.toRecord, c.d.View())
	}()

	c.setUp()
	c.start()
	c.svc.faultOf = []int{0, 2, 4}[c.r.IntN(3)]
	c.check()
	for range 10 + c.r.IntN(40) {
		c.event()
		c.check()
	}
	c.finish()
}

// setUp creates the products and the document.
func (c *eventCase) setUp() {
	for i, tracking := range []api.Tracking{"", api.TrackLot, api.TrackSerial} {
		sku := fmt.Sprintf("%c-%06d", 'A'+i, c.seed) // too long to be typed
		p := &eventProduct{Product: ledgertest.Do(c.World, api.CreateProduct, api.CreateProductInput{SKU: sku, Name: "Item " + sku,
			Tracking: tracking, Units: []api.Unit{{UnitCode: "box", Factor: 3, Barcodes: []string{"BX-" + sku}}}})}
		for n := range 4 {
			switch tracking {
			case api.TrackLot:
				p.lots = append(p.lots, fmt.Sprintf("L%d", n))
				if c.order {
					c.Receive(p.ID, c.Main.ID, c.upTo(4), p.lots[n])
				}
			case api.TrackSerial:
				p.serials = append(p.serials, fmt.Sprintf("S%d-%d", n, c.seed))
				if c.order {
					c.Receive(p.ID, c.Main.ID, 1, "", p.serials[n])
				}
			default:
				if c.order {
					c.Stock(p.ID, c.Main.ID, c.upTo(4))
				}
			}
		}
		p.stock = c.onHand(p)
		c.products = append(c.products, p)
	}

	n := int(c.upTo(3))
	if !c.order {
		for range n {
			c.addInbound(one(c, c.products))
		}
		return
	}

	in := api.CreateOutboundInput{LocationID: c.Main.ID}
	for range n {
		in.Lines = append(in.Lines, api.OutboundLineInput{ProductID: one(c, c.products).ID, RequestedQuantity: c.upTo(8)})
	}
	o := ledgertest.Do(c.World, api.CreateOutbound, in).Outbound
	for _, l := range o.Lines {
		c.lines[l.ID.String()] = l.Product.SKU
		c.note("order %d %s", l.RequestedQuantity, l.Product.SKU)
	}
	if n == 1 {
		c.onlyLine = o.Lines[0].ID.String()
	}
	c.orderID, c.route = o.ID, tui.Path("fulfill", o.ID.String())
}

// addInbound adds a line to the delivery. A scan of its pallet that waits counts it, too.
func (c *eventCase) addInbound(p *eventProduct) {
	c.Clock.Advance(time.Millisecond)
	due := tuitest.Noon.Add(time.Hour)
	create := api.CreateInboundInput{StockKey: api.StockKey{ProductID: p.ID, LocationID: c.Main.ID}, ExpectedQuantity: c.upTo(8),
		Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: fmt.Sprint("PO-", c.seed)}, ExpectedAt: &due}
	if len(p.serials) == 0 && c.chance(2) {
		announced := api.Announced{SSCC: sscc}
		if len(p.lots) > 0 {
			expired := tuitest.Noon.Truncate(24*time.Hour).AddDate(0, 0, -1)
			announced.LotCode, announced.ExpiresAt = one(c, p.lots), &expired
		}
		m, err := announced.Metadata()
		require.NoError(c.t, err)
		create.Metadata = m
	}
	in := ledgertest.Do(c.World, api.CreateInbound, create).Inbound
	c.lines[in.ID.String()], c.ids[in.ID.String()] = p.SKU, in.ID
	c.note("expect %d %s", in.ExpectedQuantity, p.SKU)
	for n := range in.ExpectedQuantity {
		if create.Metadata != nil {
			c.named = append(c.named, named{sku: p.SKU, pieces: n + 1})
		}
	}
	if c.route == "" {
		c.route = tui.Path("receive", in.ID.String())
	}
}

// start starts the program.
func (c *eventCase) start() {
	c.Site = c.SiteOf(c.svc)
	reg := tui.NewRegistry().Add("home", "Home", tuitest.NewBlankScreen)
	inbounds.Register(reg, c.Site)
	outbounds.Register(reg, c.Site)
	reg.Add("{a}", "", tuitest.NewBlankScreen).Add("{a}/{b}", "", tuitest.NewBlankScreen)
	c.held = nil
	c.d = c.Terminal(c.t, reg, c.SignIn, viewtest.KeepDrafts(c.drafts), func(o *shell.Options) {
		o.Start = []string{"home", c.route}
		o.OnNotice = func(shell.Notice) { c.notices++ }
	})
}

// open returns the panel of the document, or nil if it is not on top.
func (c *eventCase) open() *panel.CountPanel {
	s, ok := c.d.Model.Top().(interface{ CountPanel() *panel.CountPanel })
	_, id, _ := strings.Cut(c.d.Model.Route(), "/")
	if _, own := c.ids[id]; !ok || !own && id != c.orderID.String() {
		return nil
	}
	return s.CountPanel()
}

// waits reports whether keys may wait for a scan, or for what was approved.
func (c *eventCase) waits() bool {
	c.waiting = c.waiting && !c.d.Model.Idle()
	return c.waiting
}

// key presses a key, and takes the work that it starts.
func (c *eventCase) key(name string) { c.do(func() { c.d.Key(name) }) }

func (c *eventCase) do(fn func()) {
	fn()
	c.held = append(c.held, c.d.Take()...)
}

// event lets one thing happen.
func (c *eventCase) event() {
	if c.moving {
		c.moved()
	}

	p := c.open()
	if p == nil {
		if c.chance(2) {
			c.note("open the document")
			c.do(func() { c.d.Do(tui.Open(c.route)) })
		} else {
			c.background()
		}
		return
	}

	switch n := c.r.IntN(40); {
	case n < 10:
		c.scan(c.label())
	case n < 13:
		c.digit()
	case n < 19:
		c.enter()
	case n < 21:
		c.all()
	case n < 22:
		c.note("press esc")
		c.key("esc")
	case n < 24:
		c.undo()
	case n < 25:
		k := one(c, []string{"up", "down"})
		c.note("press %s", k)
		c.key(k)
		c.moved()
	case n < 27:
		c.damage()
	case n < 28:
		c.lot()
	case n < 29:
		c.closeShort()
	case n < 31:
		c.f8()
	case n < 33:
		c.kill()
	default:
		c.background()
	}
}

// background lets something happen that the operator does not do.
func (c *eventCase) background() {
	switch n := c.r.IntN(10); {
	case n < 1:
		c.note("answers are late")
		c.d.Hold()
	case n < 3:
		c.note("all answers")
		c.release(len(c.held))
		c.do(func() { c.d.Release() })
	case n < 5:
		c.release(1)
	case n < 6:
		if len(c.orphans) > 0 {
			c.note("a request of a killed program arrives")
			c.perform(c.orphans[0])
			c.orphans = c.orphans[1:]
		}
	case n < 8:
		by := one(c, []time.Duration{300 * time.Millisecond, 2 * time.Second, 31 * time.Second})
		c.note("%s later", by)
		c.do(func() { c.d.Advance(by) })
	default:
		c.other()
	}
}

// release lets n answers come, in any order, some of them twice.
func (c *eventCase) release(n int) {
	for range min(n, len(c.held)) {
		at := c.r.IntN(len(c.held))
		cmd := c.held[at]
		c.held = slices.Delete(c.held, at, at+1)
		c.note("an answer")
		c.do(func() { c.d.Do(cmd) })
		if c.chance(8) {
			c.note("the same answer")
			c.check()
			c.do(func() { c.d.Do(cmd) })
		}
	}
}

// perform lets the service get a request whose answer nobody gets.
func (c *eventCase) perform(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	if group, ok := cmd().(tea.BatchMsg); ok {
		for _, more := range group {
			c.perform(more)
		}
	}
}

// kill kills the program and starts it again.
func (c *eventCase) kill() {
	c.note("kill the program")
	for _, cmd := range c.held {
		switch c.r.IntN(3) {
		case 0:
			c.perform(cmd)
		case 1:
			c.orphans = append(c.orphans, cmd)
		}
	}
	c.check() // the service may have recorded more
	c.start()
	c.named, c.forgets, c.typedOn, c.waiting = c.pending(), true, "", false
}

// pending returns what requests of killed programs may still record.
func (c *eventCase) pending() []named {
	return slices.DeleteFunc(c.named, func(n named) bool { return !n.sent })
}

// other lets a colleague change the document.
func (c *eventCase) other() {
	before := map[string]int64{}
	for _, p := range c.products {
		before[p.SKU] = c.onHand(p)
	}
	keys := slices.SortedFunc(maps.Keys(c.lines), func(a, b string) int { return strings.Compare(c.lines[a]+a, c.lines[b]+b) })
	line := one(c, keys)
	id := c.ids[line]
	p := c.products[c.lines[line][0]-'A']
	note := func(what string, err error) { c.note("a colleague: %s %s: %v", what, p.SKU, err) }
	switch n := c.r.IntN(8); {
	case c.order && n < 5:
		q := c.upTo(3)
		_, err := api.FulfillOutbound.Call(c.t.Context(), c.Service, api.FulfillOutboundInput{OutboundID: c.orderID, Quantity: &q})
		note("fulfills", err)
	case c.order:
		q := c.upTo(2)
		_, err := api.FulfillStock.Call(c.t.Context(), c.Service, api.FulfillStockInput{StockKey: api.StockKey{ProductID: p.ID, LocationID: c.Main.ID}, Quantity: &q})
		note("takes stock of", err)
	case n < 5:
		in := api.ReceiveInboundInput{InboundID: id, Quantity: c.upTo(3)}
		if len(p.lots) > 0 {
			in.NewLot = api.NewLot{LotCode: one(c, p.lots)}
		}
		if len(p.serials) > 0 {
			in.Quantity = 1
			in.Serials = []api.SerialInput{{SerialNumber: one(c, p.serials)}}
		}
		_, err := api.ReceiveInbound.Call(c.t.Context(), c.Service, in)
		note("receives", err)
	case n < 7:
		_, err := api.CloseInbound.Call(c.t.Context(), c.Service, api.CloseInboundInput{InboundID: id, Reason: "lost"})
		note("closes", err)
	default:
		c.addInbound(one(c, c.products))
	}
	for _, p := range c.products {
		c.colleague[p.SKU] += c.sign * (c.onHand(p) - before[p.SKU])
	}
	c.svc.changed = true
}

// label returns a random label, with the product and the pieces that it names.
func (c *eventCase) label() (label string, of named) {
	p := one(c, c.products)
	of = named{sku: p.SKU, pieces: 1}
	switch n := c.r.IntN(10); {
	case n == 0 && c.chance(2):
		return "]C100" + sscc, named{}
	case n == 0:
		return "X" + p.SKU, named{}
	case n < 3:
		of.pieces = 3
		if len(p.serials) > 0 {
			of.pieces = 0
		}
		return "BX-" + p.SKU, of
	case len(p.lots) > 0 && n < 5:
		return "]C110" + one(c, p.lots), named{}
	case len(p.lots) > 0 && n < 6:
		return "]C117261119240" + p.SKU + "\x1d10" + one(c, p.lots), of // expired
	case len(p.lots) > 0 && n < 9:
		return "]C1240" + p.SKU + "\x1d10" + one(c, p.lots), of
	case len(p.serials) > 0 && n < 6:
		return one(c, p.serials), of
	case len(p.serials) > 0 && n < 9:
		return "]C1240" + p.SKU + "\x1d21" + one(c, p.serials), of
	}
	if len(p.serials) > 0 {
		of.pieces = 0
	}
	return p.SKU, of
}

func (c *eventCase) scan(label string, of named) {
	c.note("scan %q", label)
	c.nameSerials()
	if of.pieces > 0 {
		c.named = append(c.named, of)
	}
	if strings.HasSuffix(label, sscc) {
		c.namePallet()
	}
	c.want(of)
	c.waiting = true
	said := c.notices
	c.do(func() { c.d.Scan(label) })
	if len(c.held) == 0 && c.d.Model.Idle() {
		require.Greater(c.t, c.notices, said, "the scan was neither counted nor refused")
		if c.chance(3) && c.d.Model.Fault() != "" {
			waiting := slices.Clone(c.named)
			c.meanwhile()
			c.named = append(c.named, waiting...)
			c.note("scan it again")
			c.do(func() { c.d.Advance(2 * time.Second).Scan(label) }) // it may be asked for again
		}
	}
	c.moved()
}

func (c *eventCase) want(of named) {
	if c.wanted[of.sku] == nil {
		c.wanted[of.sku] = map[int64]bool{}
	}
	c.wanted[of.sku][of.pieces] = true
}

// namePallet names what may be left of the pallet by then.
func (c *eventCase) namePallet() {
	for _, l := range c.open().Lines {
		for n := range l.Pending {
			if l.Announced.SSCC == sscc {
				c.named = append(c.named, named{sku: l.Item.SKU, pieces: n + 1})
			}
		}
	}
}

// nameSerials notes that any text may be a serial number of the line that is current when a
// scan is counted.
func (c *eventCase) nameSerials() {
	for _, l := range c.open().Lines {
		if l.BySerial() {
			c.named = append(c.named, named{sku: l.Item.SKU, pieces: 1})
			return // there is one such product
		}
	}
}

// moved notes that the operator chose a line: what is typed is meant for it, once the scan that
// chose it is counted.
func (c *eventCase) moved() {
	c.moving = c.waits()
	if p := c.open(); p != nil && p.Typed() != "" && !c.moving {
		c.typedOn = p.Line().Key
	}
}

func (c *eventCase) digit() {
	if c.waits() {
		return
	}
	p, key := c.open(), strconv.Itoa(c.r.IntN(10))
	before := p.Typed()
	c.note("type %s", key)
	c.key(key)
	if p = c.open(); p != nil && before == "" && p.Typed() != "" {
		c.typedOn = p.Line().Key
	}
}

// counted returns what is counted of a line, and how much of it is of another lot.
func (c *eventCase) counted(line string) (n, others int64) {
	count := c.before.counts[line]
	for _, lot := range count.Lots {
		others += lot.Quantity
	}
	return count.Quantity + count.OverReceipt, others
}

func (c *eventCase) enter() {
	p := c.open()
	if text := p.Typed(); text != "" {
		if c.waits() {
			return
		}
		n, err := strconv.ParseInt(text, 10, 64)
		require.NoError(c.t, err)
		counted, others := c.counted(c.typedOn)
		if n > 0 {
			n += others
		}
		set := named{sku: c.lines[c.typedOn], pieces: n - counted}
		c.want(set)
		set.once = true
		c.named = append(c.named, set)
	}
	c.note("press enter (%s of %s)", p.Typed(), c.lines[c.typedOn])
	c.key("enter")
}

// all counts the rest of the line, or of an order.
func (c *eventCase) all() {
	if c.waits() {
		return
	}
	p := c.open()
	key := "+"
	if c.order && c.chance(3) {
		key = "f10"
		counts := maps.Clone(c.before.toRecord)
		for _, l := range p.Lines {
			if l.BySerial() {
				continue
			}
			c.named = append(c.named, named{sku: l.Item.SKU, pieces: l.Remaining(), once: true})
			c.history = append(c.history, maps.Clone(counts)) // each line is a change
			counts[l.Key] += l.Remaining()
		}
	} else {
		l := p.Line()
		n, _ := c.counted(l.Key)
		c.named = append(c.named, named{sku: l.Item.SKU, pieces: l.Pending - n, once: true})
	}
	c.note("press %s", key)
	c.key(key)
}

func (c *eventCase) undo() {
	if c.waits() {
		return
	}
	c.note("undo")
	c.undoing = true
	c.key("ctrl+z")
	c.moved()
}

// meanwhile lets something happen while the operator answers a question.
func (c *eventCase) meanwhile() {
	c.check()
	if c.chance(3) {
		c.background()
		c.check()
	}
}

// answer types an answer to what a dialog asks.
func (c *eventCase) answer(text string) {
	c.meanwhile()
	if c.d.Model.Dialog() == "" {
		return
	}
	c.do(func() { c.d.Advance(time.Second).Type(text) })
	c.meanwhile()
	c.key("enter")
}

// damage says that some pieces are damaged.
func (c *eventCase) damage() {
	if c.order || c.waits() { // F4 picks an order
		return
	}
	c.note("damage")
	c.key("f4") // which may go back to the line that is counted
	defer c.moved()
	if c.d.Model.Dialog() != "" {
		c.answer(strconv.Itoa(c.r.IntN(4)))
		return
	}
	c.meanwhile()
	if c.open() == nil {
		return
	}
	c.nameSerials()
	c.do(func() { c.d.Scan(one(c, c.products[2].serials)) })
	c.check()
	if c.chance(2) {
		c.key("esc")
	}
}

// lot types a lot.
func (c *eventCase) lot() {
	if c.waits() || c.d.Model.Dialog() != "" || c.d.Model.Fault() != "" {
		return
	}
	c.note("type a lot")
	c.key("f7")
	for range 2 {
		c.meanwhile()
		if c.open() == nil {
			return
		}
		c.do(func() { c.d.Type("L1") })
		c.check()
		c.key("enter")
	}
}

// approve lets the supervisor approve what changes may be of, and reports whether it was asked.
func (c *eventCase) approve(of ...named) bool {
	c.meanwhile()
	asked := strings.Contains(c.d.View(), "A supervisor must approve")
	if asked {
		c.waiting = true
		c.named = append(c.named, of...)
		c.do(func() { c.d.Scan(badge) })
	}
	return asked
}

// closeShort closes the line, or all lines that nothing is counted of.
func (c *eventCase) closeShort() {
	if c.order || c.waits() {
		return
	}
	p, key := c.open(), "f5"
	lines := []string{p.Line().Key}
	if len(p.Lines) > 1 && c.chance(3) {
		key, lines = "f10", nil
		for _, l := range p.Lines {
			lines = append(lines, l.Key)
		}
	}
	c.note("close short: %s", key)
	c.key(key)
	if !c.approve() {
		return
	}
	for _, l := range lines {
		c.approvedClose[l] = true
	}
	c.answer("lost")
}

var accepts = regexp.MustCompile(`F8 accept (\d+) extra`)

// f8 does what F8 is for.
func (c *eventCase) f8() {
	w, view := c.before, c.d.View()
	switch extra := accepts.FindStringSubmatch(view); {
	case extra != nil:
		p := c.open()
		n, err := strconv.ParseInt(extra[1], 10, 64)
		require.NoError(c.t, err)
		line := p.Line().Key
		c.note("accept %d extra of %s", n, c.lines[line])
		asked := named{sku: c.lines[line], once: true, asked: true}
		c.key("f8")
		if c.approve(asked) {
			c.approvedOver[line] += n
		}
		if strings.Contains(c.d.Model.Dialog(), "more than ten times") {
			c.do(func() { c.d.Advance(time.Second) })
			c.key("enter")
		}
		c.meanwhile()
		c.answerNamed("found", asked)

	case strings.Contains(view, "then count this lot"):
		c.note("record the lot first")
		c.named = append(c.named, named{sku: c.products[1].SKU, pieces: 1, kept: true})
		c.namePallet()
		c.waiting = true
		c.key("f8")
	case c.d.Model.Fault() == "" && w.submission.Unfinished():
		c.note("discard or skip")
		c.forgets = true
		c.nameDiscarded()
		c.key("f8")
		c.check()
		if c.d.Model.Dialog() != "" {
			c.meanwhile()
			c.nameDiscarded()
			c.forgets = true
			c.do(func() { c.d.Advance(time.Second) })
			c.key("enter")
		}
	}
}

// answerNamed is answer, for a change that comes with the last key.
func (c *eventCase) answerNamed(text string, last named) {
	c.do(func() { c.d.Advance(time.Second) })
	if c.d.Model.Dialog() == "" {
		return
	}
	c.do(func() { c.d.Type(text) })
	c.meanwhile()
	c.named = append(c.named, last)
	c.key("enter")
}

// nameDiscarded names what the operator discards: the steps that are left, or the count.
// What is under way may still be recorded.
func (c *eventCase) nameDiscarded() {
	w := c.work()
	for key, n := range w.toRecord {
		if n != 0 {
			c.named = append(c.named, named{sku: c.lines[key], pieces: -n, once: true})
			c.named = append(c.named, named{sku: c.lines[key], pieces: n, sent: true})
		}
	}
}

// finish records or removes all that is counted.
func (c *eventCase) finish() {
	c.note("finish")
	c.svc.faultOf = 0
	for _, cmd := range c.orphans {
		c.perform(cmd)
	}
	c.orphans = nil
	c.check()
	c.do(func() { c.d.Release() })
	for len(c.held) > 0 {
		c.release(len(c.held))
		c.check()
	}
	c.check()
	for range 60 {
		if c.finishStep() {
			return
		}
		c.check()
	}
	require.Fail(c.t, "no way out")
}

// finishStep does what the screen asks for, and reports whether nothing is left.
func (c *eventCase) finishStep() bool {
	c.do(func() { c.d.Advance(2 * time.Second) })
	p, w := c.open(), c.work()
	closed := p != nil && p.Document.ClosedReason != ""
	switch {
	case strings.Contains(c.d.View(), "A supervisor must approve"):
		c.key("esc")
	case c.d.Model.Dialog() != "":
		c.note("  %s", c.d.Model.Dialog())
		if strings.HasPrefix(c.d.Model.Dialog(), "Not counted") {
			c.key("enter")
			return false
		}
		c.key("esc")
	case c.d.Model.Fault() != "":
		c.note("  %s", c.d.Model.Fault())
		if strings.Contains(c.d.View(), "F8 skip") {
			c.forgets = true
			c.nameDiscarded()
			c.key("f8")
			return false
		}
		again := c.d.Model.Fault() == c.fault
		c.fault = c.d.Model.Fault()
		c.key("enter")
		if again && !w.submission.Unfinished() {
			c.clearLine()
		}
	case p == nil && len(w.toRecord) == 0 && w.submission == nil:
		return true
	case p == nil:
		c.do(func() { c.d.Do(tui.Open(c.route)) })
	case p.Typed() != "" || p.Modal() && !w.submission.Unfinished():
		c.key("esc")
	case w.submission == nil && (closed || p.Total() == 0):
		require.False(c.t, p.Busy(), "busy forever")
		return true
	default:
		c.note("press enter")
		c.key("enter")
	}
	return false
}

// clearLine makes the count of the line zero.
func (c *eventCase) clearLine() {
	c.check()
	p := c.open()
	if p == nil {
		return
	}
	for range p.Lines {
		c.key("up")
	}
	for range p.Lines {
		if n, _ := c.counted(p.Line().Key); n == 0 {
			c.key("down")
		}
	}
	n, _ := c.counted(p.Line().Key)
	c.note("clear %s", p.Line().Item.SKU)
	c.do(func() { c.d.Advance(2 * time.Second).Type("0") })
	c.named = append(c.named, named{sku: p.Line().Item.SKU, pieces: -n, once: true})
	c.key("enter")
}
