package outbounds

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/dock"
)

// SortByDue sorts orders by what must leave first; what has no date comes last,
// oldest first.
func SortByDue(rows []api.Outbound) {
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

// IsLate tells whether an order should have left by now.
func IsLate(o *api.Outbound, now time.Time) bool {
	return o.Status.Open() && o.ExpectedShipAt != nil && o.ExpectedShipAt.Before(now)
}

// productText is the product of an order in short: its SKU, and how many lines more.
func productText(t *i18n.Translator, o *api.Outbound) string {
	text := dock.ProductSKU(o.Product, o.ProductID)
	if n := len(o.Lines); n > 1 {
		text += " +" + t.Count(int64(n-1))
	}
	return text
}

// lines are the lines of an order; a service that sends none has one product.
func lines(o *api.Outbound) []api.OutboundLine {
	if len(o.Lines) > 0 {
		return o.Lines
	}
	return []api.OutboundLine{{ID: o.ID, OutboundID: o.ID, ProductID: o.ProductID, LocationID: o.LocationID,
		Progress: o.Progress, Product: o.Product}}
}

// recentOrders are the orders that were opened in this session, the newest first.
type recentOrders struct {
	mu   sync.Mutex
	docs []api.Outbound
}

func (r *recentOrders) add(o api.Outbound) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.docs = slices.DeleteFunc(r.docs, func(x api.Outbound) bool { return x.ID == o.ID })
	r.docs = append([]api.Outbound{o}, r.docs...)
	r.docs = r.docs[:min(20, len(r.docs))]
}

func (r *recentOrders) all() []api.Outbound {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.docs)
}

// A lineShare is how much of a line leaves.
type lineShare struct {
	line    api.OutboundLine
	pieces  int64
	serials []string
}

// allocate is how the service divides a quantity over the lines: named pieces go
// to their own, the rest fills the lines in order.
func allocate(parts []lineShare) []int64 {
	out := make([]int64, len(parts))
	rest := int64(0)
	for i, p := range parts {
		out[i] = int64(len(p.serials))
		rest += p.pieces - out[i]
	}
	for i, p := range parts {
		more := max(0, min(rest, p.line.PendingFulfillmentQuantity-out[i]))
		out[i] += more
		rest -= more
	}
	return out
}

// firstMismatch finds the first line of which another quantity would leave than was
// counted: an order's quantity fills its lines in order.
func firstMismatch(parts []lineShare) (at int, would int64, ok bool) {
	for i, n := range allocate(parts) {
		if n != parts[i].pieces {
			return i, n, true
		}
	}
	return 0, 0, false
}
