package e2e_test

import (
	"fmt"
	"strings"

	"bincard/server/api"
)

// A dayWorker counts its scans and keys.
type dayWorker struct {
	*screenWorker
	day         *day
	scans, keys int
}

func (w *dayWorker) scanCode(code string) { w.scans++; w.scan(code) }

func (w *dayWorker) pressKey(key string) { w.keys++; w.key(key) }

// openDocument scans a document and waits until it shows its number of lines.
func (w *dayWorker) openDocument(reference string, lines int) {
	w.t.Helper()
	w.scanCode(reference)
	if w.height == 24 {
		w.waitFor(" › " + reference)
	} else {
		w.waitFor(fmt.Sprintf("%d lines to go", lines), "now 0")
	}
}

// scanLabel scans a label with the lot, if the product has lots.
func (w *dayWorker) scanLabel(p dayProduct, code, lot string) {
	w.t.Helper()
	if lot != "" {
		code = "01" + fmt.Sprintf("%014s", code) + "10" + lot
		if code == w.last {
			code = "]C1" + code
		}
	}
	w.scanCode(code)
}

// counted waits until n pieces of a line and total of the document are counted. A complete
// line makes way for the next one; others is how many are left then.
func (w *dayWorker) counted(verb string, p dayLine, n, total int64, others int) {
	w.t.Helper()
	switch {
	case w.height == 24:
		w.waitFor(fmt.Sprintf("enter %s %d", verb, total))
	case n < p.quantity || verb == "fulfill" && others == 0:
		w.waitFor(strings.Replace(p.sku, "ITEM-", "Item ", 1), fmt.Sprintf("now %d", n))
	case others > 1:
		w.waitFor(fmt.Sprintf("%d lines to go", others), "now 0")
	case others == 1:
		w.waitFor("1 line to go", "now 0")
	default:
		w.waitFor("all counted")
	}
}

// receive receives the deliveries: a scan for each box, and enter.
func (w *dayWorker) receive() {
	w.t.Helper()
	for i := range w.day.deliveries {
		reference := fmt.Sprintf("PO-D%d", i)
		w.openDocument(reference, dayLines)
		var total int64
		for k, p := range w.day.delivered(i) {
			lot := ""
			if p.lot != "" {
				lot = fmt.Sprintf("NEW-%d", i)
			}
			for n := int64(dayBox); n <= p.quantity; n += dayBox {
				total += dayBox
				w.scanLabel(p.dayProduct, p.box, lot)
				w.counted("receive", p, n, total, dayLines-1-k)
			}
			w.day.want[api.OpInboundReceive][p.lotKey(lot)] += p.quantity
		}
		w.pressKey("Enter")
		w.waitFor(fmt.Sprintf("Received %d", total))
	}
}

// fulfill fulfills the orders: a scan and "+" for each line, and enter.
func (w *dayWorker) fulfill() {
	w.t.Helper()
	for i := range w.day.orders {
		reference := fmt.Sprintf("SO-D%d", i)
		w.openDocument(reference, 2)
		var total int64
		lines := w.day.ordered(i)
		for k, p := range lines {
			others := len(lines) - 1 - k
			w.scanLabel(p.dayProduct, p.piece, p.lot)
			w.counted("fulfill", p, 1, total+1, others)
			total += p.quantity
			if p.quantity > 1 {
				w.pressKey("+")
				w.counted("fulfill", p, p.quantity, total, others)
			}
			w.day.want[api.OpOutboundFulfill][p.lotKey(p.lot)] -= p.quantity
		}
		w.pressKey("Enter")
		w.waitFor(fmt.Sprintf("Fulfilled %d", total))
	}
}

// countedAt waits until n pieces of a product are counted.
func (w *dayWorker) countedAt(n int64) {
	w.t.Helper()
	switch {
	case w.height < 24:
		w.waitFor(fmt.Sprintf("now %d of %d", n, dayShelf))
	case n == 0:
		w.waitFor("0 of 1 counted")
	default:
		w.awaitFact(fmt.Sprintf("has counted %d", n), func(view string) bool { return strings.HasSuffix(lastFeedLine(view), fmt.Sprintf(" %d", n)) })
	}
}

// count counts one product after the other by scanning its boxes and pieces, finds one
// piece fewer than recorded and posts that.
func (w *dayWorker) count() {
	w.t.Helper()
	for _, p := range w.day.shelf {
		w.pressKey("Escape")
		w.waitFor("7 Reservations")
		w.scanCode(p.sku)
		w.waitFor("8 Count")
		w.pressKey("8")
		w.countedAt(0)
		for n := int64(0); n < dayShelf-1; {
			code, step := p.box, int64(dayBox)
			if n+step > dayShelf-1 {
				code, step = p.piece, 1
			}
			n += step
			w.scanLabel(p, code, p.lot)
			w.countedAt(n)
		}
		w.pressKey("Enter")
		w.waitFor("enter to post")
		w.pressKey("Enter")
		w.waitFor("Adjust " + p.sku)
		w.pressKey("Enter")
		w.waitFor(p.sku + "@WH-1 counted: 1 adjusted")
		w.day.want[api.OpReconcile][p.lotKey(p.lot)]--
		w.pressKey("Escape")
		w.waitFor("8 Count")
	}
}
