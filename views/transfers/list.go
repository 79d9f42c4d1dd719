package transfers

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/listscreen"
	"bincard/views/names"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// Departures returns the factory of the list of transfers to ship.
func Departures(site *session.Site) tui.Factory { return shipping.list(site) }

// Arrivals returns the factory of the list of transfers to receive.
func Arrivals(site *session.Site) tui.Factory { return receiving.list(site) }

// list returns the factory of the list of the transfers at this end, oldest first.
func (e *side) list(site *session.Site) tui.Factory {
	return listscreen.New(site, func(s *listscreen.Screen[api.Transfer]) listscreen.Kind[api.Transfer] {
		t := s.T()
		direction := func(x *api.Transfer) string {
			return t.Get(e.directionText, session.LocationOf(e.otherLocation(x)).String())
		}

		return listscreen.Kind[api.Transfer]{
			Texts: listscreen.Fixed(listscreen.Texts{Title: t.Get(e.titleWord), Question: t.Get("Scan a transfer or item, or choose one"), ShortQuestion: t.Get("scan or choose"), Noun: t.Get("open"), Empty: t.Get(e.emptyWord)}),
			Key:   func(x api.Transfer) string { return x.ID.String() },
			Load: listscreen.Fixed(func(ctx context.Context) ([]api.Transfer, bool, error) {
				rows, more, err := e.load(ctx, site, site.Location())
				slices.Reverse(rows)
				return rows, more, err
			}),
			Columns: func(size tui.Size) []widget.Column[api.Transfer] { return e.columns(site, s.Env, size) },
			Open:    tui.Action{ID: e.id + ".open", Label: t.GetC("open", "verb"), Help: t.Get("Open the selected transfer")},
			OpenRow: func(x *api.Transfer) tea.Cmd { return tui.Open(e.route(x)) },
			Route:   e.route,
			FilterText: func(x api.Transfer) string {
				return names.Transfer(&x) + " " + sku(&x) + " " + name(&x) + " " + session.LocationOf(e.otherLocation(&x)).String()
			},
			Detail: func(x api.Transfer) string { return listscreen.JoinParts(cmp.Or(name(&x), sku(&x)), direction(&x)) },
			Actions: func() []tui.Action {
				if !e.ships() || !site.Supports(api.CreateTransfer.Spec) {
					return nil
				}
				return []tui.Action{{ID: "ship.new", Keys: []string{"f3"}, Label: t.Get("new"), Help: t.Get("Plan a transfer from here to another location"),
					Run: func() tea.Cmd { return tui.Open("ship/new") }}}
			},
			AtLocation: true,
			Find: &listscreen.Find[api.Transfer]{Name: names.Transfer, SKU: sku,
				Product:  func(x *api.Transfer) api.ID { return x.ProductID },
				Question: t.Get("Which transfer?"),
				Line: func(x *api.Transfer) string {
					return t.Get("%s  %s  %s to go", names.Transfer(x), sku(x), t.Count(e.pendingOf(x))) + "  " + direction(x)
				},
				NotFound: func(p *api.Product) tea.Cmd {
					return tui.Fail(errors.New(t.Get("No transfer of %s (%s) is open here.", p.SKU, p.Name)))
				}},
		}
	})
}

// route returns the route of a transfer at this end.
func (e *side) route(x *api.Transfer) string { return tui.Path(e.id, x.ID.String()) }

// columns returns the columns of the list for a size.
func (e *side) columns(site *session.Site, env tui.Env, size tui.Size) []widget.Column[api.Transfer] {
	t := env.T

	columns := []widget.Column[api.Transfer]{
		{Title: t.Get("transfer"), Width: 12, Cell: func(x api.Transfer) string { return site.SyncBadge(x.ID) + names.Transfer(&x) }},
		{Title: t.Get(e.directionWord), Rank: 6, Cell: func(x api.Transfer) string { return session.LocationOf(e.otherLocation(&x)).String() }},
		{Title: t.Get("product"), Width: 20, Rank: 4, Cell: func(x api.Transfer) string { return cmp.Or(name(&x), sku(&x)) }},
		{Title: t.Get("sku"), Width: 10, Rank: 7, Cell: func(x api.Transfer) string { return sku(&x) }},
		{Title: t.Get("to go"), Width: 7, Right: true, Rank: 1, Cell: func(x api.Transfer) string { return t.Count(e.pendingOf(&x)) }},
		{Title: t.Get(e.doneWord), Width: 8, Right: true, Rank: 5, Cell: func(x api.Transfer) string { return t.Count(e.doneOf(&x)) }},
		{Title: t.Get("created"), Width: 16, Rank: 8, Cell: func(x api.Transfer) string { return t.When(x.CreatedAt, env.Now()) }},
	}
	switch size.Class {
	case tui.Narrow: // the whole name, and the quantity
		return listscreen.NarrowColumns(columns, t.Get("transfer"), t.Get("to go"))
	case tui.Short: // also the code of the other location
		columns[1].Rank, columns[1].Cell = 0, func(x api.Transfer) string {
			return t.Get(e.directionText, session.LocationOf(e.otherLocation(&x)).Code)
		}
	default:
	}
	return columns
}
