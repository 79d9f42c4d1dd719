package e2e_test

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/ledger"
)

// receiveAll books all that is pending of PO-1, of one lot.
func (s *screen) receiveAll(all string) {
	s.t.Helper()
	s.scan("PO-1")
	s.shows("Receive › PO-1")
	s.scan("10L42-A\x1d" + "17" + expiry("060102"))
	s.shows("L42-A")
	s.types(all)
	s.key("Enter")
	s.shows("This time " + all)
	s.key("Enter")
	s.shows("booked "+all, "waiting to sync")
	s.key("Escape")
	s.shows(firstQuestion)
}

// TestTwoTerminalsReceiveTheSameGoods has two terminals receive the same inbound
// while neither reaches the service: the second one is told, and puts it right
// on the desk with what fits.
func TestTwoTerminalsReceiveTheSameGoods(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	service := h.serve(c, "")
	ada, ben := h.withService(c, service.url), newMachine(t).withService(c, service.url)
	first, second := ada.openScreen(80, 24, "--offline"), ben.openScreen(80, 24, "--offline")
	first.awaitReplica().shows(firstQuestion, "ONLINE", "8 Sync")
	second.awaitReplica().shows(firstQuestion, "ONLINE")
	service.end(syscall.SIGKILL)
	first.receiveAll("16")
	second.receiveAll("20")
	second.shows("8 Sync", "1 pending", "data from")
	second.key("C-q").requireExit(0)

	service = h.serve(c, service.addr)
	first.shows("ONLINE", "○0", "all synced")
	second = ben.openScreen(80, 24, "--offline")
	second.shows("ONLINE", "!1", "Decisions needed in Sync: 1. Press 8.")
	second.key("8")
	second.shows("1 needs a decision: enter opens it", "receive 20 × OAT-1L on PO-1", "Service 8 of 24 open")
	second.key("Enter")
	second.shows("Sync › receive 20 × OAT-1L on PO-1", "8 of 24 pending", "F4 edit", "F8 discard")
	second.key("F4")
	second.shows("Was receive 20 × OAT-1L", "Now receive 8 × OAT-1L", "L42-A")
	second.key("Enter", "Enter")
	second.shows("Replaced with: receive 8", "Everything is synced", "ONLINE", "○0")
	second.key("C-q").requireExit(0)
	first.key("C-q").requireExit(0)
	service.end(syscall.SIGTERM)
	c.withLedger(func(l *ledger.Ledger) {
		require.EqualValues(t, 24, c.balance(c.service(l), c.oat, c.main).OnHand)
	})
}

// TestRefusedWorkIsSettledOnTheDesk insists on a shipment of goods that are not
// there; the service refuses it, and it is sent again, recorded and given up.
func TestRefusedWorkIsSettledOnTheDesk(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c, service, _, s := h.fewMugs()
	service.end(syscall.SIGKILL)
	s.shipWithInsist()
	s.shows("○1")
	s.key("Escape")
	s.shows(firstQuestion)
	service = h.serve(c, service.addr)
	s.shows("ONLINE", "!1", "Press 8")
	service.end(syscall.SIGKILL)
	s.shows("OFFLINE")
	s.key("8")
	s.shows("! failed", "ship 10 × MUG-W on TR-1", "OFFLINE")
	s.key("Enter")
	s.shows("F3 retry")
	s.key("F3")
	s.shows("It will be retried", "no connection")
	s.key("Enter")
	s.shows("F8 discard")
	s.key("F8") // without a connection, and after it was sent again
	s.shows("Why discard it?")
	s.types("they were broken")
	s.key("Enter")
	s.shows("Discard ship 10")
	s.key("Enter")
	s.shows("Discarded: ship 10", "Everything is synced")
	s.key("F4", "F4")
	s.shows("○ discarded", "ship 10 × MUG-W on TR-1")
	s.key("Enter")
	s.shows("they were broken")
	s.key("C-q").requireExit(0)
	c.withLedger(func(l *ledger.Ledger) {
		require.EqualValues(t, 5, c.balance(c.service(l), c.mug, c.main).OnHand)
	})
}

// TestAPlanThatIsUsedUpPausesTheWork has the work wait while the plan has no
// room, and go when it has.
func TestAPlanThatIsUsedUpPausesTheWork(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	service := h.serve(c, "")
	at := h.withService(c, service.url)
	plan := func(more ...string) {
		at.openLine(false, append([]string{"plan", "set", "--data", c.dir, "--org", c.org.String(), "--env", "live"}, more...)...).requireExit(0)
	}
	plan("--billable", "1") // which is less than was used
	s := at.openScreen(80, 24, "--offline")
	s.awaitReplica().shows(firstQuestion, "ONLINE")
	s.receiveAll("16")
	s.shows("QUOTA until", "○1")
	s.key("8")
	s.shows("Monthly quota used up", "quota used up", "receive 16 × OAT-1L on PO-1")
	plan()
	s.key("F5")
	s.shows("Everything is synced", "ONLINE", "○0")
	s.key("C-q").requireExit(0)
	service.end(syscall.SIGTERM)
	c.withLedger(func(l *ledger.Ledger) {
		require.EqualValues(t, 16, c.balance(c.service(l), c.oat, c.main).OnHand)
	})
}
