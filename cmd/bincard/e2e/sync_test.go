package e2e_test

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/ledger"
)

// receiveAll books the quantity that is pending on PO-1, in one lot.
func (s *screen) receiveAll(all string) {
	s.t.Helper()
	s.scan("PO-1")
	s.waitFor("Receive › PO-1")
	s.scan("10L42-A\x1d" + "17" + expiry("060102"))
	s.waitFor("L42-A")
	s.typeText(all)
	s.key("Enter")
	s.waitFor("Now " + all)
	s.key("Enter")
	s.waitFor("Received "+all, "not synced")
	s.key("Escape")
	s.waitFor(firstQuestion)
}

// TestSync_TwoTerminalsReceiveSameInbound receives the same inbound at two offline
// terminals. The second one to sync is asked for a decision and replaces its receipt with
// what is still pending.
func TestSync_TwoTerminalsReceiveSameInbound(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	service := h.serve(c, "")
	ada, ben := h.withService(c, service.url), newMachine(t).withService(c, service.url)
	first, second := ada.openScreen(80, 24, "--offline"), ben.openScreen(80, 24, "--offline")
	first.awaitReplica().waitFor(firstQuestion, "ONLINE", "8 Sync")
	second.awaitReplica().waitFor(firstQuestion, "ONLINE")
	service.end(syscall.SIGKILL)
	first.receiveAll("16")
	second.receiveAll("20")
	second.waitFor("8 Sync", "1 pending", "data from")
	second.key("C-q").requireExit(0)

	service = h.serve(c, service.addr)
	first.waitFor("ONLINE", "○0", "all synced")
	second = ben.openScreen(80, 24, "--offline")
	second.waitFor("ONLINE", "!1", "Decisions needed in Sync: 1. Press 8.")
	second.key("8")
	second.waitFor("1 needs a decision: enter opens it", "receive 20 × OAT-1L on PO-1", "Service 8 of 24 open")
	second.key("Enter")
	second.waitFor("Sync › receive 20 × OAT-1L on PO-1", "8 of 24 pending", "F4 edit", "F8 discard")
	second.key("F4")
	second.waitFor("Was receive 20 × OAT-1L", "Now receive 8 × OAT-1L", "L42-A")
	second.key("Enter", "Enter")
	second.waitFor("Replaced with: receive 8", "Everything is synced", "ONLINE", "○0")
	second.key("C-q").requireExit(0)
	first.key("C-q").requireExit(0)
	service.end(syscall.SIGTERM)
	c.withLedger(func(l *ledger.Ledger) {
		require.EqualValues(t, 24, c.balance(c.service(l), c.oat, c.main).OnHand)
	})
}

// TestSync_RetriesAndDiscardsFailedWork saves a shipment of missing stock with --force.
// The service rejects it; it is retried and then discarded.
func TestSync_RetriesAndDiscardsFailedWork(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c, service, _, s := h.startWithFewMugs()
	service.end(syscall.SIGKILL)
	s.shipWithInsist()
	s.waitFor("○1")
	s.key("Escape")
	s.waitFor(firstQuestion)
	service = h.serve(c, service.addr)
	s.waitFor("ONLINE", "!1", "Press 8")
	service.end(syscall.SIGKILL)
	s.waitFor("OFFLINE")
	s.key("8")
	s.waitFor("! failed", "ship 10 × MUG-W on TR-1", "OFFLINE")
	s.key("Enter")
	s.waitFor("F7 retry")
	s.key("F7")
	s.waitFor("It will be retried", "no connection")
	s.key("Enter")
	s.waitFor("F8 discard")
	s.key("F8") // offline, with the retry still pending
	s.waitFor("Why discard it?")
	s.typeText("they were broken")
	s.key("Enter")
	s.waitFor("Discard ship 10")
	s.key("Enter")
	s.waitFor("Discarded: ship 10", "Everything is synced")
	s.key("F3", "F3")
	s.waitFor("○ discarded", "ship 10 × MUG-W on TR-1")
	s.key("Enter")
	s.waitFor("they were broken")
	s.key("C-q").requireExit(0)
	c.withLedger(func(l *ledger.Ledger) {
		require.EqualValues(t, 5, c.balance(c.service(l), c.mug, c.main).OnHand)
	})
}

// TestSync_PausesAtQuota checks that an operation stays pending while the monthly quota
// is used up, and syncs after the quota is raised.
func TestSync_PausesAtQuota(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	service := h.serve(c, "")
	at := h.withService(c, service.url)
	plan := func(more ...string) {
		at.openLine(false, append([]string{"plan", "set", "--data", c.dir, "--org", c.org.String(), "--env", "live"}, more...)...).requireExit(0)
	}
	plan("--billable", "1") // less than is already used
	s := at.openScreen(80, 24, "--offline")
	s.awaitReplica().waitFor(firstQuestion, "ONLINE")
	s.receiveAll("16")
	s.waitFor("QUOTA until", "○1")
	s.key("8")
	s.waitFor("Monthly quota used up", "quota used up", "receive 16 × OAT-1L on PO-1")
	plan()
	s.key("F5")
	s.waitFor("Everything is synced", "ONLINE", "○0")
	s.key("C-q").requireExit(0)
	service.end(syscall.SIGTERM)
	c.withLedger(func(l *ledger.Ledger) {
		require.EqualValues(t, 16, c.balance(c.service(l), c.oat, c.main).OnHand)
	})
}
