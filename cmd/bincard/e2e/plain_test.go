package e2e_test

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// TestInLinesOnASerialLine works on a terminal that can do nothing but lines,
// with a scanner that frames its codes, until the line is cut.
func TestInLinesOnASerialLine(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	l := h.openLine(false, "--plain", "--data", c.dir, "--place", "WH-1", "--operator", "Ada")
	at := l.shows("scan or number> ", 0)
	l.writes("receive PO-1\r")
	at = l.shows("RECEIVE PO-1  Oat milk  expected 24", at)
	l.writes("\x02]C101" + oatBox + "17" + expiry("060102") + "10L42-A\x03\r\n")
	at = l.shows("ok  +12 box  lot L42-A  now 12", at)
	l.writes("6\r")
	at = l.shows("ok  now 6", at)
	l.writes("book\r")
	at = l.shows("booked 6. received 6 of 24, pending 18", at)
	l.writes("\x02]C110L42-A\x03\r" + "12\r")
	at = l.shows("ok  now 12", at)
	l.writes("\x03")
	l.shows("again to quit", at)
	require.NoError(t, l.cmd.Process.Signal(syscall.SIGHUP))
	l.requireExit(0)
	require.Equal(t, 1, h.drafts())
	require.NotContains(t, l.bytes(), "\x1b", "no escape sequence is ever written")

	l = h.openLine(false, "--plain", "--data", c.dir, "--place", "WH-1")
	at = l.shows("now 12  lot L42-A", 0) // where the line was cut
	l.writes("book\r")
	l.shows("booked 12. received 18 of 24", at)
	l.writes("quit\r")
	l.requireExit(0)
	l.close()
	c.withLedger(func(led *ledger.Ledger) {
		in := do(t, c.service(led), api.GetInbound, api.InboundInput{InboundID: c.inbound})
		require.EqualValues(t, 18, in.ReceivedQuantity)
	})
}
