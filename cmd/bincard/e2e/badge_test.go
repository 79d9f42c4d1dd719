package e2e_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/tui/shell"
)

// typeSlowly types text as a person does: each key when the screen shows the one before.
// Faster keys are a scan.
func (f *sshTerminal) typeSlowly(text string) {
	f.t.Helper()
	for i, r := range text {
		shown := f.length()
		f.typeText(string(r))
		if i+1 < len(text) {
			f.await(fmt.Sprintf("%q of %q on the screen", r, text), func() bool { return f.length() > shown && f.settled() })
		}
	}
}

// pressAfterScan presses a key that cannot be taken for a part of the last scan.
func (f *sshTerminal) pressAfterScan(key string) {
	f.t.Helper()
	f.await("the end of the scan", f.settled)
	f.typeText(key)
}

// settled reports whether the last mark on the screen says that the terminal is idle.
func (f *sshTerminal) settled() bool {
	out := f.output(0)
	idle := strings.LastIndex(out, shell.IdleMark)
	return idle > strings.LastIndex(out, shell.ScanMark) && idle > strings.LastIndex(out, shell.BusyMark)
}

// TestSSH_SignInByBadgeOrPIN lets operators sign in on Ada's session by badge, or by name
// and PIN. Ben takes over her count, and the journal names him, who booked it. Nobody can
// change the settings, which are those of the host.
func TestSSH_SignInByBadgeOrPIN(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	x := h.startSSH([]string{"Ada"}, "--data", c.dir, "--location", "WH-1", "--show-idle")
	file, err := os.OpenFile(h.path("config_home", "bincard", "config.toml"), os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(t, err)
	_, err = file.WriteString("[[operators]]\nname = \"Ben\"\nbadge = \"BEN-0042\"\nrole = \"worker\"\n" +
		"[[operators]]\nname = \"Eve\"\npin = \"2718\"\n")
	require.NoError(t, err)
	require.NoError(t, file.Close())

	ada := x.logIn("ada", "xterm-256color")
	at := ada.waitFor(firstQuestion, 0)
	ada.typeText("PO-1\r")
	ada.waitFor("Scan a box", at)
	ada.typeText("]C101" + oatBox + "17" + expiry("060102") + "10L42-A\r")
	at = ada.waitFor("receive 12", at)
	ada.typeText("BEN-0042\r")
	at = ada.waitFor("Signed in as Ben", at)
	ada.typeText("PO-1\r")
	at = ada.waitFor("Ada has counted 12 here. Take it over?", at)
	ada.pressAfterScan("\r")
	at = ada.waitFor("receive 12", at)
	ada.pressAfterScan("\x1b[15~") // F5 closes short, which needs a supervisor
	at = ada.waitFor("Scan a supervisor's badge or type the name", at)
	ada.pressAfterScan("\x1b")
	at = ada.waitFor("receive 12", at)
	ada.pressAfterScan("\r")
	at = ada.waitFor("Received 12", at)

	ada.typeText("\x0c") // ctrl+l
	at = ada.waitFor("Nobody is signed in", at)
	ada.typeSlowly("ben\r")
	at = ada.waitFor("Unknown badge or name", at)
	ada.typeSlowly("eve\r")
	at = ada.waitFor("PIN of Eve", at)
	ada.typeSlowly("2718\r")
	at = ada.waitFor("Signed in as Eve", at)
	ada.typeText("\x0c")
	at = ada.waitFor("Nobody is signed in", at)
	ada.typeSlowly("ada\r")
	at = ada.waitFor("Signed in as Ada", at)

	ada.typeText("\x10") // ctrl+p
	at = ada.waitFor("Type an action", at)
	ada.typeSlowly("settings\r")
	ada.waitFor("SSH sessions use the settings of the machine that serves them.", at)
	ada.waitFor("Sign-in       Ada, Ben, Eve", at)

	ben := x.logIn("ada", "") // line mode; it ends the previous session
	at = ben.waitFor("> ", 0)
	ben.typeText("BEN-0042\n")
	at = ben.waitFor("Signed in as Ben", at)
	ben.typeText("ship TR-1\n7\nbook\n")
	ben.waitFor("Shipped 7", at)
	x.end()
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		for _, id := range []api.ID{c.oat, c.mug} {
			why := do(t, svc, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: c.balance(svc, id, c.main).ID, HistoryPage: api.HistoryPage{Order: api.NewestFirst}})
			require.Equal(t, "Ben", why.Movements[0].CreatedBy.Label)
		}
	})
}
