package e2e_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// Canceling asks, and the answers name what they do.
func TestCancel_AnswersNameWhatTheyDo(t *testing.T) {
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
			time.Sleep(2 * keyInterval)
			d.key("F9")
			d.waitFor("Press ctrl+x to cancel")
			d.key("C-x")
			if d.small() {
				d.waitFor("Cancel PO-1? The 24 expected will not come.", "enter cancel esc keep it")
			} else {
				d.waitFor("Cancel PO-1? The 24 expected will not come.", "enter cancel the delivery", "esc keep it")
			}
			d.key("Escape")
			d.waitGone("keep it")
			d.key("C-x")
			d.waitFor("keep it")
			d.key("Enter")
			d.waitFor("canceled")
			d.key("C-q").requireExit(0)
			c.withLedger(func(l *ledger.Ledger) {
				require.Equal(t, api.InboundCancelled, do(t, c.service(l), api.GetInbound, api.InboundInput{InboundID: c.inbound}).Status)
			})
		})
	}
}
