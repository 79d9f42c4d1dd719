package balances

import (
	"fmt"
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/dock"
	"bincard/views/export"
	"bincard/views/reports/paging"

	tea "github.com/charmbracelet/bubbletea"
)

// Explain makes the factory of the explanation of one balance. The route names
// it by its id or by SKU@LOCATION.
func Explain(site *dock.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &explain{site: site, span: 30, order: api.NewestFirst, source: &source{site: site},
			pages: paging.New("movements", "movements", func(e entry) string { return e.m.ID.String() })}, nil
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
	chart   plotted
	span    int  // days that the chart spans
	graphed bool // the chart stands in the list's place
	desk    export.Desk
	lost    error // the balance could not be found
	moved   bool  // the balance changed between two pages
	adding  bool  // all pages are being read, to add them up
	finding bool  // a scan is being looked up
	top     int   // lines above the list, as last painted
	digits  int   // cells that the widest number needs
}

type (
	balancesMsg struct {
		rows []api.SnapshotRow
		err  error
	}
	chartMsg struct{ plotted }
)

func (x *explain) Init(env tui.Env) tea.Cmd {
	x.env = env
	x.desk.Open(env, x.site)
	return x.look()
}

func (x *explain) Refresh() tea.Cmd {
	if x.head == nil {
		return nil
	}
	return x.pages.Fresh()
}

// CanLeave tells whether a file is being written.
func (x *explain) CanLeave() (bool, string) { return x.desk.CanLeave() }

// Busy tells whether a scan is being looked up: the next one waits.
func (x *explain) Busy() bool { return x.finding }

func (x *explain) Title() string { return fmt.Sprintf(titleExplain, x.name()) }

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

func sku(b *api.Balance) string { return dock.SKUOf(b.Product, b.ProductID) }

func place(b *api.Balance) string {
	if b.Location != nil {
		return b.Location.Code
	}
	return dock.Brief(b.LocationID)
}

// load asks for the newest (or oldest) page; what is shown stays until it comes.
func (x *explain) load() tea.Cmd {
	return x.pages.Load(x.env, x.source.fetch(x.order))
}

func (x *explain) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		switch {
		case x.graphed && msg.Type == tea.KeyLeft:
			return x, x.stretch(1)
		case x.graphed && msg.Type == tea.KeyRight:
			return x, x.stretch(-1)
		}
		cmd, _ := x.pages.Key(msg)
		return x, cmd
	case tea.MouseMsg:
		return x, x.pages.Mouse(msg, x.top)
	case balancesMsg:
		return x, x.chosen(msg)
	case chartMsg:
		x.chart = msg.plotted
	case foundMsg:
		x.finding = false
		return x, x.other(msg)
	default:
		if cmd, mine := x.desk.Take(msg); mine {
			return x, cmd
		}
		return x, x.take(msg)
	}
	return x, nil
}

// take keeps a page of movements and what came with it.
func (x *explain) take(msg tea.Msg) tea.Cmd {
	if !x.pages.Mine(msg) {
		return nil
	}
	x.pages.List.SetRows(x.all)
	x.pages.Take(msg)
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
	x.moved = x.source.changed()
	if x.head = head; old == nil || old.Balance.Version != head.Balance.Version {
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

// turn shows the other end of the history first.
func (x *explain) turn() tea.Cmd {
	x.order = map[api.Order]api.Order{api.NewestFirst: api.OldestFirst, api.OldestFirst: api.NewestFirst}[x.order]
	if x.pages.Complete() {
		slices.Reverse(x.all)
		group(x.all)
		x.narrow()
		x.pages.List.MoveTo(0)
		return nil
	}
	x.all = nil
	x.pages.Forget()
	return x.load()
}
