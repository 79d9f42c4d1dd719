package balances

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/export"
	"bincard/views/listscreen"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"
)

// Explain returns the factory of the screen that explains one balance. The route
// names the balance by ID or SKU@LOCATION.
func Explain(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &explain{
			Env:    env,
			site:   site,
			span:   30,
			order:  api.NewestFirst,
			source: &source{site: site},
			pages: listscreen.NewPages("movements", env.T.Get("movements"),
				func(e *entry) string { return e.movement.ID.String() }),
		}, nil
	}
}

// explain is the screen that explains a balance.
type explain struct {
	panel.ScanLookup
	tui.Env

	site         *session.Site
	source       *source
	pages        *listscreen.Pages
	order        api.Order
	explanation  *api.Explanation // without its movements
	entries      []*entry         // in display order; the list holds the ones that match the filter
	state        api.State        // show only this state; "" for all
	lot          string           // show only this lot; "" for all
	chart        chartData
	span         int  // days in the chart
	chartOpen    bool // the chart replaces the list
	exporter     export.Exporter
	loadErr      error // finding the balance failed
	balanceMoved bool  // the balance changed between two pages
	expired      expired
	verifying    bool // loading all pages to add them up
	top          int  // lines above the list in the last view
	digits       int  // width of the widest number
}

// chartData holds the values of a chart.
type chartData struct {
	state  api.State
	days   int
	at     time.Time // request time; the last day is the day of this time
	values []int64   // at the end of each day, today last; shorter than days if there were too many movements
}

type (
	balancesMsg struct {
		rows []api.SnapshotRow
		err  error
	}
	chartMsg struct{ chartData }
)

// CanLeave reports whether no export is in progress.
func (x *explain) CanLeave() (bool, string) { return x.exporter.CanLeave() }

func (x *explain) Title() string { return x.T.Get("Explain › %s", x.title()) }

// ShortTitle returns SKU@LOCATION.
func (x *explain) ShortTitle() string {
	if x.explanation == nil {
		return x.Route.Param("balance")
	}
	return sku(&x.explanation.Balance) + "@" + locationCode(&x.explanation.Balance)
}

func (x *explain) title() string {
	if x.explanation == nil {
		return x.Route.Param("balance")
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
	return x.pages.Load(x.Env, listscreen.Boxed(x.source.fetch(x.order)))
}
