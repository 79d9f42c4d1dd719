package products

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/label"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/labels"
	"bincard/views/listscreen"
	"bincard/views/session"
)

// List returns the factory of the list of all products, sorted by SKU.
func List(site *session.Site) tui.Factory {
	return listscreen.New(site, func(s *listscreen.Screen) listscreen.Kind[*api.Product] {
		t, search := s.T, &search{screen: s}

		return listscreen.Kind[*api.Product]{
			Texts: func() listscreen.Texts { return texts(t, search, s.Len()) },
			Key:   func(p *api.Product) string { return p.ID.String() },
			Load: func() listscreen.Loader[*api.Product] {
				query, limit := search.query, s.ReadLimit()
				return listscreen.Load(
					func(ctx context.Context) ([]api.Product, bool, error) { return load(ctx, site, query, limit) })
			},
			ReadsAhead: true,
			Columns:    func(size tui.Size) []widget.Column[*api.Product] { return columns(t, s, size) },
			Open: tui.Action{
				ID:    "products.open",
				Label: t.GetC("open", "verb"),
				Help:  t.Get("Show the selected product"),
				Disabled: func() string {
					if search.Value() != "" {
						return ""
					}
					return s.EmptyReason()
				},
				Run: search.open,
			},
			OpenRow: openProduct,

			Input:   search,
			Matches: search.matches,
			Detail:  func(p *api.Product) string { return p.Name },
			Actions: func() []tui.Action { return listActions(s, search) },
			Scan: func(ctx context.Context, r count.Label) (func() tea.Cmd, error) {
				m := lookUp(ctx, site, r)
				return func() tea.Cmd {
					if m.product != nil {
						return tui.Accept(tui.Open(Route(m.product)))
					}
					return m.navigate(site)
				}, nil
			},
			Loaded: search.loaded,
			Speech: func(out *tui.Speech) {
				out.Search, out.Question = true, t.Get("scan, number or search")
				if search.Value() != "" {
					out.Facts = append(out.Facts, t.Get("search: %s", search.Value()))
				}
			},
		}
	})
}

// texts returns the texts of the list of n products.
func texts(t *i18n.Translator, search *search, n int) listscreen.Texts {
	out := listscreen.Texts{
		Title:         t.Get("Products"),
		Question:      t.Get("Scan a product, or type to search"),
		ShortQuestion: t.Get("scan or type"),
		Noun:          t.Get("products"),
		Empty:         t.Get("No products yet. Press F3 or scan a barcode to create one."),
	}

	if n == 1 {
		out.Noun = t.Get("product")
	}
	if n > 0 || search.Value() != "" {
		out.Empty = t.Get("No match. Shorten the search, clear it (esc), or create a product (F3).")
	}

	return out
}

// load reads the products that match a query, at most limit.
func load(ctx context.Context, site *session.Site, query string, limit int) (rows []api.Product, more bool, err error) {
	rows, more, err = listscreen.ReadAll(limit, func(page api.Page) (api.List[api.Product], error) {
		return session.Call(ctx, site, api.ListProducts,
			api.ListProductsInput{TextFilter: api.TextFilter{Query: query}, Page: page})
	})
	if session.IsUnsupported(err) {
		err = site.T().NewError("This service has no product catalog. Products come from another system.")
	}

	slices.SortStableFunc(rows,
		func(a, b api.Product) int { return cmp.Compare(strings.ToLower(a.SKU), strings.ToLower(b.SKU)) })

	return rows, more, err
}

func listActions(s *listscreen.Screen, search *search) []tui.Action {
	t := s.T

	actions := []tui.Action{
		s.NewAction("products", t.Get("Create a product")),
		{
			ID:       "products.stock",
			Key:      "f4",
			Label:    t.Get("stock"),
			Help:     t.Get("Show stock of the selected product"),
			Disabled: s.EmptyReason,
			Run: func() tea.Cmd {
				p, _ := listscreen.Selected[api.Product](s)
				return tui.Open(stockRoute(p.SKU))
			},
		},
		{
			ID:       "products.reload",
			Key:      "ctrl+r",
			Label:    t.Get("refresh"),
			NoFooter: true,
			Help:     t.Get("Refresh the list"),
			Run:      s.Reload,
		},
	}

	actions = append(actions, labels.PrintActions(s.Site, func() (labels.Request, string) {
		p, _ := listscreen.Selected[api.Product](s)
		return labels.Request{Kind: label.KindProduct, Subject: p.SKU}, s.EmptyReason()
	})...)
	if search.Value() != "" {
		actions = append(actions, search.clearAction(t))
	}

	return actions
}

// Route returns the route of a product: by SKU, or by ID if the SKU is the name of
// another route.
func Route(p *api.Product) string {
	switch strings.ToLower(p.SKU) {
	case "new", "link", "unlink":
		return tui.Path("products", p.ID.String())
	}
	return tui.Path("products", p.SKU)
}

func stockRoute(sku string) string { return "stock?sku=" + url.QueryEscape(sku) }

func newDeliveryRoute(sku string) string { return "receive/new?sku=" + url.QueryEscape(sku) }

func openProduct(p *api.Product) tea.Cmd { return tui.Open(Route(p)) }
