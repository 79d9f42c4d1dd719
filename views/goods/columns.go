package goods

import (
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/widget"
)

// columns returns the columns of the product list for a size class.
func (s *list) columns(class tui.Class) []widget.Column[api.Product] {
	muted := func(p api.Product, t theme.Theme, text string) string {
		if p.Status == api.Archived {
			return t.Muted.Render(text)
		}
		return text
	}
	column := func(title string, width, rank int, cell func(p api.Product) string) widget.Column[api.Product] {
		return widget.Column[api.Product]{Title: title, Width: width, Rank: rank, Cell: cell, Style: muted}
	}
	sku := column(s.site.T().Get("sku"), 12, 0, func(p api.Product) string { return p.SKU })
	if class == tui.Narrow {
		sku = column(s.site.T().Get("sku"), 0, 0, func(p api.Product) string { return strings.TrimSpace(p.SKU + "  " + s.archived(p)) })
		return []widget.Column[api.Product]{sku}
	}
	columns := []widget.Column[api.Product]{sku,
		column(s.site.T().Get("name"), 0, 0, func(p api.Product) string { return p.Name }),
		column(s.site.T().Get("barcode"), 14, 3, func(p api.Product) string { return firstNonEmpty(p.Barcodes...) }),
		column(s.site.T().Get("boxes"), 9, 4, func(p api.Product) string { return packagingText(s.site.T(), &p) }),
		column(s.site.T().Get("tracked"), 7, 2, func(p api.Product) string { return shortTrackingText(s.site.T(), p.Tracking) })}
	if class > tui.Standard {
		columns = append(columns, column(s.site.T().Get("unit"), 8, 6, func(p api.Product) string { return p.BaseUnitCode }),
			column(s.site.T().Get("reorder"), 8, 5, func(p api.Product) string { return reorderText(s.site.T(), &p) }))
		columns[len(columns)-1].Right = true
	}
	if slices.ContainsFunc(s.panel.Rows(), func(p api.Product) bool { return p.Status == api.Archived }) {
		columns = append(columns, column("", 8, 1, s.archived))
	}
	if class == tui.Short {
		return append(columns[:2:2], columns[4:]...)
	}
	return columns
}

// archived returns a text for archived products, which are not marked by color
// alone.
func (s *list) archived(p api.Product) string {
	if p.Status == api.Archived {
		return s.site.T().Get("archived")
	}
	return ""
}
