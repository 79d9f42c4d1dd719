package e2e_test

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// TestPlain_SerialTerminal checks that line mode works on a serial terminal with a
// scanner that frames its codes, and that the count survives a hangup.
func TestPlain_SerialTerminal(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	l := h.openLine(false, "--plain", "--data", c.dir, "--location", "WH-1", "--operator", "Ada")
	at := l.waitFor("scan or number> ", 0)
	l.send("receive PO-1\r")
	at = l.waitFor("RECEIVE PO-1  Oat milk  expected 24", at)
	l.send("\x02]C101" + oatBox + "17" + expiry("060102") + "10L42-A\x03\r\n")
	at = l.waitFor("ok  +12 box  lot L42-A  now 12", at)
	l.send("6\r")
	at = l.waitFor("ok  now 6", at)
	l.send("book\r")
	at = l.waitFor("Received 6: 6 of 24, 18 to go", at)
	l.send(mugPiece + "\r")
	at = l.waitFor("no  OAT-1L is expected; this is MUG-W", at)
	l.send("home\r") // the error does not keep anybody here
	at = l.waitFor("9   Adjust and count", at)
	l.send("receive PO-1\r")
	at = l.waitFor("RECEIVE PO-1", at)
	l.send("\x02]C110L42-A\x03\r" + "12\r")
	at = l.waitFor("ok  now 12", at)
	l.send("\x03")
	l.waitFor("again to quit", at)
	require.NoError(t, l.cmd.Process.Signal(syscall.SIGHUP))
	l.requireExit(0)
	require.Equal(t, 1, h.drafts())
	require.NotContains(t, l.bytes(), "\x1b", "line mode writes no escape sequences")

	l = h.openLine(false, "--plain", "--data", c.dir, "--location", "WH-1")
	at = l.waitFor("now 12  lot L42-A", 0) // restored after the hangup
	l.send("book\r")
	l.waitFor("Received 12: 18 of 24", at)
	l.send("quit\r")
	l.requireExit(0)
	l.close()
	c.withLedger(func(led *ledger.Ledger) {
		in := do(t, c.service(led), api.GetInbound, api.InboundInput{InboundID: c.inbound})
		require.EqualValues(t, 18, in.ReceivedQuantity)
	})
}
