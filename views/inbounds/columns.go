package inbounds

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/alerts"
	"bincard/views/listscreen"
	"bincard/views/listsort"
	"bincard/views/names"
	"bincard/views/session"
)

// sortByDue sorts inbounds by due date. Those without a date come last, oldest
// first.
func sortByDue(rows []api.Inbound) {
	slices.SortStableFunc(rows, func(a, b api.Inbound) int {
		switch {
		case a.ExpectedAt != nil && b.ExpectedAt != nil && !a.ExpectedAt.Equal(*b.ExpectedAt):
			return a.ExpectedAt.Compare(*b.ExpectedAt)
		case (a.ExpectedAt == nil) != (b.ExpectedAt == nil):
			return cmp.Compare(boolInt(a.ExpectedAt == nil), boolInt(b.ExpectedAt == nil))
		case !a.CreatedAt.Equal(b.CreatedAt):
			return a.CreatedAt.Compare(b.CreatedAt)
		}
		return slices.Compare(a.ID[:], b.ID[:])
	})
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func sku(in *api.Inbound) string { return names.ProductSKU(in.Product, in.ProductID) }

func name(in *api.Inbound) string { return names.ProductName(in.Product) }

// orders returns the columns by which the list can be sorted.
func orders(t *i18n.Translator) []listsort.Order[api.Inbound] {
	return []listsort.Order[api.Inbound]{
		listsort.Time("due", t.Get("due"), func(in *api.Inbound) *time.Time { return in.ExpectedAt }),
		listsort.Text("document", t.Get("inbound"), names.Inbound),
		listsort.Text("product", t.Get("product"), func(in *api.Inbound) string { return cmp.Or(name(in), sku(in)) }),
		listsort.Text("sku", t.Get("sku"), sku),
		listsort.Number("pending", t.Get("to go"), func(in *api.Inbound) int64 { return in.Pending() }),
		listsort.Number("expected", t.Get("expected"), func(in *api.Inbound) int64 { return in.ExpectedQuantity }),
		listsort.Text("supplier", t.Get("from"), func(in *api.Inbound) string { return in.SupplierName }),
	}
}

// columns returns the columns of the list for a size.
func columns(site *session.Site, env tui.Env, size tui.Size) []widget.Column[api.Inbound] {
	t := env.T

	columns := []widget.Column[api.Inbound]{
		{Title: t.Get("inbound"), Width: 14, Sort: "document", Cell: func(in api.Inbound) string { return site.SyncBadge(in.ID) + names.Inbound(&in) }},
		{Title: t.Get("due"), Width: 18, Rank: 3, Sort: "due",
			Cell: func(in api.Inbound) string {
				if in.ExpectedAt == nil {
					return ""
				}
				due := t.When(*in.ExpectedAt, env.Now())
				if alerts.IsInboundLate(&in, env.Now()) {
					return theme.GlyphRefused + " " + due
				}
				return "  " + due
			},
			Style: func(in api.Inbound, th theme.Theme, text string) string {
				if alerts.IsInboundLate(&in, env.Now()) {
					return th.Warning.Render(text)
				}
				return text
			}},
		{Title: t.Get("product"), Rank: 4, Sort: "product", Cell: func(in api.Inbound) string { return cmp.Or(name(&in), sku(&in)) }},
		{Title: t.Get("sku"), Width: 10, Rank: 7, Sort: "sku", Cell: func(in api.Inbound) string { return sku(&in) }},
		{Title: t.Get("to go"), Width: 7, Right: true, Rank: 1, Sort: "pending", Cell: func(in api.Inbound) string {
			if size.Small() && alerts.IsInboundLate(&in, env.Now()) { // no room for the date
				return fmt.Sprintf("%d%s", in.Pending(), theme.GlyphRefused)
			}
			return t.Count(in.Pending())
		}},
		{Title: t.Get("expected"), Width: 8, Right: true, Rank: 8, Sort: "expected", Cell: func(in api.Inbound) string { return t.Count(in.ExpectedQuantity) }},
		{Title: t.Get("from"), Width: 13, Rank: 6, Sort: "supplier", Cell: func(in api.Inbound) string { return in.SupplierName }},
		{Title: t.Get("at"), Width: 6, Rank: 9, Cell: func(in api.Inbound) string { return session.LocationOf(in.Location).Code }},
	}
	if size.Class == tui.Narrow { // the whole name, and the quantity
		return listscreen.NarrowColumns(columns, t.Get("inbound"), t.Get("to go"))
	}
	return columns
}
