package balances

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/balances/catalogue"
	"bincard/views/dock"
	"bincard/views/reports/paging"

	tea "github.com/charmbracelet/bubbletea"
)

// Explain makes the factory of the explanation of one balance. The route names
// it by its id or by SKU@LOCATION.
func Explain(site *dock.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		list := widget.NewList(func(e entry) string { return e.m.ID.String() })
		return &explain{site: site, order: api.NewestFirst, source: &source{site: site},
			pages: paging.New("movements", "movements", list)}, nil
	}
}

// explain shows why a balance is what it is.
type explain struct {
	env     tui.Env
	site    *dock.Site
	source  *source
	pages   *paging.Pages[entry]
	order   api.Order
	head    *api.Explanation // without its movements
	all     []entry          // in the order shown; the list holds those that fit
	state   api.State        // only this state; "" is all
	lot     string           // only this lot; "" is all
	chart   []int64          // on hand at each day's end, oldest first
	lost    error            // the balance could not be found
	moved   bool             // the balance changed between two pages
	adding  bool             // all pages are being read, to add them up
	finding bool             // a scan is being looked up
	top     int              // lines above the list, as last painted
	digits  int              // cells that the widest number needs
}

// entry is a movement in the list.
type entry struct {
	m     api.Movement
	first bool // of its record
	again bool // the operation stands on the line above
}

type (
	balancesMsg struct {
		rows []api.SnapshotRow
		err  error
	}
	chartMsg struct{ values []int64 }
)

func (x *explain) Init(env tui.Env) tea.Cmd {
	x.env = env
	return x.look()
}

// look finds the balance that the route names.
func (x *explain) look() tea.Cmd {
	x.lost = nil
	text := x.env.Route.Param("balance")
	return x.env.Latest("balance", func(ctx context.Context) tea.Msg {
		rows, err := catalogue.Balances(ctx, x.site, text)
		return balancesMsg{rows, err}
	})
}

func (x *explain) Shown() tea.Cmd {
	if x.head == nil {
		return nil
	}
	return x.pages.Fresh()
}

// Busy tells whether a scan is being looked up: the next one waits.
func (x *explain) Busy() bool { return x.finding }

func (x *explain) Title() string { return "Explain › " + x.name() }

// ShortTitle is SKU@LOCATION.
func (x *explain) ShortTitle() string {
	if x.head == nil {
		return x.env.Route.Param("balance")
	}
	return sku(&x.head.Balance) + "@" + place(&x.head.Balance)
}

func (x *explain) name() string {
	if x.head == nil {
		return x.env.Route.Param("balance")
	}
	b := &x.head.Balance
	name := sku(b)
	if b.Product != nil && b.Product.Name != "" && b.Product.Name != name {
		name += " " + b.Product.Name
	}
	return name + " @ " + place(b)
}

func sku(b *api.Balance) string {
	if b.Product != nil {
		return b.Product.SKU
	}
	return dock.Brief(b.ProductID)
}

func place(b *api.Balance) string {
	if b.Location != nil {
		return b.Location.Code
	}
	return dock.Brief(b.LocationID)
}

// load asks for the newest (or oldest) page; what is shown stays until it comes.
func (x *explain) load() tea.Cmd {
	x.moved = false
	return x.pages.Load(x.env, x.source.fetch(x.order))
}

func (x *explain) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		if x.pages.List.Key(msg) {
			return x, x.pages.Follow()
		}
	case tea.MouseMsg:
		return x, x.pages.Mouse(msg, x.top)
	case balancesMsg:
		return x, x.chosen(msg)
	case chartMsg:
		x.chart = msg.values
	case foundMsg:
		x.finding = false
		return x, x.other(msg)
	default:
		return x, x.take(msg)
	}
	return x, nil
}

// chosen goes on with the balance that was found, or asks which of several.
func (x *explain) chosen(msg balancesMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		x.lost = msg.err
		return tui.Bell(2)
	case len(msg.rows) == 1:
		x.source.id = msg.rows[0].ID
		return x.load()
	}
	options := make([]string, len(msg.rows))
	for i, r := range msg.rows {
		options[i] = fmt.Sprintf("%s, %s: %s on hand", r.OwnerName, r.ChannelName, widget.Count(r.OnHand))
	}
	return tui.Choose(tui.Choice{Text: "Whose stock? There are several balances of it here", Options: options,
		OnChoice: func(i int) tea.Cmd { x.source.id = msg.rows[i].ID; return x.load() }})
}

// take keeps a page of movements and what came with it.
func (x *explain) take(msg tea.Msg) tea.Cmd {
	x.pages.List.SetRows(x.all)
	if !x.pages.Take(msg) {
		x.narrow()
		return nil
	}
	x.all = x.pages.List.Rows()
	group(x.all)
	x.measure()
	x.narrow()
	if x.pages.Err() != nil {
		x.adding = false
		return tui.Bell(2)
	}
	head := x.source.last()
	old := x.head
	if len(x.all) == len(head.Movements) {
		x.moved = false // the first page, anew
	}
	if x.head = head; old == nil || old.Balance.Version != head.Balance.Version {
		x.moved = old != nil && len(x.all) > len(head.Movements)
		return tea.Batch(x.follow(), x.plot())
	}
	return x.follow()
}

// follow asks for the next page where it is wanted: near the end, or all of
// them while they are added up.
func (x *explain) follow() tea.Cmd {
	switch {
	case x.adding && !x.pages.Complete():
		return x.pages.More()
	case x.adding:
		x.adding = false
		return x.verdict()
	}
	return x.pages.Follow()
}

// measure finds how wide numbers are: a cut one would be a wrong one.
func (x *explain) measure() {
	x.digits = 7
	for i := range x.all {
		m := &x.all[i].m
		for _, n := range []int64{m.Quantity, m.BalanceBefore, m.BalanceAfter} {
			if n > 99_999 || n < -9_999 {
				x.digits = max(x.digits, widget.Width(widget.Change(n)))
			}
		}
	}
}

// narrow shows the movements of the chosen state and lot.
func (x *explain) narrow() {
	fit := x.all
	if x.state != "" || x.lot != "" {
		fit = nil
		for _, e := range x.all {
			if (x.state == "" || e.m.InventoryState == x.state) && (x.lot == "" || lotOf(&e.m) == x.lot) {
				fit = append(fit, e)
			}
		}
		group(fit)
	}
	x.pages.List.SetRows(fit)
}

// group marks where a record begins: the movements of one write stand together.
func group(entries []entry) {
	for i := range entries {
		e := &entries[i]
		e.first, e.again = true, false
		if i > 0 && sameRecord(&entries[i-1].m, &e.m) {
			e.first, e.again = false, entries[i-1].m.Operation == e.m.Operation
		}
	}
}

func sameRecord(a, b *api.Movement) bool {
	return a.CreatedAt.Equal(b.CreatedAt) && a.IdempotencyKey == b.IdempotencyKey &&
		a.ReferenceID == b.ReferenceID && a.Actor == b.Actor
}

func lotOf(m *api.Movement) string {
	if m.Lot != nil {
		return m.Lot.LotCode
	}
	if m.LotID != (api.ID{}) {
		return dock.Brief(m.LotID)
	}
	return ""
}

// OnScan explains the scanned product at the same location, or the balance at
// a scanned location.
func (x *explain) OnScan(got scan.Scan) tea.Cmd {
	codes := dock.Read(got).Codes
	x.finding = true
	return x.env.Do(func(ctx context.Context) tea.Msg {
		thing, err := catalogue.Find(ctx, x.site, codes...)
		return foundMsg{thing, err}
	})
}

func (x *explain) other(msg foundMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		return tui.Fail(errors.New(dock.Words(msg.err)))
	case msg.thing.Document != "":
		return tea.Batch(tui.Accepted(), tui.Open(msg.thing.Document))
	case x.head == nil:
		return tui.Open("stock")
	}
	code, where := sku(&x.head.Balance), place(&x.head.Balance)
	if msg.thing.Product != nil {
		code = msg.thing.Product.SKU
	}
	if msg.thing.Location != nil {
		where = msg.thing.Location.Code
	}
	return tea.Batch(tui.Accepted(), tui.Replace(tui.Path("explain", code+"@"+where)))
}

// turn shows the other end of the history first.
func (x *explain) turn() tea.Cmd {
	x.order = map[api.Order]api.Order{api.NewestFirst: api.OldestFirst, api.OldestFirst: api.NewestFirst}[x.order]
	if x.pages.Complete() {
		slices.Reverse(x.all)
		group(x.all)
		x.narrow()
		x.pages.List.Go(0)
		return nil
	}
	x.all = nil
	x.pages.Forget()
	return x.load()
}
