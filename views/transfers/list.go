package transfers

import (
	"cmp"
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/listscreen"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"
)

// Departures returns the factory of the list of transfers to ship.
func Departures(site *session.Site) tui.Factory { return shipping.list(site) }

// Arrivals returns the factory of the list of transfers to receive.
func Arrivals(site *session.Site) tui.Factory { return receiving.list(site) }

// list returns the factory of the list of the transfers at this end, oldest first.
func (e *side) list(site *session.Site) tui.Factory {
	return listscreen.New(site, func(s *listscreen.Screen) listscreen.Kind[*delivery] {
		t := s.T
		direction := func(d *delivery) string {
			return t.Get(e.directionText, session.LocationOf(e.otherLocation(&d.Lines[0])).String())
		}

		return listscreen.Kind[*delivery]{
			Texts: listscreen.Fixed(listscreen.Texts{
				Title:         t.Get(e.titleWord),
				Question:      t.Get("Scan a transfer or item, or choose one"),
				ShortQuestion: t.Get("scan or choose"),
				Noun:          t.Get("open"),
				Empty:         t.Get(e.emptyWord),
			}),
			Key: func(d *delivery) string { return d.Lines[0].ID.String() },
			Load: listscreen.Fixed(listscreen.Load(func(ctx context.Context) ([]delivery, bool, error) {
				return e.openDeliveries(ctx, site, site.Location())
			})),
			Columns: func(size tui.Size) []widget.Column[*delivery] { return e.columns(site, s.Env, size) },
			Open: tui.Action{
				ID:    e.id + ".open",
				Label: t.GetC("open", "verb"),
				Help:  t.Get("Open the selected transfer"),
			},
			OpenRow: func(d *delivery) tea.Cmd {
				routes := e.routes(d)
				return tui.Open(cmp.Or(panel.DraftRoute(s.Env, routes...), routes[0]))
			},
			Routes: e.routes,
			FilterText: func(d *delivery) string {
				text := deliveryName(d) + " " + session.LocationOf(e.otherLocation(&d.Lines[0])).String()
				for i := range d.Lines {
					text += " " + sku(&d.Lines[i]) + " " + name(&d.Lines[i])
				}
				return text
			},
			Preview: func(d *delivery) listscreen.Preview { return e.preview(t, d, s.Now()) },
			Detail:  func(d *delivery) string { return listscreen.JoinParts(e.productText(t, d, title), direction(d)) },
			Actions: func() []tui.Action {
				if !e.ships() || !site.Supports(api.CreateTransfer.Spec) {
					return nil
				}
				return append([]tui.Action{s.NewAction("ship", t.Get("Plan a transfer from here to another location"))},
					site.ImportActions("ship.import", "transfers")...)
			},
			AtLocation: true,
			Find: &listscreen.Find[*delivery]{Name: deliveryName,
				SKU:      func(d *delivery) string { return sku(&d.Lines[0]) },
				Product:  func(d *delivery) api.ID { return d.Lines[0].ProductID },
				Parts:    (*delivery).Split,
				Question: t.Get("Which transfer?"),
				Line: func(d *delivery) string {
					return t.Get("%s  %s  %s to go", deliveryName(d), d.SKUs(t),
						t.Count(sum(e.pendingOf, d))) + "  " + direction(d)
				},
				NotFound: func(p *api.Product) tea.Cmd {
					return tui.Fail(t.NewError("No transfer of %s (%s) is open here.", p.SKU, p.Name))
				}},
		}
	})
}

// openDeliveries returns the deliveries with something to go at this end, the oldest first;
// more reports whether there are others.
func (e *side) openDeliveries(
	ctx context.Context,
	site *session.Site,
	at session.Location,
) (rows []delivery, more bool, err error) {
	open, more, err := e.load(ctx, site, at)
	rows = session.Deliveries(open)
	slices.SortFunc(rows, func(a, b delivery) int { return due(&a.Lines[0]).Compare(due(&b.Lines[0])) })
	return rows, more, err
}

func due(x *api.Transfer) session.Due {
	return session.Due{Created: x.CreatedAt, Reference: names.Transfer(x), ID: x.ID}
}

// routes returns the routes of the lines of a delivery. Each opens all of it.
func (e *side) routes(d *delivery) (routes []string) {
	for i := range d.Lines {
		routes = append(routes, tui.Path(e.id, d.Lines[i].ID.String()))
	}
	return routes
}

// title returns the name of the product of a transfer, or else its SKU.
func title(x *api.Transfer) string { return cmp.Or(name(x), sku(x)) }

// columns returns the columns of the list for a size.
func (e *side) columns(site *session.Site, env tui.Env, size tui.Size) []widget.Column[*delivery] {
	t := env.T

	columns := []widget.Column[*delivery]{
		{
			Title: t.Get("transfer"),
			Width: 12,
			Sort:  "document",
			Cell:  func(d *delivery) string { return d.SyncBadge(site) + deliveryName(d) },
			By:    deliveryName,
		},
		{
			Title: t.Get(e.directionWord),
			Rank:  6,
			Sort:  "location",
			Cell:  func(d *delivery) string { return session.LocationOf(e.otherLocation(&d.Lines[0])).String() },
		},
		{
			Title: t.Get("product"),
			Width: 20,
			Rank:  4,
			Sort:  "product",
			Cell:  func(d *delivery) string { return e.productText(t, d, title) },
		},
		{Title: t.Get("sku"), Width: 10, Rank: 7, Sort: "sku", Cell: func(d *delivery) string { return d.SKUs(t) }},
		{
			Title:  t.Get("to go"),
			Width:  7,
			Rank:   1,
			Sort:   "pending",
			Number: func(d *delivery) int64 { return sum(e.pendingOf, d) },
		},
		{
			Title:  t.Get(e.doneWord),
			Width:  8,
			Rank:   5,
			Sort:   "done",
			Number: func(d *delivery) int64 { return sum(e.doneOf, d) },
		},
		{
			Title: t.Get("created"),
			Width: 16,
			Rank:  8,
			Sort:  "created",
			Cell:  func(d *delivery) string { return t.When(d.Lines[0].CreatedAt, env.Now()) },
			Time:  func(d *delivery) *time.Time { return &d.Lines[0].CreatedAt },
		},
	}

	switch size.Class {
	case tui.Narrow: // the whole name, and the quantity
		return listscreen.NarrowColumns(columns, t.Get("transfer"), t.Get("to go"))
	case tui.Short: // also the code of the other location
		columns[1].Rank, columns[1].Cell = 0, func(d *delivery) string {
			return t.Get(e.directionText, session.LocationOf(e.otherLocation(&d.Lines[0])).Code)
		}
	default:
	}

	return columns
}
