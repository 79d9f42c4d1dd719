package e2e_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// A message ends with the next input, never replaces a title, and stays on its screen.
func TestMessages_LeaveWithTheScreen(t *testing.T) {
	t.Parallel()
	for name, size := range sizes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c := newCompany(t, h.path("data"))
			c.addMugs()
			d := c.openTerminal(h, size)
			d.home()
			d.scan("PO-3")
			d.waitFor("White mug")
			d.key("Enter")
			d.waitFor("Nothing is counted yet")
			d.key("Escape")
			d.home()
			d.waitGone("Nothing is counted yet")
			d.scan("PO-3")
			d.waitFor("White mug")
			d.typeText("12").key("Enter")
			d.counted(12)
			d.key("Enter")
			d.waitFor("Received 12: 12 of")
			d.scan("PO-1")
			d.waitFor("Oat milk")
			d.waitGone("Received 12: 12 of")
			d.key("Escape")
			d.home()
			d.key("C-q").requireExit(0)
		})
	}
}

// Enter right after a scan books nothing: it may be meant for a message.
func TestEnter_RightAfterAScan(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	inbound := c.addMugs()
	d := c.openTerminal(h, [2]int{80, 24}, "receive/PO-3")
	d.waitFor("White mug")
	d.tmux("send-keys", "-l", mugPiece, ";", "send-keys", "-H", "0d", ";", "run-shell", "-d", "0.15", ";", "send-keys", "Enter")
	d.waitFor("Enter ignored after a scan. Press it again")
	d.counted(1)
	time.Sleep(10 * keyInterval)
	d.key("Enter")
	d.waitFor("Received 1: 1 of 24")
	d.key("C-q").requireExit(0)
	c.withLedger(func(l *ledger.Ledger) {
		require.EqualValues(t, 1, do(t, c.service(l), api.GetInbound, api.InboundInput{InboundID: inbound}).ReceivedQuantity)
	})
}
