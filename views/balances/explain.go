package balances

import (
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/export"
	"bincard/views/names"
	"bincard/views/paging"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// Explain returns the factory of the screen that explains one balance. The route
// names the balance by ID or SKU@LOCATION.
func Explain(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &explain{env: env, site: site, span: 30, order: api.NewestFirst, source: &source{site: site},
			pages: paging.New("movements", env.T.Get("movements"), func(e entry) string { return e.movement.ID.String() })}, nil
	}
}

// explain is the screen that explains a balance.
type explain struct {
	env          tui.Env
	site         *session.Site
	source       *source
	pages        *paging.Pages[entry]
	order        api.Order
	explanation  *api.Explanation // without its movements
	entries      []entry          // in display order; the list holds the ones that match the filter
	state        api.State        // show only this state; "" for all
	lot          string           // show only this lot; "" for all
	chart        chartData
	span         int  // days in the chart
	chartOpen    bool // the chart replaces the list
	exporter     export.Exporter
	loadErr      error // finding the balance failed
	balanceMoved bool  // the balance changed between two pages
	verifying    bool  // loading all pages to add them up
	finding      bool  // a scan is being looked up
	top          int   // lines above the list in the last view
	digits       int   // width of the widest number
}

type (
	balancesMsg struct {
		rows []api.SnapshotRow
		err  error
	}
	chartMsg struct{ chartData }
)

func (x *explain) Init(env tui.Env) tea.Cmd {
	x.env = env
	x.exporter.Init(env, x.site)
	return x.findBalance()
}

func (x *explain) Refresh() tea.Cmd {
	if x.explanation == nil {
		return nil
	}
	return x.pages.Refresh()
}

// CanLeave reports whether no export is in progress.
func (x *explain) CanLeave() (bool, string) { return x.exporter.CanLeave() }

// Busy reports whether a scan is being looked up; the next scan waits.
func (x *explain) Busy() bool { return x.finding }

func (x *explain) Title() string { return x.env.T.Get("Explain › %s", x.title()) }

// ShortTitle returns SKU@LOCATION.
func (x *explain) ShortTitle() string {
	if x.explanation == nil {
		return x.env.Route.Param("balance")
	}
	return sku(&x.explanation.Balance) + "@" + locationCode(&x.explanation.Balance)
}

func (x *explain) title() string {
	if x.explanation == nil {
		return x.env.Route.Param("balance")
	}
	b := &x.explanation.Balance
	name := sku(b)
	if b.Product != nil && b.Product.Name != "" && b.Product.Name != name {
		name += " " + b.Product.Name
	}
	return name + " @ " + locationCode(b)
}

func sku(b *api.Balance) string { return names.ProductSKU(b.Product, b.ProductID) }

func locationCode(b *api.Balance) string {
	if b.Location != nil {
		return b.Location.Code
	}
	return names.ShortID(b.LocationID)
}

// load requests the first page. The current rows stay until it arrives.
func (x *explain) load() tea.Cmd {
	return x.pages.Load(x.env, x.source.fetch(x.order))
}

func (x *explain) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		switch {
		case x.chartOpen && msg.Type == tea.KeyLeft:
			return x, x.changeSpan(1)
		case x.chartOpen && msg.Type == tea.KeyRight:
			return x, x.changeSpan(-1)
		}
		cmd, _ := x.pages.Key(msg)
		return x, cmd
	case tea.MouseMsg:
		return x, x.pages.Mouse(msg, x.top)
	case balancesMsg:
		return x, x.chosen(msg)
	case chartMsg:
		x.chart = msg.chartData
	case foundMsg:
		x.finding = false
		return x, x.showOther(msg)
	default:
		if cmd, handled := x.exporter.Update(msg); handled {
			return x, cmd
		}
		return x, x.handle(msg)
	}
	return x, nil
}

// handle stores a page of movements and the explanation that came with it.
func (x *explain) handle(msg tea.Msg) tea.Cmd {
	if !x.pages.Owns(msg) {
		return nil
	}
	x.pages.List.SetRows(x.entries)
	x.pages.Handle(msg)
	x.entries = x.pages.List.Rows()
	markEntryStarts(x.entries)
	x.measureDigits()
	x.applyFilter()
	if x.pages.Err() != nil {
		x.verifying = false
		return tui.Bell(2)
	}
	head := x.source.last()
	old := x.explanation
	x.balanceMoved = x.source.balanceChanged()
	if x.explanation = head; old == nil || old.Balance.Version != head.Balance.Version {
		return tea.Batch(x.loadNear(), x.loadChart())
	}
	return x.loadNear()
}

// loadNear requests the next page if the selection is near the end, or if all
// movements are being verified.
func (x *explain) loadNear() tea.Cmd {
	switch {
	case x.verifying && !x.pages.Complete():
		return x.pages.More()
	case x.verifying:
		x.verifying = false
		return x.showProof()
	}
	return x.pages.LoadNear()
}

// reverseOrder switches between newest first and oldest first.
func (x *explain) reverseOrder() tea.Cmd {
	x.order = map[api.Order]api.Order{api.NewestFirst: api.OldestFirst, api.OldestFirst: api.NewestFirst}[x.order]
	if x.pages.Complete() {
		slices.Reverse(x.entries)
		markEntryStarts(x.entries)
		x.applyFilter()
		x.pages.List.MoveTo(0)
		return nil
	}
	x.entries = nil
	x.pages.Clear()
	return x.load()
}
