package e2e_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger"
)

// The numbers of the first screen are those of the lists that they open. Stock of another
// location is not in them.
func TestHome_NumbersEqualTheirLists(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	c.addProblems()
	c.withLedger(func(l *ledger.Ledger) {
		do(t, c.service(l), api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: c.mug, LocationID: c.store}, InventoryState: api.OnHand,
			QuantityDelta: 7, Reason: "found"})
	})
	d := c.openTerminal(h, [2]int{80, 24})
	d.home()
	d.waitFor("2 expected", "! 1 late", "1 to ship", "0 in transit", "1 open", "4 in stock", "1 lot expires soon", "! 1 low", "16 movements today", "0 pending")
	for _, x := range []struct {
		keys  []string
		texts []string
	}{
		{[]string{"1"}, []string{"choose one 2 expected", "PO-9", "PO-1"}},
		{[]string{"2"}, []string{"choose one 1 open", "TR-1"}},
		{[]string{"3"}, []string{"choose one 0 open"}},
		{[]string{"4"}, []string{"choose one 1 open", "SO-1"}},
		{[]string{"5"}, []string{"4 in stock at WH-1", "1 of 4 balances"}},
		{[]string{"5", "F3"}, []string{"Low stock", "1 low", "TEA-20"}},
		{[]string{"5", "F7"}, []string{"Expiring lots", "LOT-5"}},
		{[]string{"6"}, []string{"Movements (16) › today · WH-1"}},
		{[]string{"7"}, []string{"choose a reservation 0 pending"}},
	} {
		for i, key := range x.keys {
			if i > 0 {
				d.waitFor("4 in stock at WH-1")
			}
			d.key(key)
		}
		d.waitFor(x.texts...)
		for range x.keys {
			d.key("Escape")
		}
		d.home()
	}
	d.key("C-q").requireExit(0)

	d = c.openTerminal(h.withClockOffset(24*time.Hour), [2]int{80, 24})
	d.home()
	d.waitFor("0 movements today")
	d.key("6")
	d.waitFor("Movements (0) › today · WH-1")
	d.key("C-q").requireExit(0)
}

// Stock opens with what is in stock here, by SKU, and a column sorts it, also after a
// restart.
func TestStock_OrderAndSort(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	c.addProblems()
	d := c.openTerminal(h, [2]int{80, 24}, "stock")
	d.waitFor("▸ MUG-W White mug WH-1 30 30 0 0 OAT-1L Oat milk WH-1 12 12 0 0 SCA-5 Kitchen scale WH-1 3 2 0 1 TEA-20 Earl Grey WH-1 12 12 0 0")
	d.key("F9")
	d.waitFor("Sort by which column?")
	d.typeText("on hand").key("Enter")
	d.waitFor("on hand▼", "12 12 0 0 SCA-5 Kitchen scale WH-1 3 2 0 1")
	d.key("C-q").requireExit(0)
	d = c.openTerminal(h, [2]int{80, 24}, "stock")
	d.waitFor("on hand▼", "12 12 0 0 SCA-5 Kitchen scale WH-1 3 2 0 1")
	d.key("C-q").requireExit(0)
}

// The first screen opens the movements of today, whatever filter was used before.
func TestReports_OpenWithoutTheFilterOfBefore(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	c.addProblems()
	d := c.openTerminal(h, [2]int{80, 24})
	d.home()
	d.key("6")
	d.waitFor("Movements (16) › today · WH-1")
	d.key("F8")
	d.waitFor("by operation")
	d.key("Enter")
	d.waitFor("› today · WH-1 · ")
	for range 3 {
		d.key("Escape")
		time.Sleep(keyInterval)
	}
	d.home()
	d.key("6")
	d.waitFor("Movements (16) › today · WH-1")
	d.waitGone("today · WH-1 · ")
	d.key("C-q").requireExit(0)
}
