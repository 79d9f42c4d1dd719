package inbounds

import (
	"cmp"
	"context"
	"net/url"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/listscreen"
	"bincard/views/panel"
	"bincard/views/session"
)

// List returns the factory of the list of all open inbounds, due first.
func List(site *session.Site) tui.Factory {
	return listscreen.New(site, func(s *listscreen.Screen) listscreen.Kind[*delivery] {
		t := s.T

		return listscreen.Kind[*delivery]{
			Texts: listscreen.Fixed(listscreen.Texts{
				Title:         t.GetC("Receive", "inbounds"),
				Question:      t.Get("Scan a document or item, or choose one"),
				ShortQuestion: t.Get("scan or choose"),
				Noun:          t.Get("expected"),
				Empty: t.Get(
					"No deliveries are expected here. Scan a document, choose another location (F6), or add a delivery (F3).",
				),
			}),
			Key: func(d *delivery) string { return d.Lines[0].ID.String() },
			Load: listscreen.Fixed(listscreen.Load(func(ctx context.Context) ([]delivery, bool, error) {
				return openDeliveries(ctx, site, site.Location())
			})),
			Columns: func(size tui.Size) []widget.Column[*delivery] { return columns(site, s.Env, size) },
			Open: tui.Action{
				ID:    "receive.open",
				Label: t.GetC("open", "verb"),
				Help:  t.Get("Open the selected delivery"),
			},
			OpenRow: func(d *delivery) tea.Cmd { return openDelivery(s.Env, d) },
			Routes:  routes,
			FilterText: func(d *delivery) string {
				text := deliveryName(d)
				for i := range d.Lines {
					in := &d.Lines[i]
					text += " " + in.SupplierName + " " + in.SupplierReference + " " + sku(in) + " " + name(in)
				}
				return text
			},
			Preview: func(d *delivery) listscreen.Preview { return listscreen.PreviewInbounds(t, *d, s.Now()) },
			Detail: func(d *delivery) string {
				return listscreen.JoinParts(productText(t, d, title), d.Lines[0].SupplierName)
			},
			Actions: func() []tui.Action {
				putAway := tui.Action{ID: "receive.putaway", Key: "ctrl+t", Label: t.Get("put away"), NoFooter: true,
					Help:     t.Get("List what was received today, in the order of the shelves"),
					Disabled: func() string { return site.Denied(api.SetShelves.Spec) }, Run: tui.Opens("put-away")}

				return append([]tui.Action{s.NewAction("receive", t.Get("Add an expected delivery")), putAway},
					site.ImportActions("receive.import", "inbounds")...)
			},
			AtLocation: true,
			Find:       finder(t),
		}
	})
}

// finder says which delivery a scan means.
func finder(t *i18n.Translator) *listscreen.Find[*delivery] {
	return &listscreen.Find[*delivery]{Name: deliveryName,
		SKU:      func(d *delivery) string { return sku(&d.Lines[0]) },
		Product:  func(d *delivery) api.ID { return d.Lines[0].ProductID },
		Means:    func(d *delivery, r count.Label) bool { return len(api.FindSSCC(d.Lines, r.SSCC)) > 0 },
		Parts:    (*delivery).Split,
		Question: t.Get("Which delivery?"),
		Line: func(d *delivery) string {
			return t.Get("%s  %s  %s to go", deliveryName(d), d.SKUs(t),
				t.Count(pending(d))) + "  " + d.Lines[0].SupplierName
		},
		NotFound: func(p *api.Product) tea.Cmd {
			return tui.Fail(t.NewError("No delivery of %s (%s) is expected here.", p.SKU, p.Name),
				tui.Action{ID: "receive.announce", Key: "f3", Label: t.Get("add delivery"),
					Run: tui.Opens("receive/new?sku=" + url.QueryEscape(p.SKU))})
		}}
}

// openDelivery opens a delivery: its draft, or else its first line.
func openDelivery(env tui.Env, d *delivery) tea.Cmd {
	open := routes(d)
	return tui.Open(cmp.Or(panel.DraftRoute(env, open...), open[0]))
}

// routes returns the routes of the lines of a delivery. Each opens all of it.
func routes(d *delivery) (routes []string) {
	for i := range d.Lines {
		routes = append(routes, tui.Path("receive", d.Lines[i].ID.String()))
	}
	return routes
}
