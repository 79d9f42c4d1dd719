package outbounds

import (
	"cmp"
	"slices"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/names"
)

// sortByDue sorts orders by ship date. Those without a date come last, oldest first.
func sortByDue(rows []api.Outbound) {
	slices.SortStableFunc(rows, func(a, b api.Outbound) int {
		switch {
		case a.ExpectedShipAt != nil && b.ExpectedShipAt != nil && !a.ExpectedShipAt.Equal(*b.ExpectedShipAt):
			return a.ExpectedShipAt.Compare(*b.ExpectedShipAt)
		case a.ExpectedShipAt != nil && b.ExpectedShipAt == nil:
			return -1
		case a.ExpectedShipAt == nil && b.ExpectedShipAt != nil:
			return 1
		}
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), slices.Compare(a.ID[:], b.ID[:]))
	})
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

// A lineShare is the quantity of a line to fulfill.
type lineShare struct {
	line   api.OutboundLine
	pieces int64
	named  int64 // by serial or lot
}

// allocate divides a quantity over the lines like the service: named serials and lots go
// to their own line, the rest fills the lines in order.
func allocate(parts []lineShare) []int64 {
	out := make([]int64, len(parts))
	rest := int64(0)
	for i, p := range parts {
		out[i] = p.named
		rest += p.pieces - out[i]
	}
	for i, p := range parts {
		more := max(0, min(rest, p.line.PendingFulfillmentQuantity-out[i]))
		out[i] += more
		rest -= more
	}
	return out
}

// firstMismatch returns the first line whose allocated quantity would differ from
// its count.
func firstMismatch(parts []lineShare) (at int, allocated int64, ok bool) {
	for i, n := range allocate(parts) {
		if n != parts[i].pieces {
			return i, n, true
		}
	}
	return 0, 0, false
}
