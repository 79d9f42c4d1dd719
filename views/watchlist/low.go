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
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/balances/catalogue"
	"bincard/views/dock"
	"bincard/views/export"
)

// A Short is a product of which less is available than its reorder point.
type Short struct {
	SKU       string `json:"productSku"`
	Name      string `json:"productName"`
	Place     string `json:"locationCode,omitempty"` // "" for all places together
	Available int64  `json:"available"`
	OnHand    int64  `json:"onHand"`
	Safety    int64  `json:"safetyStock"`
	Incoming  int64  `json:"incoming"`
	Reorder   int64  `json:"reorderPoint"`
}

// Missing is how much is missing until the reorder point is reached.
func (s Short) Missing() int64 { return s.Reorder - s.Available }

// Shortages are the products that are low at a place, of those that are kept
// there; for the zero place those of which all places together have too little.
// The worst come first.
func Shortages(ctx context.Context, site *dock.Site, at dock.Place) ([]Short, error) {
	kept := map[api.ID]*api.Quantities{}
	limit := int64(500)
	in := api.ReportSnapshotInput{LocationID: at.ID, Limit: &limit}
	for {
		page, err := catalogue.Snapshot(ctx, site, in)
		if err != nil {
			return nil, err
		}
		for i := range page.Items {
			r := &page.Items[i]
			if kept[r.ProductID] == nil {
				kept[r.ProductID] = &api.Quantities{}
			}
			for _, s := range api.States {
				kept[r.ProductID].Add(s, r.Of(s))
			}
		}
		if page.NextCursor == nil {
			break
		}
		in.Cursor = *page.NextCursor
	}
	return short(ctx, site, at, kept)
}

// short goes through the catalogue for products that are low.
func short(ctx context.Context, site *dock.Site, at dock.Place, kept map[api.ID]*api.Quantities) ([]Short, error) {
	var out []Short
	limit := int64(100)
	in := api.ListProductsInput{Limit: &limit}
	for {
		page, err := dock.Ask(ctx, site, api.ListProducts, in)
		if dock.Missing(err) {
			return nil, fmt.Errorf("%w%s", ErrUntold, noReorder)
		}
		if err != nil {
			return nil, err
		}
		for _, p := range page.Items {
			q := kept[p.ID]
			if q == nil && !at.Chosen() {
				q = &api.Quantities{}
			}
			if q != nil && p.Status != api.Archived && p.ReorderPoint != nil && q.Available < *p.ReorderPoint {
				out = append(out, Short{SKU: p.SKU, Name: p.Name, Place: at.Code, Available: q.Available, OnHand: q.OnHand,
					Safety: q.SafetyStock, Incoming: q.Incoming, Reorder: *p.ReorderPoint})
			}
		}
		if page.NextCursor == nil {
			break
		}
		in.Cursor = *page.NextCursor
	}
	slices.SortFunc(out, func(a, b Short) int {
		return cmp.Or(cmp.Compare(float64(a.Available)/float64(a.Reorder), float64(b.Available)/float64(b.Reorder)),
			cmp.Compare(b.Missing(), a.Missing()), cmp.Compare(a.SKU, b.SKU))
	})
	return out, nil
}

// Low makes the factory of the list of products that run short.
func Low(site *dock.Site) tui.Factory {
	return list(site, kind[Short]{
		route: "low", title: saidLowStock, noun: nounLow, ask: askLow, short: shortLow, open: labelExplain, help: helpExplainLow,
		load: func(ctx context.Context, site *dock.Site, at dock.Place, _ int, _ time.Time) ([]Short, bool, error) {
			rows, err := Shortages(ctx, site, at)
			return rows, false, err
		},
		key:     func(s Short) string { return s.SKU },
		text:    func(s Short) string { return s.SKU + " " + s.Name },
		aside:   func(s Short) string { return s.Name },
		columns: shortColumns, sheet: shortSheet,
		opens: func(s Short, at dock.Place) string {
			if at.Chosen() {
				return tui.Path("explain", s.SKU+"@"+at.Code)
			}
			return "stock?sku=" + url.QueryEscape(s.SKU)
		},
		empty: func(at dock.Place, _ int) string { return fmt.Sprintf(emptyLow, where(at)) },
	})
}

func shortColumns(_ tui.Env, size tui.Size, _ dock.Place) []widget.Column[Short] {
	type col = widget.Column[Short]
	number := func(title string, width, rank int, of func(Short) int64) col {
		return col{Title: title, Width: width, Right: true, Rank: rank, Cell: func(s Short) string { return widget.Count(of(s)) }}
	}
	sku := col{Title: columnProduct, Width: 12, Cell: func(s Short) string { return s.SKU }}
	missing := number("missing", 8, 0, Short.Missing)
	missing.Style = func(s Short, t theme.Theme, text string) string {
		if s.Available == 0 {
			return t.Error.Render(text)
		}
		return t.Warning.Render(text)
	}
	available := number("available", 9, 1, func(s Short) int64 { return s.Available })
	if size.Small() {
		sku.Width = 0
		available.Width, available.Title = 6, "avail"
		missing.Width = 7
		return []col{sku, available, missing}
	}
	cols := []col{
		{Title: "", Width: 1, Cell: func(s Short) string {
			if s.Available == 0 {
				return theme.GlyphRefused
			}
			return theme.GlyphUnconfirmed
		}},
		sku, {Title: columnName, Rank: 5, Cell: func(s Short) string { return s.Name }}, available,
		number("reorder", 8, 2, func(s Short) int64 { return s.Reorder }), missing,
		number("incoming", 8, 3, func(s Short) int64 { return s.Incoming }),
	}
	if size.Class == tui.Standard {
		return cols
	}
	return append(cols, number("safety", 7, 6, func(s Short) int64 { return s.Safety }),
		number(saidOnHand, 8, 7, func(s Short) int64 { return s.OnHand }))
}

// number is a column of whole numbers in a file.
func number[T any](name string, of func(*T) int64) export.Column[T] {
	return export.Column[T]{Name: name, Plain: true, Of: func(r *T) string { return strconv.FormatInt(of(r), 10) }}
}

var shortSheet = []export.Column[Short]{
	{Name: "productSku", Of: func(s *Short) string { return s.SKU }}, {Name: "productName", Of: func(s *Short) string { return s.Name }},
	{Name: "locationCode", Of: func(s *Short) string { return s.Place }},
	number("available", func(s *Short) int64 { return s.Available }), number("reorderPoint", func(s *Short) int64 { return s.Reorder }),
	number("missing", func(s *Short) int64 { return s.Missing() }), number("incoming", func(s *Short) int64 { return s.Incoming }),
	number("safetyStock", func(s *Short) int64 { return s.Safety }), number("onHand", func(s *Short) int64 { return s.OnHand }),
}
