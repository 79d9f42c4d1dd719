package e2e_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// The expiration date of a lot is typed as on its label or as people write it, and the form
// shows which day it is.
func TestReceive_TypedExpirationDate(t *testing.T) {
	t.Parallel()
	for layout, language := range map[string]string{"060102": "en", "02.01.2006": "de", "01/02/2006": "en"} {
		t.Run(layout, func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c := newCompany(t, h.path("data"))
			if language == "de" {
				h = h.withEnv("LC_ALL=de_DE.UTF-8")
			}
			d := c.openTerminal(h, [2]int{80, 24}, "receive/PO-1")
			d.waitFor("Oat milk")
			d.key("+")
			d.waitFor("24")
			d.key("F7")
			d.waitFor(map[string]string{"en": "▸ Lot", "de": "▸ Charge"}[language])
			d.typeText("L-9").key("Enter").typeText(expiry(layout))
			d.waitFor(expiry(layout) + "█  " + expiry("2006-01-02"))
			d.key("Enter")
			d.waitGone(expiry(layout) + "█")
			d.waitFor("L-9", expiry("2006-01-02"))
			d.key("Enter")
			d.waitFor("L-9 × 24")
			d.key("C-q").requireExit(0)
			c.withLedger(func(l *ledger.Ledger) {
				lots := do(t, c.service(l), api.ListLots, api.ListLotsInput{ProductID: c.oat}).Items
				require.Len(t, lots, 1)
				require.Equal(t, "L-9", lots[0].LotCode)
				require.Equal(t, expiry("2006-01-02"), lots[0].ExpiresAt.UTC().Format("2006-01-02"))
			})
		})
	}
}

// A serial that was received before is refused when it is scanned, not when the delivery is
// recorded.
func TestReceive_RefusesRecordedSerial(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	c.withLedger(func(l *ledger.Ledger) {
		do(t, c.service(l), api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: c.scale, LocationID: c.main}, ExpectedQuantity: 2,
			Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: "PO-5"}})
	})
	d := c.openTerminal(h, [2]int{80, 24}, "receive/PO-5")
	d.waitFor("Kitchen scale")
	d.scan("01" + "0" + scalePiece + "21SN-2")
	d.waitFor("Serial SN-2 of SCA-5 is already in stock at WH-1. Nothing was counted")
	d.key("Enter")
	d.waitGone("already in stock")
	d.scan("01" + "0" + scalePiece + "21SN-90")
	d.waitFor("Serials SN-90")
	d.key("Enter")
	d.waitFor("Received 1")
	d.key("C-q").requireExit(0)
	c.withLedger(func(l *ledger.Ledger) {
		require.EqualValues(t, 4, c.balance(c.service(l), c.scale, c.main).OnHand)
	})
}
