package e2e_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// TestScanners_CommonSetups sends scans to the real program on a bare terminal, as scanners with
// common settings do: each in one piece. Package scan tests those that arrive in several.
func TestScanners_CommonSetups(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	c.addLargeInbound()
	l := h.openLine(false, "--data", c.dir, "--location", "WH-1", "receive/PO-2")
	at := l.waitFor("Scan a box", 0)
	total := 0
	for _, s := range []struct {
		name, bytes string
		want        int // a box is 12
	}{
		{"GS1 DataMatrix with FNC1 first", "]d201" + oatBox + "17" + expiry("060102") + "10L42-A\r", 12},
		{"CR", oatPiece + "\r", 1},
		{"LF", oatBox + "\n", 12},
		{"CR LF", oatPiece + "\r\n", 1},
		{"tab", oatBox + "\t", 12},
		{"no suffix", oatPiece, 1},
		{"STX and ETX", "\x02" + oatBox + "\x03", 12},
		{"STX, ETX and CR LF", "\x02" + oatPiece + "\x03\r\n", 1},
		{"GS1-128 with GS between", "]C101" + oatBox + "10L42-A\x1d" + "302\r", 2},
		{"AIM prefix of EAN-13", "]E0" + oatPiece + "\r", 1},
		{"Digital Link", "https://id.gs1.org/01/" + oatBox + "/10/L42-A\r", 12},
		{"bracketed paste", "\x1b[200~" + oatPiece + "\r\x1b[201~", 1},
		{"bracketed paste of two codes", "\x1b[200~" + oatBox + "\r\n" + oatPiece + "\r\n\x1b[201~", 13},
		{"several codes in one read", oatBox + "\r" + oatPiece + "\r" + oatBox + "\r", 25},
		{"small letters", "oat-1l\r", 1},
	} {
		t.Log(s.name)
		total += s.want
		at = l.send(s.bytes).waitFor(fmt.Sprintf("enter receive %d ", total), at)
	}
	l.send("\x1b[B\r") // after another key, enter does not belong to the scan
	l.waitFor(fmt.Sprintf("Received %d: %d of", total, total), at)
	l.send("\x11").requireExit(0)
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		require.EqualValues(t, total, c.balance(svc, c.oat, c.main).OnHand)
		lots := do(t, svc, api.ListLots, api.ListLotsInput{ProductID: c.oat}).Items
		require.Len(t, lots, 1)
		require.Equal(t, "L42-A", lots[0].LotCode)
	})
}
