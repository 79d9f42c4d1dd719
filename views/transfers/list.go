package transfers

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"
	"bincard/views/listscreen"

	tea "github.com/charmbracelet/bubbletea"
)

// Departures returns the factory of the list of transfers to ship.
func Departures(site *dock.Site) tui.Factory { return shipping.list(site) }

// Arrivals returns the factory of the list of transfers to receive.
func Arrivals(site *dock.Site) tui.Factory { return receiving.list(site) }

// list returns the factory of the list of the transfers at this end, oldest first.
func (e *side) list(site *dock.Site) tui.Factory {
	return listscreen.New(site, func(s *listscreen.Screen[api.Transfer]) listscreen.Kind[api.Transfer] {
		tr := s.T()
		direction := func(t *api.Transfer) string {
			return tr.Get(e.directionText, dock.LocationOf(e.otherLocation(t)).String())
		}

		return listscreen.Kind[api.Transfer]{
			Texts: listscreen.Fixed(listscreen.Texts{Title: tr.Get(e.titleWord), Question: tr.Get("Scan a transfer or item, or choose one"), ShortQuestion: tr.Get("scan or choose"), Noun: tr.Get("open"), Empty: tr.Get(e.emptyWord)}),
			Key:   func(t api.Transfer) string { return t.ID.String() },
			Load: listscreen.Fixed(func(ctx context.Context) ([]api.Transfer, bool, error) {
				rows, more, err := e.load(ctx, site, site.Location())
				slices.Reverse(rows)
				return rows, more, err
			}),
			Columns: func(size tui.Size) []widget.Column[api.Transfer] { return e.columns(site, s.Env, size) },
			Open:    tui.Action{ID: e.id + ".open", Label: tr.GetC("open", "verb"), Help: tr.Get("Open the selected transfer")},
			OpenRow: func(t *api.Transfer) tea.Cmd { return tui.Open(tui.Path(e.id, t.ID.String())) },
			FilterText: func(t api.Transfer) string {
				return dock.TransferName(&t) + " " + sku(&t) + " " + name(&t) + " " + dock.LocationOf(e.otherLocation(&t)).String()
			},
			Detail: func(t api.Transfer) string { return listscreen.JoinParts(cmp.Or(name(&t), sku(&t)), direction(&t)) },
			Actions: func() []tui.Action {
				if !e.ships() || !site.Supports(api.CreateTransfer.Spec) {
					return nil
				}
				return []tui.Action{{ID: "ship.new", Keys: []string{"f3"}, Label: tr.Get("new"), Help: tr.Get("Plan a transfer from here to another location"),
					Run: func() tea.Cmd { return tui.Open("ship/new") }}}
			},
			AtLocation: true,
			Find: &listscreen.Find[api.Transfer]{Name: dock.TransferName, SKU: sku,
				Product:  func(t *api.Transfer) api.ID { return t.ProductID },
				Question: tr.Get("Which transfer?"),
				Line: func(t *api.Transfer) string {
					return tr.Get("%s  %s  %s pending", dock.TransferName(t), sku(t), tr.Count(e.pendingOf(t))) + "  " + direction(t)
				},
				NotFound: func(p *api.Product) tea.Cmd {
					return tui.Fail(errors.New(tr.Get("No transfer of %s (%s) is open here.", p.SKU, p.Name)))
				}},
		}
	})
}

// columns returns the columns of the list for a size.
func (e *side) columns(site *dock.Site, env tui.Env, size tui.Size) []widget.Column[api.Transfer] {
	tr := env.T

	columns := []widget.Column[api.Transfer]{
		{Title: tr.Get("transfer"), Width: 12, Cell: func(t api.Transfer) string { return site.SyncBadge(t.ID) + dock.TransferName(&t) }},
		{Title: tr.Get(e.directionWord), Rank: 6, Cell: func(t api.Transfer) string { return dock.LocationOf(e.otherLocation(&t)).String() }},
		{Title: tr.Get("product"), Width: 20, Rank: 4, Cell: func(t api.Transfer) string { return cmp.Or(name(&t), sku(&t)) }},
		{Title: tr.Get("sku"), Width: 10, Rank: 7, Cell: func(t api.Transfer) string { return sku(&t) }},
		{Title: tr.Get("pending"), Width: 7, Right: true, Rank: 1, Cell: func(t api.Transfer) string { return tr.Count(e.pendingOf(&t)) }},
		{Title: tr.Get(e.doneWord), Width: 8, Right: true, Rank: 5, Cell: func(t api.Transfer) string { return tr.Count(e.doneOf(&t)) }},
		{Title: tr.Get("created"), Width: 16, Rank: 8, Cell: func(t api.Transfer) string { return tr.When(t.CreatedAt, env.Now()) }},
	}
	if size.Class == tui.Narrow { // the whole name, and the quantity
		return listscreen.NarrowColumns(columns, tr.Get("transfer"), tr.Get("pending"))
	}
	return columns
}
