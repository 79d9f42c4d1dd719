package watchlist

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/alerts"
	"bincard/views/export"
	"bincard/views/names"
	"bincard/views/session"
)

// Low returns the factory of the list of low products.
func Low(site *session.Site) tui.Factory {
	return list(site, func(t *i18n.Translator) kind[alerts.LowProduct] {
		return kind[alerts.LowProduct]{
			route: "low", title: t.Get("Low stock"), noun: t.Get("low"), question: t.Get("Available stock is below the reorder point"), shortQuestion: t.Get("below reorder"), open: t.Get("explain"), help: t.Get("Explain the balance with its movements"),
			load: func(ctx context.Context, at session.Location, _ int, _ time.Time) ([]alerts.LowProduct, bool, error) {
				rows, err := alerts.LowProducts(ctx, site, at)
				return rows, false, err
			},
			key:     func(s alerts.LowProduct) string { return s.SKU },
			text:    func(s alerts.LowProduct) string { return s.SKU + " " + s.Name },
			detail:  func(s alerts.LowProduct) string { return s.Name },
			columns: lowColumns, exportColumns: lowExport,
			rowRoute: func(s alerts.LowProduct, at session.Location) string {
				if at.IsSet() {
					return tui.Path("explain", s.SKU+"@"+at.Code)
				}
				return "stock?sku=" + url.QueryEscape(s.SKU)
			},
			empty: func(at session.Location, _ int) string {
				return t.Get("Nothing is low %s. A product is low when available stock is below its reorder point.", locationText(t, at))
			},
		}
	})
}

func lowColumns(env tui.Env, size tui.Size, _ session.Location) []widget.Column[alerts.LowProduct] {
	t := env.T
	type col = widget.Column[alerts.LowProduct]
	number := func(title string, width, rank int, of func(alerts.LowProduct) int64) col {
		return col{Title: title, Width: max(width, widget.Width(title)), Right: true, Rank: rank, Cell: func(s alerts.LowProduct) string { return t.Count(of(s)) }}
	}
	sku := col{Title: t.Get("product"), Width: 12, Cell: func(s alerts.LowProduct) string { return s.SKU }}
	missing := number(t.GetC("missing", "column"), 8, 0, alerts.LowProduct.Missing)
	missing.Style = func(s alerts.LowProduct, t theme.Theme, text string) string {
		if s.Available == 0 {
			return t.Error.Render(text)
		}
		return t.Warning.Render(text)
	}
	available := number(names.State(t, api.Available), 9, 1, func(s alerts.LowProduct) int64 { return s.Available })
	if size.Small() {
		sku.Width = 0
		available.Width, available.Title = 6, t.Get("avail")
		missing.Width = 7
		return []col{sku, available, missing}
	}
	cols := []col{
		{Title: "", Width: 1, Cell: func(s alerts.LowProduct) string {
			if s.Available == 0 {
				return theme.GlyphRefused
			}
			return theme.GlyphUnconfirmed
		}},
		sku, {Title: t.Get("name"), Rank: 5, Cell: func(s alerts.LowProduct) string { return s.Name }}, available,
		number(t.Get("reorder"), 8, 2, func(s alerts.LowProduct) int64 { return s.Reorder }), missing,
		number(names.State(t, api.Incoming), 8, 3, func(s alerts.LowProduct) int64 { return s.Incoming }),
	}
	if size.Class == tui.Standard {
		return cols
	}
	return append(cols, number(names.ShortState(t, api.SafetyStock), 7, 6, func(s alerts.LowProduct) int64 { return s.Safety }),
		number(names.State(t, api.OnHand), 8, 7, func(s alerts.LowProduct) int64 { return s.OnHand }))
}

// numberColumn returns an export column of integers.
func numberColumn[T any](name string, of func(*T) int64) export.Column[T] {
	return export.Column[T]{Name: name, Literal: true, Value: func(r *T) string { return strconv.FormatInt(of(r), 10) }}
}

var lowExport = []export.Column[alerts.LowProduct]{
	{Name: "productSku", Value: func(s *alerts.LowProduct) string { return s.SKU }}, {Name: "productName", Value: func(s *alerts.LowProduct) string { return s.Name }},
	{Name: "locationCode", Value: func(s *alerts.LowProduct) string { return s.Location }},
	numberColumn("available", func(s *alerts.LowProduct) int64 { return s.Available }), numberColumn("reorderPoint", func(s *alerts.LowProduct) int64 { return s.Reorder }),
	numberColumn("missing", func(s *alerts.LowProduct) int64 { return s.Missing() }), numberColumn("incoming", func(s *alerts.LowProduct) int64 { return s.Incoming }),
	numberColumn("safetyStock", func(s *alerts.LowProduct) int64 { return s.Safety }), numberColumn("onHand", func(s *alerts.LowProduct) int64 { return s.OnHand }),
}
