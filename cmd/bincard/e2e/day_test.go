package e2e_test

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// A day is the work of one receiver and picker. BINCARD_DAY=full runs the whole day,
// which takes some minutes; otherwise a short one runs.
type day struct {
	*company
	deliveries, orders, counts int

	products []dayProduct                               // ordered and delivered
	shelf    []dayProduct                               // counted, with dayShelf of each
	want     map[api.MovementOperation]map[string]int64 // pieces by "SKU lot"
}

// A dayProduct comes in boxes of 6. Each third product is tracked by lot.
type dayProduct struct {
	id         api.ID
	sku        string
	piece, box string
	lot        string // of the opening stock; "" if not tracked
}

const (
	dayProducts = 24
	dayLines    = 12 // of each delivery
	dayBox      = 6
	dayShelf    = 27
)

// withCheckDigit appends the check digit to the digits of a GTIN.
func withCheckDigit(digits string) string {
	sum := 0
	for i := range digits {
		weight := 1 + 2*((len(digits)-i)%2)
		sum += int(digits[i]-'0') * weight
	}
	return fmt.Sprintf("%s%d", digits, (10-sum%10)%10)
}

func newDay(c *company) *day {
	d := &day{company: c, deliveries: 2, orders: 3, counts: 1, want: map[api.MovementOperation]map[string]int64{
		api.OpInboundReceive: {}, api.OpOutboundFulfill: {}, api.OpReconcile: {}}}
	if os.Getenv("BINCARD_DAY") == "full" {
		d.deliveries, d.orders, d.counts = 40, 60, 5
	}
	c.withLedger(func(l *ledger.Ledger) { d.addDocuments(c.service(l)) })
	return d
}

// addProduct creates the product of a number with an opening stock.
func (d *day) addProduct(svc api.Service, i int, quantity int64) dayProduct {
	p := dayProduct{sku: fmt.Sprintf("ITEM-%02d", i), piece: withCheckDigit(fmt.Sprintf("95213000%04d", i)), box: withCheckDigit(fmt.Sprintf("195213000%04d", i))}
	in := api.CreateProductInput{SKU: p.sku, Name: fmt.Sprintf("Item %02d", i), Barcodes: []string{p.piece},
		Units: []api.Unit{{UnitCode: "box", Factor: dayBox, Barcodes: []string{p.box}}}}
	if i%3 == 0 {
		p.lot, in.Tracking = fmt.Sprintf("OLD-%02d", i), api.TrackLot
	}
	p.id = do(d.t, svc, api.CreateProduct, in).ID
	stock := do(d.t, svc, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: p.id, LocationID: d.main}, ExpectedQuantity: quantity}).Inbound
	receipt := api.ReceiveInboundInput{InboundID: stock.ID, Quantity: quantity}
	if p.lot != "" {
		receipt.NewLot = api.NewLot{LotCode: p.lot}
	}
	do(d.t, svc, api.ReceiveInbound, receipt)
	d.want[api.OpInboundReceive][p.lotKey(p.lot)] = quantity
	return p
}

// addDocuments creates the products with an opening stock of 600 each, the products to
// count, the deliveries, of 12 lines of 1 to 3 boxes each, and the orders, of 2 lines of 1
// to 9 pieces each.
func (d *day) addDocuments(svc api.Service) {
	for i := range dayProducts {
		d.products = append(d.products, d.addProduct(svc, i, 600))
	}
	for i := range d.counts {
		d.shelf = append(d.shelf, d.addProduct(svc, dayProducts+i, dayShelf))
	}
	for i := range d.deliveries {
		for _, p := range d.delivered(i) {
			do(d.t, svc, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: p.id, LocationID: d.main},
				ExpectedQuantity: p.quantity, Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: fmt.Sprintf("PO-D%d", i)}})
		}
	}
	for i := range d.orders {
		var lines []api.OutboundLineInput
		for _, p := range d.ordered(i) {
			lines = append(lines, api.OutboundLineInput{ProductID: p.id, RequestedQuantity: p.quantity})
		}
		do(d.t, svc, api.CreateOutbound, api.CreateOutboundInput{LocationID: d.main, Lines: lines, CustomerName: "Café Lumen",
			Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: fmt.Sprintf("SO-D%d", i)}})
	}
}

// A dayLine is a line of a delivery or of an order.
type dayLine struct {
	dayProduct
	quantity int64
}

// lotKey names a lot of the product in d.want.
func (p dayProduct) lotKey(lot string) string { return p.sku + " " + lot }

// delivered returns the lines of a delivery in the order in which they come off the truck,
// which is not that of the document.
func (d *day) delivered(i int) []dayLine {
	var all []dayLine
	for k := range dayLines {
		p := d.products[(5*i+7*k)%dayProducts]
		all = append(all, dayLine{p, dayBox * int64(1+(i+k)%3)})
	}
	return all
}

// ordered returns the two lines of an order.
func (d *day) ordered(i int) []dayLine {
	return []dayLine{{d.products[i%dayProducts], int64(1 + i%9)}, {d.products[(i+5)%dayProducts], int64(2 + i%5)}}
}

// requireDay requires that the ledger has exactly the work of the day, by lot.
func (d *day) requireDay() {
	d.t.Helper()
	d.withLedger(func(l *ledger.Ledger) {
		svc, got := d.service(l), map[api.MovementOperation]map[string]int64{}
		for _, p := range slices.Concat(d.products, d.shelf) {
			lots := map[api.ID]string{}
			for _, lot := range do(d.t, svc, api.ListLots, api.ListLotsInput{ProductID: p.id}).Items {
				lots[lot.ID] = lot.LotCode
			}
			balance := d.balance(svc, p.id, d.main)
			for _, m := range do(d.t, svc, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: balance.ID}).Movements {
				if m.InventoryState != api.OnHand {
					continue
				}
				if got[m.Operation] == nil {
					got[m.Operation] = map[string]int64{}
				}
				got[m.Operation][p.lotKey(lots[m.LotID])] += m.Quantity
			}
		}
		for operation, want := range d.want {
			if len(want) > 0 {
				require.Equal(d.t, want, got[operation], operation)
			}
		}
	})
}

// TestDay_OnScreen does a day of deliveries, orders and counts at two sizes, and logs the
// keys and scans it took.
func TestDay_OnScreen(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {20, 16}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c := newCompany(t, h.path("data"))
			d := newDay(c)
			w := &dayWorker{day: d, screenWorker: &screenWorker{screen: h.openScreen(size[0], size[1], "--data", c.dir, "--location", "WH-1")}}
			w.waitFor("1 Receive")
			w.fulfill()
			t.Logf("%d orders: %d scans, %d keys", d.orders, w.scans, w.keys)
			w.scans, w.keys = 0, 0
			w.receive()
			t.Logf("%d deliveries: %d scans, %d keys", d.deliveries, w.scans, w.keys)
			w.scans, w.keys = 0, 0
			w.count()
			t.Logf("%d counts: %d scans, %d keys", d.counts, w.scans, w.keys)
			w.key("C-q").requireExit(0)
			d.requireDay()
		})
	}
}
