package inbounds

import (
	"cmp"
	"context"
	"errors"
	"net/url"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/listscreen"
	"bincard/views/names"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// List returns the factory of the list of all open inbounds, due first.
func List(site *session.Site) tui.Factory {
	return listscreen.New(site, func(s *listscreen.Screen[api.Inbound]) listscreen.Kind[api.Inbound] {
		t := s.T()

		return listscreen.Kind[api.Inbound]{
			Texts: listscreen.Fixed(listscreen.Texts{Title: t.GetC("Receive", "inbounds"), Question: t.Get("Scan a document or item, or choose one"), ShortQuestion: t.Get("scan or choose"), Noun: t.Get("expected"),
				Empty: t.Get("No deliveries are expected here. Scan a document, choose another location (F6), or add a delivery (F3).")}),
			Key: func(in api.Inbound) string { return in.ID.String() },
			Load: listscreen.Fixed(func(ctx context.Context) ([]api.Inbound, bool, error) {
				rows, more, err := site.Inbounds(ctx, site.Location())
				sortByDue(rows)
				return rows, more, err
			}),
			Columns: func(size tui.Size) []widget.Column[api.Inbound] { return columns(site, s.Env, size) },
			Open:    tui.Action{ID: "receive.open", Label: t.GetC("open", "verb"), Help: t.Get("Open the selected inbound")},
			OpenRow: openInbound,
			Route:   route,
			FilterText: func(in api.Inbound) string {
				return names.Inbound(&in) + " " + in.SupplierName + " " + in.SupplierReference + " " + sku(&in) + " " + name(&in)
			},
			Detail: func(in api.Inbound) string {
				return listscreen.JoinParts(cmp.Or(name(&in), sku(&in)), in.SupplierName)
			},
			Actions: func() []tui.Action {
				return []tui.Action{{ID: "receive.new", Keys: []string{"f3"}, Label: t.Get("new"), Help: t.Get("Add an expected delivery"),
					Run: func() tea.Cmd { return tui.Open("receive/new") }}}
			},
			AtLocation: true,
			Find:       finder(t),
		}
	})
}

// finder says which inbound a scan means.
func finder(t *i18n.Translator) *listscreen.Find[api.Inbound] {
	return &listscreen.Find[api.Inbound]{Name: names.Inbound, SKU: sku,
		Product:  func(in *api.Inbound) api.ID { return in.ProductID },
		Question: t.Get("Which inbound?"),
		Line: func(in *api.Inbound) string {
			return t.Get("%s  %s  %s to go", names.Inbound(in), sku(in), t.Count(in.Pending())) + "  " + in.SupplierName
		},
		NotFound: func(p *api.Product) tea.Cmd {
			return tui.Fail(errors.New(t.Get("No delivery of %s (%s) is expected here.", p.SKU, p.Name)),
				tui.Action{ID: "receive.announce", Keys: []string{"f3"}, Label: t.Get("add delivery"),
					Run: func() tea.Cmd { return tui.Open("receive/new?sku=" + url.QueryEscape(p.SKU)) }})
		}}
}

func route(in *api.Inbound) string { return tui.Path("receive", in.ID.String()) }

func openInbound(in *api.Inbound) tea.Cmd { return tui.Open(route(in)) }
