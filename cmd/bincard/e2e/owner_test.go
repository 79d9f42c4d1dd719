package e2e_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// addOperators lets Ada and Ben sign in with their badges.
func (h *machine) addOperators() {
	h.t.Helper()
	file := h.path("config_home", "bincard", "config.toml")
	require.NoError(h.t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(h.t, os.WriteFile(file, []byte("[[operators]]\nname = \"Ada\"\nbadge = \"ADA-0042\"\n"+
		"[[operators]]\nname = \"Ben\"\nbadge = \"BEN-0043\"\nrole = \"worker\"\n"), 0o600))
}

// latest returns the latest movement of a product at the main location.
func (c *company) latest(svc api.Service, product api.ID) api.Movement {
	c.t.Helper()
	return do(c.t, svc, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: c.balance(svc, product, c.main).ID,
		HistoryPage: api.HistoryPage{Order: api.NewestFirst}}).Movements[0]
}

// Ada counts a delivery and starts to adjust stock, and then Ben signs in: he takes over
// the delivery after a question, but not her form. The journal names who did what.
func TestOwner_TwoOperatorsAtOneTerminal(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	h.addOperators()
	open := func() *jobTerminal {
		return &jobTerminal{screen: h.openScreen(80, 24, "--location", "WH-1", "--data", c.dir), c: c}
	}
	d := open()
	d.waitFor("Nobody is signed in")
	d.scan("ADA-0042")
	d.home()
	d.scan("PO-1")
	d.waitFor("PO-1", "Oat milk")
	d.scan("]C101" + "0" + oatPiece + "17" + expiry("060102") + "10L42-A\x1d" + "3012")
	d.counted(12)
	d.key("Escape")
	d.home()
	d.goTo("Adjust stock", "Scan the product")
	d.scan(mugPiece)
	d.waitFor("MUG-W@WH-1", "White mug")
	d.typeText("3").key("Enter")
	d.waitFor("30 → 27", "-3")

	d.scan("BEN-0043")
	d.waitFor("Signed in as Ben")
	d.home()
	d.goTo("Adjust stock", "Scan the product")
	d.waitGone("-3")
	d.key("Escape")
	d.home()
	d.key("1")
	d.waitFor("PO-1", "Ada: 12 counted")
	d.key("Escape")
	d.home()
	d.scan("PO-1")
	d.waitFor("Ada has counted 12 here. Take it over?", "enter take over", "esc leave it")
	time.Sleep(10 * keyInterval)
	d.key("Escape")
	d.home()
	d.tmux("kill-server")

	d = open()
	d.waitFor("Nobody is signed in")
	d.scan("BEN-0043")
	d.home()
	d.scan("PO-1")
	d.waitFor("Ada has counted 12 here. Take it over?")
	time.Sleep(10 * keyInterval)
	d.key("Enter")
	d.waitFor("Taken over from Ada", "L42-A")
	d.counted(12)
	d.key("Enter")
	d.waitFor("Received 12")
	d.scan("ADA-0042")
	d.waitFor("Signed in as Ada", "30 → 27", "-3")
	d.key("Enter")
	d.waitFor("Reason?")
	d.key("Enter")
	d.waitFor("available 30 → 27, on hand 30 → 27 (lost)?")
	d.key("Enter")
	d.waitFor("27 → 27")
	d.key("C-q").requireExit(0)
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		received, adjusted := c.latest(svc, c.oat), c.latest(svc, c.mug)
		require.Equal(t, "Ben", received.CreatedBy.Label)
		require.EqualValues(t, 12, received.Quantity)
		require.Equal(t, "Ada", adjusted.CreatedBy.Label)
		require.EqualValues(t, -3, adjusted.Quantity)
		require.EqualValues(t, 12, do(t, svc, api.GetInbound, api.InboundInput{InboundID: c.inbound}).ReceivedQuantity)
	})
	require.Zero(t, h.drafts())
}

// A worker adjusts a few pieces alone, and many with a supervisor. The journal names both.
func TestAdjust_LargeNeedsSupervisor(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	d := c.openSignedIn(h, "PO-1")
	d.back(1)
	d.goTo("Adjust stock", "Scan the product")
	d.scan(mugPiece)
	d.waitAvailable("30")
	d.typeText("2").key("Enter")
	d.confirm("available 30 → 28, on hand 30 → 28 (lost)?")
	d.waitFor("28 → 28")
	d.typeText("20").key("Enter")
	d.waitFor("28 → 8")
	d.key("Enter")
	d.approve("adjust", "Reason?")
	d.key("Enter")
	d.waitFor("available 28 → 8, on hand 28 → 8 (lost)?")
	d.key("Enter")
	d.waitFor("Available 8 → 8")
	d.key("C-q").requireExit(0)
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		require.EqualValues(t, 8, c.balance(svc, c.mug, c.main).OnHand)
		require.Equal(t, "Ada, approved by Eve", c.latest(svc, c.mug).CreatedBy.Label)
	})
}

// addWorker lets Ada sign in as a worker and Eve as a supervisor.
func (h *machine) addWorker() {
	h.t.Helper()
	h.mustRun("operator", "add", "Ada", "--badge", "ADA-0001", "--role", "worker")
	h.mustRun("operator", "add", "Eve", "--badge", "EVE-0009", "--role", "supervisor")
}

// openSignedIn starts a terminal, on which Ada signs in and opens a document.
func (c *company) openSignedIn(h *machine, document string) *jobTerminal {
	h.addWorker()
	d := &jobTerminal{screen: h.openScreen(80, 24, "--location", "WH-1", "--data", c.dir), c: c}
	d.waitFor("Scan your badge")
	d.scan("ADA-0001")
	d.waitFor("Signed in as Ada")
	d.home()
	d.scan(document)
	d.waitFor("Receive › "+document, "Ada")
	return d
}

// approve lets Eve approve with her badge.
func (d *jobTerminal) approve(action string, texts ...string) {
	d.t.Helper()
	d.waitFor("A supervisor must approve: " + action)
	d.scan("EVE-0009")
	d.waitFor(append(texts, "Approved by Eve", "Ada")...)
	time.Sleep(10 * keyInterval) // the question that a scan opens ignores earlier keys
}

// waitAvailable waits until a form shows what is left of 30 available pieces.
func (d *jobTerminal) waitAvailable(after string) {
	d.t.Helper()
	if d.small() {
		d.waitFor("available 30→" + after)
	} else {
		d.waitFor("Available 30 → " + after)
	}
}
