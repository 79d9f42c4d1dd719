package watchlist

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/balances/catalogue"
	"bincard/views/dock"
	"bincard/views/export"
)

// A LowProduct is a product whose available quantity is below its reorder point.
type LowProduct struct {
	SKU       string `json:"productSku"`
	Name      string `json:"productName"`
	Location  string `json:"locationCode,omitempty"` // "" for all locations together
	Available int64  `json:"available"`
	OnHand    int64  `json:"onHand"`
	Safety    int64  `json:"safetyStock"`
	Incoming  int64  `json:"incoming"`
	Reorder   int64  `json:"reorderPoint"`
}

// Missing returns the quantity missing to the reorder point.
func (s LowProduct) Missing() int64 { return s.Reorder - s.Available }

// LowProducts returns the low products among those stocked at a location, the lowest
// first. For the zero location it compares the total of all locations and includes
// products without stock.
func LowProducts(ctx context.Context, site *dock.Site, at dock.Location) ([]LowProduct, error) {
	stocked := map[api.ID]*api.Quantities{}
	limit := int64(500)
	in := api.ReportSnapshotInput{StockFilter: api.StockFilter{LocationID: at.ID}, Limit: &limit}
	for {
		page, err := catalogue.Snapshot(ctx, site, in)
		if err != nil {
			return nil, err
		}
		for i := range page.Items {
			r := &page.Items[i]
			if stocked[r.ProductID] == nil {
				stocked[r.ProductID] = &api.Quantities{}
			}
			for _, s := range api.States {
				stocked[r.ProductID].Add(s, r.Of(s))
			}
		}
		if page.NextCursor == nil {
			break
		}
		in.Cursor = *page.NextCursor
	}
	return findLow(ctx, site, at, stocked)
}

// findLow reads the catalog and returns the low products.
func findLow(ctx context.Context, site *dock.Site, at dock.Location, stocked map[api.ID]*api.Quantities) ([]LowProduct, error) {
	var out []LowProduct
	limit := int64(100)
	in := api.ListProductsInput{Page: api.Page{Limit: &limit}}
	for {
		page, err := dock.Call(ctx, site, api.ListProducts, in)
		if dock.IsUnsupported(err) {
			return nil, fmt.Errorf("%w%s", ErrUnsupported, site.T().Get("This service does not report reorder points, so low stock is unknown."))
		}
		if err != nil {
			return nil, err
		}
		for _, p := range page.Items {
			q := stocked[p.ID]
			if q == nil && !at.IsSet() {
				q = &api.Quantities{}
			}
			if q != nil && p.Status != api.Archived && p.ReorderPoint != nil && q.Available < *p.ReorderPoint {
				out = append(out, LowProduct{SKU: p.SKU, Name: p.Name, Location: at.Code, Available: q.Available, OnHand: q.OnHand,
					Safety: q.SafetyStock, Incoming: q.Incoming, Reorder: *p.ReorderPoint})
			}
		}
		if page.NextCursor == nil {
			break
		}
		in.Cursor = *page.NextCursor
	}
	slices.SortFunc(out, func(a, b LowProduct) int {
		return cmp.Or(cmp.Compare(float64(a.Available)/float64(a.Reorder), float64(b.Available)/float64(b.Reorder)),
			cmp.Compare(b.Missing(), a.Missing()), cmp.Compare(a.SKU, b.SKU))
	})
	return out, nil
}

// Low returns the factory of the list of low products.
func Low(site *dock.Site) tui.Factory {
	return list(site, func(t *i18n.Translator) kind[LowProduct] {
		return kind[LowProduct]{
			route: "low", title: t.Get("Low stock"), noun: t.Get("low"), question: t.Get("Available stock is below the reorder point"), shortQuestion: t.Get("below reorder"), open: t.Get("explain"), help: t.Get("Explain the balance with its movements"),
			load: func(ctx context.Context, site *dock.Site, at dock.Location, _ int, _ time.Time) ([]LowProduct, bool, error) {
				rows, err := LowProducts(ctx, site, at)
				return rows, false, err
			},
			key:     func(s LowProduct) string { return s.SKU },
			text:    func(s LowProduct) string { return s.SKU + " " + s.Name },
			detail:  func(s LowProduct) string { return s.Name },
			columns: lowColumns, exportColumns: lowExport,
			rowRoute: func(s LowProduct, at dock.Location) string {
				if at.IsSet() {
					return tui.Path("explain", s.SKU+"@"+at.Code)
				}
				return "stock?sku=" + url.QueryEscape(s.SKU)
			},
			empty: func(at dock.Location, _ int) string {
				return t.Get("Nothing is low %s. A product is low when available stock is below its reorder point.", locationText(t, at))
			},
		}
	})
}

func lowColumns(env tui.Env, size tui.Size, _ dock.Location) []widget.Column[LowProduct] {
	t := env.T
	type col = widget.Column[LowProduct]
	number := func(title string, width, rank int, of func(LowProduct) int64) col {
		return col{Title: title, Width: max(width, widget.Width(title)), Right: true, Rank: rank, Cell: func(s LowProduct) string { return t.Count(of(s)) }}
	}
	sku := col{Title: t.Get("product"), Width: 12, Cell: func(s LowProduct) string { return s.SKU }}
	missing := number(t.GetC("missing", "column"), 8, 0, LowProduct.Missing)
	missing.Style = func(s LowProduct, t theme.Theme, text string) string {
		if s.Available == 0 {
			return t.Error.Render(text)
		}
		return t.Warning.Render(text)
	}
	available := number(dock.StateText(t, api.Available), 9, 1, func(s LowProduct) int64 { return s.Available })
	if size.Small() {
		sku.Width = 0
		available.Width, available.Title = 6, t.Get("avail")
		missing.Width = 7
		return []col{sku, available, missing}
	}
	cols := []col{
		{Title: "", Width: 1, Cell: func(s LowProduct) string {
			if s.Available == 0 {
				return theme.GlyphRefused
			}
			return theme.GlyphUnconfirmed
		}},
		sku, {Title: t.Get("name"), Rank: 5, Cell: func(s LowProduct) string { return s.Name }}, available,
		number(t.Get("reorder"), 8, 2, func(s LowProduct) int64 { return s.Reorder }), missing,
		number(dock.StateText(t, api.Incoming), 8, 3, func(s LowProduct) int64 { return s.Incoming }),
	}
	if size.Class == tui.Standard {
		return cols
	}
	return append(cols, number(dock.ShortStateText(t, api.SafetyStock), 7, 6, func(s LowProduct) int64 { return s.Safety }),
		number(dock.StateText(t, api.OnHand), 8, 7, func(s LowProduct) int64 { return s.OnHand }))
}

// numberColumn returns an export column of integers.
func numberColumn[T any](name string, of func(*T) int64) export.Column[T] {
	return export.Column[T]{Name: name, Literal: true, Value: func(r *T) string { return strconv.FormatInt(of(r), 10) }}
}

var lowExport = []export.Column[LowProduct]{
	{Name: "productSku", Value: func(s *LowProduct) string { return s.SKU }}, {Name: "productName", Value: func(s *LowProduct) string { return s.Name }},
	{Name: "locationCode", Value: func(s *LowProduct) string { return s.Location }},
	numberColumn("available", func(s *LowProduct) int64 { return s.Available }), numberColumn("reorderPoint", func(s *LowProduct) int64 { return s.Reorder }),
	numberColumn("missing", func(s *LowProduct) int64 { return s.Missing() }), numberColumn("incoming", func(s *LowProduct) int64 { return s.Incoming }),
	numberColumn("safetyStock", func(s *LowProduct) int64 { return s.Safety }), numberColumn("onHand", func(s *LowProduct) int64 { return s.OnHand }),
}
