package outbounds

import (
	"context"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/names"
	"bincard/views/session"
)

// openOrders returns the open orders at a location, the first due first; more reports
// whether there are others.
func openOrders(
	ctx context.Context,
	site *session.Site,
	at session.Location,
) (rows []api.Outbound, more bool, err error) {
	rows, more, err = site.Outbounds(ctx, at)
	sortByDue(rows)
	return rows, more, err
}

// sortByDue sorts orders by ship date.
func sortByDue(rows []api.Outbound) {
	slices.SortFunc(rows, func(a, b api.Outbound) int { return due(&a).Compare(due(&b)) })
}

func due(o *api.Outbound) session.Due {
	return session.Due{At: o.Due(time.UTC), Created: o.CreatedAt, Reference: names.Outbound(o), ID: o.ID}
}

// productText returns the SKU of the first product and the number of further lines.
func productText(t *i18n.Translator, o *api.Outbound) string {
	text := names.ProductSKU(o.Product, o.ProductID)
	if n := len(o.Lines); n > 1 {
		text += " +" + t.Count(int64(n-1))
	}
	return text
}

// lines returns the lines of an order. An order without lines has a single product.
func lines(o *api.Outbound) []api.OutboundLine {
	if len(o.Lines) > 0 {
		return o.Lines
	}
	return []api.OutboundLine{{ID: o.ID, OutboundID: o.ID, ProductID: o.ProductID, LocationID: o.LocationID,
		Progress: o.Progress, Product: o.Product}}
}
