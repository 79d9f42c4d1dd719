package watchlist

import (
	"context"
	"net/url"
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/alerts"
	"bincard/views/export"
	"bincard/views/listscreen"
	"bincard/views/names"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// Low returns the factory of the list of low products.
func Low(site *session.Site) tui.Factory {
	return listscreen.New(site, func(screen *listscreen.Screen) listscreen.Kind[*lowProduct] {
		t, s := screen.T, newScope(screen, "low", 0)

		return listscreen.Kind[*lowProduct]{
			Texts: func() listscreen.Texts {
				return listscreen.Texts{
					Title:          s.title(t.Get("Low stock")),
					ShortTitle:     t.GetC("Low stock", "short title"),
					Question:       t.Get("Available stock is below the reorder point"),
					ShortQuestion:  t.Get("available, short"),
					NarrowQuestion: t.Get("to reorder"),
					Noun:           t.Get("low"),
					Empty: t.Get(
						"No low stock %s. Stock is low when the available quantity is below the reorder point.",
						s.anywhereText(),
					),
				}
			},
			Key: func(p *lowProduct) string { return p.SKU },
			Load: func() listscreen.Loader[*lowProduct] {
				at := s.location()
				return listscreen.Load(func(ctx context.Context) ([]lowProduct, bool, error) {
					rows, err := alerts.LowProducts(ctx, site, at)
					return rows, false, err
				})
			},
			Columns: func(size tui.Size) []widget.Column[*lowProduct] {
				return lowColumns(s.Env, size, slices.ContainsFunc(listscreen.Rows[*lowProduct](screen), hasShelf))
			},
			Open: tui.Action{
				ID:    "low.open",
				Label: t.Get("explain"),
				Help:  t.Get("Explain the balance with its movements"),
			},
			OpenRow: func(p *lowProduct) tea.Cmd {
				if at := s.location(); at.IsSet() {
					return tui.Open(tui.Path("explain", p.SKU+"@"+at.Code))
				}
				return tui.Open("stock?sku=" + url.QueryEscape(p.SKU))
			},
			FilterText: func(p *lowProduct) string { return p.SKU + " " + p.Name + " " + p.Shelf },
			Detail:     func(p *lowProduct) string { return listscreen.JoinParts(p.Shelf, p.Name) },
			Actions:    func() []tui.Action { return s.actions() },
			Scan:       s.Resolve,
			Export:     listscreen.NewExport(t.Get("low stock"), lowExport),
		}
	})
}

func hasShelf(p *lowProduct) bool { return p.Shelf != "" }

func lowColumns(env tui.Env, size tui.Size, shelved bool) []widget.Column[*lowProduct] {
	t := env.T
	type col = widget.Column[*lowProduct]
	number := func(title string, width, rank int, of func(*lowProduct) int64) col {
		return col{Title: title, Width: max(width, widget.Width(title)), Rank: rank, Number: of}
	}
	sku := col{Title: t.Get("product"), Width: 12, Sort: "product", Cell: func(s *lowProduct) string { return s.SKU }}
	missing := number(t.GetC("short", "column"), 8, 0, (*lowProduct).Missing)
	missing.Sort = "missing"
	missing.Style = func(s *lowProduct, t widget.Theme, text string) string {
		if s.Available == 0 {
			return t.Error.Render(text)
		}
		return t.Warning.Render(text)
	}

	available := number(names.ShortState(t, api.Available), 9, 1, func(s *lowProduct) int64 { return s.Available })
	available.Sort = "available"
	if size.Small() {
		sku.Width = 0
		available.Width, missing.Width = 6, 7
		return []col{sku, available, missing}
	}

	cols := []col{
		{Title: "", Width: 1, Cell: func(s *lowProduct) string {
			if s.Available == 0 {
				return widget.GlyphRefused
			}
			return widget.GlyphUnconfirmed
		}},
		sku,
		{Title: t.Get("name"), Rank: 5, Sort: "name", Cell: func(s *lowProduct) string { return s.Name }},
		available,
		number(t.Get("reorder"), 8, 2, func(s *lowProduct) int64 { return s.Reorder }),
		missing,
		number(names.ShortState(t, api.Incoming), 8, 3, func(s *lowProduct) int64 { return s.Incoming }),
	}

	if shelved {
		shelf := col{Title: t.Get("shelf"), Width: 8, Rank: 4, Cell: func(s *lowProduct) string { return s.Shelf }}
		cols = slices.Insert(cols, 3, shelf)
	}
	if size.Class == tui.Standard {
		return cols
	}

	return append(cols,
		number(names.ShortState(t, api.SafetyStock), 7, 6, func(s *lowProduct) int64 { return s.Safety }),
		number(names.ShortState(t, api.OnHand), 8, 7, func(s *lowProduct) int64 { return s.OnHand }))
}

var lowExport = []export.Column[lowProduct]{
	export.Text("productSku", func(s *lowProduct) string { return s.SKU }),
	export.Text("productName", func(s *lowProduct) string { return s.Name }),
	export.Text("locationCode", func(s *lowProduct) string { return s.Location }),
	export.Number("available", func(s *lowProduct) int64 { return s.Available }),
	export.Number("reorderPoint", func(s *lowProduct) int64 { return s.Reorder }),
	export.Quantity("missing", (*lowProduct).Missing),
	export.Number("incoming", func(s *lowProduct) int64 { return s.Incoming }),
	export.Number("safetyStock", func(s *lowProduct) int64 { return s.Safety }),
	export.Number("onHand", func(s *lowProduct) int64 { return s.OnHand }),
	export.Text("shelf", func(s *lowProduct) string { return s.Shelf }),
}
