package e2e_test

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/budget"
	"bincard/server/ledger"
)

// An announcedWorker receives deliveries and counts the scans and keys that it takes.
type announcedWorker struct {
	worker
	scans, keys int
	lineMode    bool
}

func (w *announcedWorker) scanCode(code string) {
	w.scans++
	w.scan(code)
}

// says waits for a text of line mode, or for the number of counted pieces on a screen.
func (w *announcedWorker) says(line string, total int64) {
	if w.lineMode {
		w.expect(line, "> ")
		return
	}
	w.worker.(*screenWorker).waitFor(fmt.Sprintf("enter receive %d", total))
}

// receive receives a delivery: one scan for each pallet, else what is on the labels.
func (w *announcedWorker) receive(d *announcedDelivery) {
	w.scans++ // of the reference
	w.open("receive " + d.reference)
	if w.lineMode {
		w.expect("RECEIVE "+d.reference, "> ")
	}
	var total, pallet int64
	for i, l := range d.lines {
		if l.pallet == "" {
			w.receiveLoose(&l, &total)
			continue
		}
		total, pallet = total+l.quantity, pallet+l.quantity
		if i+1 < len(d.lines) && d.lines[i+1].pallet == l.pallet {
			continue
		}
		code := "]C100" + l.pallet
		if i%2 == 0 { // a scanner that sends no prefix
			code = "00" + l.pallet
		}
		w.scanCode(code)
		w.says(fmt.Sprintf("ok  +%d pallet", pallet), total)
		pallet = 0
	}
	w.keys++
	w.action("book")
	if w.lineMode {
		w.expect(fmt.Sprintf("Received %d of ", total), ": complete", "> ")
	} else {
		w.worker.(*screenWorker).waitFor(fmt.Sprintf("Received %d of ", total), "This delivery is complete")
	}
}

// receiveLoose counts a line by scans of its labels.
func (w *announcedWorker) receiveLoose(l *announcedLine, total *int64) {
	p := announcedProducts[l.product]
	switch {
	case l.lot != "" && l.number%2 == 0: // the label has the quantity
		*total += l.quantity
		w.scanCode(fmt.Sprintf("]C1010%s17%s10%s\x1d30%d", p.barcode, expiry("060102"), l.lot, l.quantity))
		w.says(fmt.Sprintf("ok  +%d piece", l.quantity), *total)
	case l.lot != "":
		w.scanCode(fmt.Sprintf("]C1010%s17%s10%s", p.barcode, expiry("060102"), l.lot))
		w.fill(l, total)
	case len(l.serials) > 0:
		for _, serial := range l.serials {
			*total++
			w.scanCode(fmt.Sprintf("010%s21%s", p.barcode, serial))
			w.says("ok  +1 serial "+serial, *total)
		}
	default:
		w.scanCode(p.barcode)
		w.fill(l, total)
	}
}

// fill waits until one piece of a line is counted, and types the quantity.
func (w *announcedWorker) fill(l *announcedLine, total *int64) {
	w.says("ok  +1 piece", *total+1)
	*total += l.quantity
	if l.quantity > 1 {
		w.keys += len(fmt.Sprint(l.quantity)) + 1
		w.number(l.quantity)
		w.says(fmt.Sprintf("ok  now %d", l.quantity), *total)
	}
}

// TestAnnounced_FileReceivedByScans imports a file of deliveries, receives all of them by
// scans, most in line mode and the others on a screen, and exports the receipts. The ledger
// and the exports agree with the file line by line.
func TestAnnounced_FileReceivedByScans(t *testing.T) {
	t.Parallel()
	n := budget.AnnouncedDeliveries.Cases(t)
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	service := h.serve(c, "")
	at := h.withService(c, service.url)
	deliveries := announcedDeliveries(n)
	file := announcedFile(deliveries)
	products := "sku,name,barcode,tracking\n"
	for _, p := range announcedProducts {
		products += fmt.Sprintf("%s,%s,%s,%s\n", p.sku, p.sku, p.barcode, p.tracking)
	}
	for name, text := range map[string]string{"products.csv": products, "deliveries.csv": file} {
		require.NoError(t, os.WriteFile(h.path(name), []byte(text), 0o600))
	}
	at.mustRun("import", "products", h.path("products.csv"))
	started := time.Now()
	require.Contains(t, at.mustRun("import", "inbounds", h.path("deliveries.csv")), fmt.Sprintf("%d lines of %d inbounds, %d imported.", n*25/2, n, n))
	t.Logf("%d lines of %d deliveries imported in %v", n*25/2, n, time.Since(started).Round(time.Millisecond))

	started = time.Now()
	t.Run("work", func(t *testing.T) {
		at := *at
		for _, location := range []string{"WH-1", "ST-1"} {
			t.Run("line mode "+location, func(t *testing.T) {
				t.Parallel()
				at := at
				at.t = t
				term, cmd := at.openPlain("--location", location, "--operator", "Ada")
				w := &announcedWorker{worker: &lineWorker{sshTerminal: term, lastQuit: func() { require.NoError(t, cmd.Wait()) }}, lineMode: true}
				w.receiveAll(t, deliveries, func(i int, d *announcedDelivery) bool { return d.location == location && !onScreen(i) })
			})
		}
		t.Run("screen", func(t *testing.T) {
			t.Parallel()
			at := at
			at.t = t
			own := at.withEnv("XDG_STATE_HOME=" + at.path("state-screen")) // a terminal opens where the last one was
			own.t = t
			s := &screenWorker{screen: own.openScreen(80, 24, "--location", "WH-1", "--operator", "Ben")}
			s.waitFor("1 Receive")
			(&announcedWorker{worker: s}).receiveAll(t, deliveries, func(i int, _ *announcedDelivery) bool { return onScreen(i) })
		})
	})
	require.False(t, t.Failed())
	t.Logf("received in %v", time.Since(started).Round(time.Millisecond))

	started = time.Now()
	receipts := at.mustRun("export", "receipts")
	t.Logf("receipts exported in %v", time.Since(started).Round(time.Millisecond))
	ours := func(cell func(string) string) bool { return strings.HasPrefix(cell("reference"), "ASN-") }
	columns := []string{"reference", "line", "sku", "quantity", "location", "lot", "expiry", "serials", "sscc"}
	require.Equal(t, tableLines(t, file, nil, columns...), tableLines(t, receipts, ours, columns...))
	moved := func(cell func(string) string) bool {
		return strings.HasPrefix(cell("referenceId"), "ASN-") && cell("operation") == "inbound_receive" && cell("inventoryState") == "onHand"
	}
	require.Equal(t, tableLines(t, file, nil, "reference", "sku", "quantity", "location", "lot", "serials"),
		tableLines(t, at.mustRun("export", "movements"), moved, "referenceId", "productSku", "quantity", "locationCode", "lotCode", "serialNumbers"))
	require.Contains(t, at.mustRun("import", "inbounds", h.path("deliveries.csv")), fmt.Sprintf("%d already there, 0 imported.", n))
	service.end(syscall.SIGTERM)
	require.Contains(t, c.on(h).mustRun("verify"), "everything adds up")
	c.requireBalances(deliveries)
}

// onScreen reports whether the delivery with an index is received on a screen: two of 16,
// one of them loose, both for WH-1.
func onScreen(i int) bool { return i%16 == 2 || i%16 == 3 }

// receiveAll receives the deliveries that mine accepts.
func (w *announcedWorker) receiveAll(t *testing.T, all []announcedDelivery, mine func(i int, d *announcedDelivery) bool) {
	started, n, lines := time.Now(), 0, 0
	for i := range all {
		if d := &all[i]; mine(i, d) {
			w.receive(d)
			n, lines = n+1, lines+len(d.lines)
		}
	}
	t.Logf("%d deliveries of %d lines: %d scans, %d keys, %v", n, lines, w.scans, w.keys, time.Since(started).Round(time.Millisecond))
	w.quit()
}

// requireBalances requires that the balances are the sums of the deliveries.
func (c *company) requireBalances(all []announcedDelivery) {
	c.t.Helper()
	want := map[string]int64{}
	for _, d := range all {
		for _, l := range d.lines {
			want[announcedProducts[l.product].sku+" "+d.location] += l.quantity
		}
	}
	c.withLedger(func(l *ledger.Ledger) {
		many, got := int64(100), map[string]int64{}
		for _, b := range do(c.t, c.service(l), api.ListBalances, api.ListBalancesInput{Page: api.Page{Limit: &many}}).Items {
			if key := b.Product.SKU + " " + b.Location.Code; want[key] > 0 {
				got[key] = b.Available
				require.Zero(c.t, b.Incoming, key)
			}
		}
		require.Equal(c.t, want, got)
	})
}
