package products

import (
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/listscreen"
	"bincard/views/names"
)

// columns returns the columns of the list for a size.
func columns(t *i18n.Translator, s *listscreen.Screen, size tui.Size) []widget.Column[*api.Product] {
	muted := func(p *api.Product) bool { return p.Status == api.Archived }
	column := func(title string, width, rank int, cell func(p *api.Product) string) widget.Column[*api.Product] {
		return widget.Column[*api.Product]{Title: title, Width: width, Rank: rank, Cell: cell, Muted: muted}
	}
	sku := column(t.Get("sku"), 12, 0, func(p *api.Product) string { return p.SKU })
	sku.Sort = "sku"
	if size.Class == tui.Narrow {
		sku = column(t.Get("sku"), 0, 0,
			func(p *api.Product) string { return strings.TrimSpace(p.SKU + "  " + archived(t, p)) })
		return []widget.Column[*api.Product]{sku}
	}

	tracked := t.Get("tracked")
	columns := []widget.Column[*api.Product]{
		sku,
		column(t.Get("name"), 0, 0, func(p *api.Product) string { return p.Name }),
		column(t.Get("barcode"), 14, 3, func(p *api.Product) string { return firstNonEmpty(p.Barcodes...) }),
		column(t.Get("boxes"), 9, 4, func(p *api.Product) string { return packagingText(t, p) }),
		column(tracked, max(7, widget.Width(tracked)), 2,
			func(p *api.Product) string { return names.Tracking(t, p.Tracking) }),
	}

	columns[1].Sort, columns[4].Sort = "name", "tracked"
	if size.Class > tui.Standard {
		columns = append(
			columns,
			column(t.Get("unit"), 8, 6, func(p *api.Product) string { return names.Unit(t, p.BaseUnitCode) }),
			column(t.Get("reorder"), 8, 5, func(p *api.Product) string { return reorderText(t, p) }),
		)
		last := &columns[len(columns)-1]
		last.Right, last.Sort, last.Number = true, "reorder", func(p *api.Product) int64 {
			if p.ReorderPoint == nil {
				return -1
			}
			return *p.ReorderPoint
		}
	}

	if slices.ContainsFunc(listscreen.Rows[*api.Product](s), muted) {
		columns = append(columns, column("", 8, 1, func(p *api.Product) string { return archived(t, p) }))
	}
	if size.Class == tui.Short {
		return append(columns[:2:2], columns[5:]...) // the name needs the room
	}

	return columns
}

// archived returns a text for archived products, which are not marked by color
// alone.
func archived(t *i18n.Translator, p *api.Product) string {
	if p.Status == api.Archived {
		return names.Status(t, p.Status)
	}
	return ""
}
