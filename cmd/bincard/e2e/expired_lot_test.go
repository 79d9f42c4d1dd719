package e2e_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// An expired lot is counted after a second scan, and enter skips it.
func TestReceive_ExpiredLot(t *testing.T) {
	t.Parallel()
	for name, size := range sizes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c := newCompany(t, h.path("data"))
			d := c.openTerminal(h, size)
			d.home()
			d.scan("PO-1")
			d.waitFor("Oat milk")
			label := "]C101" + oatBox + "17250131" + "10OLD-1"
			d.scan(label)
			if d.small() {
				d.waitFor("Lot OLD-1 expired", "enter skip")
			} else {
				d.waitFor("Lot OLD-1 expired", "enter skip this scan")
			}
			d.key("Enter")
			d.waitGone("expired")
			d.counted(0)
			d.key("Enter")
			d.waitFor("Nothing is counted yet")
			d.scan(label)
			d.waitFor("Lot OLD-1 expired")
			time.Sleep(10 * keyInterval)
			d.scan(label)
			d.counted(12)
			d.key("Enter")
			d.waitFor("Received 12")
			d.key("C-q").requireExit(0)
			c.withLedger(func(l *ledger.Ledger) {
				svc := c.service(l)
				require.EqualValues(t, 12, c.balance(svc, c.oat, c.main).OnHand)
				lots := do(t, svc, api.ListLots, api.ListLotsInput{ProductID: c.oat}).Items
				require.Len(t, lots, 1)
				require.Equal(t, "OLD-1", lots[0].LotCode)
			})
		})
	}
}

// A plain code that may be a lot is used after a second scan, and enter skips it.
func TestReceive_AsksWhetherACodeIsTheLot(t *testing.T) {
	t.Parallel()
	for name, size := range sizes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c := newCompany(t, h.path("data"))
			d := c.openTerminal(h, size)
			d.home()
			d.scan("PO-1")
			d.waitFor("Oat milk")
			d.scan("]C101" + oatBox)
			d.counted(12)
			d.scan("LOT-77")
			if d.small() {
				d.waitFor("LOT-77 is unknown", "enter skip")
			} else {
				d.waitFor("LOT-77 is unknown. Use it as the lot?", "Scan it again to confirm", "enter skip this scan")
			}
			time.Sleep(10 * keyInterval)
			d.key("Enter")
			d.waitGone("LOT-77")
			d.counted(12)
			d.scan("LOT-77")
			d.waitFor("LOT-77 is unknown")
			time.Sleep(10 * keyInterval)
			d.scan("LOT-77")
			d.waitGone("is unknown")
			time.Sleep(10 * keyInterval)
			d.key("Enter")
			d.waitFor("Received 12")
			d.key("C-q").requireExit(0)
			c.withLedger(func(l *ledger.Ledger) {
				lots := do(t, c.service(l), api.ListLots, api.ListLotsInput{ProductID: c.oat}).Items
				require.Len(t, lots, 1)
				require.Equal(t, "LOT-77", lots[0].LotCode)
			})
		})
	}
}
