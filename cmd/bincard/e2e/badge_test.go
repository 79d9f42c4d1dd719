package e2e_test

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// typeByHand types as a person does.
func (f *sshTerminal) typeByHand(text string) {
	f.t.Helper()
	for _, r := range text {
		f.types(string(r))
		time.Sleep(keyInterval)
	}
}

// TestBadgesOverSSH hands a terminal that Ada logged on to from one to the next:
// by a badge, and by a name where a PIN proves it. What is counted stays, and
// the books name who booked it.
func TestBadgesOverSSH(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	x := h.startSSH([]string{"Ada"}, "--data", c.dir, "--place", "WH-1")
	file, err := os.OpenFile(h.path("config_home", "bincard", "config.toml"), os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(t, err)
	_, err = file.WriteString("[[operators]]\nname = \"Ben\"\nbadge = \"BEN-0042\"\nrole = \"worker\"\n" +
		"[[operators]]\nname = \"Eve\"\npin = \"2718\"\n")
	require.NoError(t, err)
	require.NoError(t, file.Close())

	ada := x.logIn("ada", "xterm-256color")
	at := ada.shows(firstQuestion, 0)
	ada.types("PO-1\r")
	ada.shows("Scan a box", at)
	ada.types("]C101" + oatBox + "17" + expiry("060102") + "10L42-A\r")
	at = ada.shows("book 12", at)
	ada.types("BEN-0042\r")
	at = ada.shows("Signed in as Ben", at)
	time.Sleep(2 * keyInterval)
	ada.types("\x1b[15~") // F5: to close short needs a supervisor
	at = ada.shows("Only a supervisor may do that", at)
	time.Sleep(2 * keyInterval)
	ada.types("\r")
	at = ada.shows("booked 12", at)

	ada.types("\x0c") // ctrl+l
	at = ada.shows("Nobody is signed in", at)
	ada.typeByHand("ben\r")
	at = ada.shows("Unknown badge or name", at)
	ada.typeByHand("eve\r")
	at = ada.shows("PIN of Eve", at)
	ada.typeByHand("2718\r")
	at = ada.shows("Signed in as Eve", at)
	ada.types("\x0c")
	at = ada.shows("Nobody is signed in", at)
	ada.typeByHand("ada\r")
	ada.shows("Signed in as Ada", at)

	ben := x.logIn("ada", "") // in lines it is the same; it takes the seat of the session before
	at = ben.shows("> ", 0)
	ben.types("BEN-0042\n")
	at = ben.shows("Signed in as Ben", at)
	ben.types("ship TR-1\n7\nbook\n")
	ben.shows("shipped 7", at)
	x.end()
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		for _, id := range []api.ID{c.oat, c.mug} {
			why := do(t, svc, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: c.balance(svc, id, c.main).ID, Order: api.NewestFirst})
			require.Equal(t, "Ben", why.Movements[0].CreatedBy.Label)
		}
	})
}
