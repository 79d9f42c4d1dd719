package e2e_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// F2 finds by part of a name: a product counts on its document, and a document opens.
func TestFind_ByPartOfAName(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	inbound := c.addMugs()
	d := c.openTerminal(h, [2]int{80, 24})
	d.home()
	d.key("F2")
	d.typeText("oat mi")
	d.waitFor("▸ OAT-1L Oat milk", "product")
	d.key("Enter")
	d.waitFor("OAT-1L Oat milk", "1 Receive PO-1")
	d.key("Escape")
	d.home()
	d.key("F2")
	d.typeText("o-3")
	d.waitFor("▸ PO-3", "inbound, expected")
	d.key("Enter")
	d.waitFor("Receive › PO-3")
	d.key("F2")
	d.typeText("mug")
	d.waitFor("▸ MUG-W White mug")
	d.key("Enter")
	d.counted(1)
	d.key("F2")
	d.typeText("gift")
	d.waitFor("No match. Press enter to use it as a code")
	d.key("Escape")
	d.counted(1)
	d.key("Enter")
	d.waitFor("Received 1: 1 of 24, 23 to go")
	d.key("C-q").requireExit(0)
	c.withLedger(func(l *ledger.Ledger) {
		require.EqualValues(t, 1, do(t, c.service(l), api.GetInbound, api.InboundInput{InboundID: inbound}).ReceivedQuantity)
	})
}

// Where a text field takes "?", the footer names F1, and F1 leaves the text as it is.
func TestHelp_InATextField(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	d := c.openTerminal(h, [2]int{80, 24})
	d.home()
	d.waitFor("? help")
	for _, keys := range [][]string{{"5"}, {"7", "F3"}, {"1", "F3"}} {
		d.key(keys...)
		require.False(t, has(d.waitFor("F1 help"), "? help"), keys)
		d.requireHelp()
		d.back(len(keys))
	}
	d.goTo("Settings", "F1 help")
	d.requireHelp()
	d.back(1)
	d.key("C-q").requireExit(0)
	require.Zero(t, h.drafts())
}

// requireHelp opens and closes the help, which leaves the text as it is.
func (d *jobTerminal) requireHelp() {
	d.t.Helper()
	d.key("F1")
	d.waitFor("Everywhere")
	d.key("Escape")
	d.waitGone("Everywhere")
	d.waitGone("?█")
}
