package e2e_test

import (
	"path/filepath"
	"regexp"
	"syscall"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// awaitReplica waits until the terminal has read what the service has.
func (s *screen) awaitReplica() *screen {
	s.t.Helper()
	s.until("everything is read", func(string) bool {
		found, err := filepath.Glob(s.machine.path("data_home", "bincard", "offline", "*", "bases", "current"))
		require.NoError(s.t, err)
		return len(found) == 1
	})
	return s
}

// fewMugs is the company with all but 5 of its mugs broken, of which TR-1 takes
// 10; and its service, and a terminal there that has read everything and keeps
// its work.
func (h *machine) fewMugs() (c *company, service *service, at *machine, s *screen) {
	h.t.Helper()
	c = newCompany(h.t, h.path("data"))
	c.withLedger(func(l *ledger.Ledger) {
		do(h.t, c.service(l), api.AdjustStock, api.AdjustStockInput{ProductID: c.mug, LocationID: c.main, InventoryState: api.OnHand,
			QuantityDelta: -25, Reason: "broken"})
	})
	service = h.serve(c, "")
	at = h.withService(c, service.url)
	s = at.openScreen(80, 24, "--offline")
	s.awaitReplica().shows(firstQuestion, "ONLINE", "Harbour")
	return c, service, at, s
}

// shipWithInsist ships all of TR-1, for which there are not goods enough.
func (s *screen) shipWithInsist() {
	s.t.Helper()
	s.scan("TR-1")
	s.shows("TR-1", "Pending 10")
	s.types("+")
	s.shows("This time 10")
	s.key("Enter")
	s.shows("F10 keep")
	s.key("F10")
	s.shows("kept, at risk")
}

// TestWorkGoesOnWithoutTheService kills the service under a terminal that keeps
// its work: it books there, is refused there, insists, starts anew, and the
// ledger has it all once when the service is back.
func TestWorkGoesOnWithoutTheService(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c, service, at, s := h.fewMugs()
	service.end(syscall.SIGKILL)

	s.scan("PO-1")
	s.count()
	s.scan("10L42-A\x1d" + "17" + expiry("060102"))
	s.shows("L42-A")
	s.key("Enter")
	s.shows("booked 12", "waiting to sync", "OFFLINE", "○1")
	s.key("Escape")
	s.shows(firstQuestion)
	s.shipWithInsist()
	s.shows("○2")

	s.key("C-q").requireExit(0)

	s = at.openScreen(80, 24, "--offline")
	s.shows("Ship › TR-1", "OFFLINE", "○2", "Harbour")
	service = h.serve(c, service.addr)
	s.shows("ONLINE", "○0", "!1")
	l := at.openLine(false, "status")
	l.shows("failed 1", 0)
	l.requireExit(0)
	s.key("C-q").requireExit(0)
	service.end(syscall.SIGTERM)
	l = at.openLine(false, "outbox", "list")
	l.shows("failed", 0)
	l.requireExit(0)
	key := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`).FindString(l.bytes())
	at.openLine(false, "status", "--check").requireExit(4)
	l = at.openLine(false, "outbox", "drop", key)
	l.shows("needs --reason", 0)
	l.requireExit(2)
	l = at.openLine(false, "outbox", "export", h.path("queue.json"))
	l.shows("1 exported", 0)
	l.requireExit(0)
	require.Contains(t, h.read("queue.json"), key)
	l = at.openLine(false, "outbox", "record", key, "--delta=-100")
	l.shows("--insist", 0)
	l.requireExit(1)
	l = at.openLine(false, "outbox", "record", key, "--delta=-1", "--reason", "one was broken")
	l.shows("replaces it: adjust -1 × MUG-W on TR-1", 0)
	l.requireExit(0)
	l = at.openLine(false, "outbox", "drop", key, "--reason", "none were there")
	l.shows("This operation was already replaced", 0)
	l.requireExit(1)
	l = at.openLine(false, "outbox", "list")
	l.shows("pending", 0)
	l.requireExit(0)
	key = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`).FindString(l.bytes())
	at.openLine(false, "outbox", "drop", key, "--reason", "none were there").requireExit(0)
	l = at.openLine(false, "outbox", "retry", key)
	l.shows("already discarded", 0)
	l.requireExit(1)
	l = at.openLine(false, "outbox", "list")
	l.shows("nothing is pending", 0)
	l.requireExit(0)
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		require.EqualValues(t, 12, c.balance(svc, c.oat, c.main).OnHand)
		require.EqualValues(t, 5, c.balance(svc, c.mug, c.main).OnHand)
	})
}

// TestTheFiveJobsWithoutAnyService does a morning's work before a service that
// has the documented operations alone, while nothing answers there: it reads
// what there is, keeps what is done, and the ledger has it once.
func TestTheFiveJobsWithoutAnyService(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	service := h.serve(c, "")
	at := h.withService(c, service.withoutExtensions())
	d := &jobTerminal{screen: at.openScreen(80, 24, "--offline", "--operator", "Ada", "--place", "WH-1"), c: c, bare: true}
	d.awaitReplica()
	d.home()
	d.scan(c.outbound.String()) // no list tells of orders, so each is known when it was seen
	d.shows("SO-1", "Kitchen scale")
	d.key("Escape")
	d.home()
	service.end(syscall.SIGKILL)

	d.scan("PO-1")
	d.shows("PO-1", "Oat milk")
	d.scanProduct("]C101" + "0" + oatPiece + "17" + expiry("060102") + "10L42-A\x1d" + "3012")
	d.counted(12)
	d.types("18").key("Enter")
	d.counted(18)
	d.key("Enter")
	d.shows("booked 18", "waiting to sync", "OFFLINE", "○1")
	d.key("Escape")
	d.home()
	d.ship()
	d.setLocation("ST-1", "")
	d.receiveTransfer()
	d.setLocation("WH-1", "")
	d.fulfill()
	d.shows("○5")
	d.key("C-q").requireExit(0)

	d = &jobTerminal{screen: at.openScreen(80, 24, "--offline", "--operator", "Ada", "--place", "WH-1"), c: c, bare: true}
	d.shows(firstQuestion, "○5")
	service = h.serve(c, service.addr)
	d.shows("ONLINE", "○0")
	d.explain()
	d.key("C-q").requireExit(0)
	service.end(syscall.SIGTERM)
	c.requireJobs()
}

func TestAKeyOfAnotherOrganizationIsTold(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	service := h.serve(c, "")
	for _, url := range []string{service.url, service.withoutExtensions()} {
		l := h.withService(c, url).with("BINCARD_ORG="+uuid.NewString()).openLine(false, "--offline")
		l.shows("use the matching key", 0)
		l.requireExit(1)
	}
}

// TestTheFirstStartNeedsOneConnection begins while there is none: it says so,
// and is ready as soon as there is one.
func TestTheFirstStartNeedsOneConnection(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	addr := freeAddress(t)
	s := h.withService(c, "http://"+addr).openScreen(80, 24, "--offline")
	s.shows("after the first connection")
	h.serve(c, addr)
	s.awaitReplica().key("Enter")
	s.shows(firstQuestion, "ONLINE")
	s.scan("PO-1")
	s.shows("Receive › PO-1", "Oat milk", "ONLINE")
	s.key("C-q").requireExit(0)
}
