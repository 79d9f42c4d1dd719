package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/testenv"
)

// awaitReplica waits until the node has downloaded the service's data.
func (s *screen) awaitReplica() *screen {
	s.t.Helper()
	s.waitUntil("everything is read", func(string) bool {
		found, err := filepath.Glob(s.machine.path("data_home", "bincard", "offline", "*", "bases", "current"))
		require.NoError(s.t, err)
		return len(found) == 1
	})
	return s
}

// startWithFewMugs returns a company with 5 MUG-W, of which TR-1 takes 10, its service, and an
// offline terminal that has downloaded all data.
func (h *machine) startWithFewMugs() (c *company, service *service, at *machine, s *screen) {
	h.t.Helper()
	c = newCompany(h.t, h.path("data"))
	c.withLedger(func(l *ledger.Ledger) {
		do(h.t, c.service(l), api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: c.mug, LocationID: c.main}, InventoryState: api.OnHand,
			QuantityDelta: -25, Reason: "broken"})
	})
	service = h.serve(c, "")
	at = h.withService(c, service.url)
	s = at.openScreen(80, 24, "--offline")
	s.awaitReplica().waitFor(firstQuestion, "ONLINE", "Harbor")
	return c, service, at, s
}

// shipWithInsist ships all of TR-1 although there is not enough stock.
func (s *screen) shipWithInsist() {
	s.t.Helper()
	s.scan("TR-1")
	s.waitFor("TR-1", "To go 10")
	s.typeText("+")
	s.waitFor("This count 10")
	s.key("Enter")
	s.waitFor("F10 save anyway")
	s.key("F10")
	s.waitFor("Saved at risk")
}

// TestOffline_SavesAndSyncs kills the service under an offline terminal, which saves a
// receipt and a forced shipment, restarts and syncs them. The outbox commands then
// replace and discard the rejected one.
func TestOffline_SavesAndSyncs(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c, service, at, s := h.startWithFewMugs()
	service.end(syscall.SIGKILL)

	s.scan("PO-1")
	s.countBox()
	s.scan("10L42-A\x1d" + "17" + expiry("060102"))
	s.waitFor("L42-A")
	s.key("Enter")
	s.waitFor("Received 12", "not synced", "OFFLINE", "○1")
	s.key("Escape")
	s.waitFor(firstQuestion)
	s.shipWithInsist()
	s.waitFor("○2")

	s.key("C-q").requireExit(0)

	s = at.openScreen(80, 24, "--offline")
	s.waitFor("Ship › TR-1", "OFFLINE", "○2", "Harbor")
	service = h.serve(c, service.addr)
	s.waitFor("ONLINE", "○0", "!1")
	l := at.openLine(false, "status")
	l.waitFor("failed 1", 0)
	l.requireExit(0)
	s.key("C-q").requireExit(0)
	service.end(syscall.SIGTERM)
	l = at.openLine(false, "outbox", "list")
	l.waitFor("failed", 0)
	l.requireExit(0)
	key := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`).FindString(l.bytes())
	at.openLine(false, "status", "--check").requireExit(4)
	l = at.openLine(false, "outbox", "drop", key)
	l.waitFor("needs --reason", 0)
	l.requireExit(2)
	l = at.openLine(false, "outbox", "export", h.path("queue.json"))
	l.waitFor("1 exported", 0)
	l.requireExit(0)
	require.Contains(t, h.readFile("queue.json"), key)
	l = at.openLine(false, "outbox", "record", key, "--delta=-100")
	l.waitFor("--force", 0)
	l.requireExit(1)
	l = at.openLine(false, "outbox", "record", key, "--delta=-1", "--reason", "one was broken")
	l.waitFor("replaces it: adjust -1 × MUG-W on TR-1", 0)
	l.requireExit(0)
	l = at.openLine(false, "outbox", "drop", key, "--reason", "none were there")
	l.waitFor("This operation was already replaced", 0)
	l.requireExit(1)
	l = at.openLine(false, "outbox", "list")
	l.waitFor("pending", 0)
	l.requireExit(0)
	key = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`).FindString(l.bytes())
	at.openLine(false, "outbox", "drop", key, "--reason", "none were there").requireExit(0)
	l = at.openLine(false, "outbox", "retry", key)
	l.waitFor("already discarded", 0)
	l.requireExit(1)
	l = at.openLine(false, "outbox", "list")
	l.waitFor("nothing is pending", 0)
	l.requireExit(0)
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		require.EqualValues(t, 12, c.balance(svc, c.oat, c.main).OnHand)
		require.EqualValues(t, 5, c.balance(svc, c.mug, c.main).OnHand)
	})
}

// TestOffline_AllFiveJobs does the five jobs offline, in front of a service with only the
// documented operations, and syncs them once.
func TestOffline_AllFiveJobs(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	service := h.serve(c, "")
	at := h.withService(c, service.withoutExtensions())
	d := &jobTerminal{screen: at.openScreen(80, 24, "--offline", "--operator", "Ada", "--location", "WH-1"), c: c, bare: true}
	d.awaitReplica()
	d.home()
	d.scan(c.outbound.String()) // the service cannot list orders: open it once while online
	d.waitFor("SO-1", "Kitchen scale")
	d.key("Escape")
	d.home()
	service.end(syscall.SIGKILL)

	d.scan("PO-1")
	d.waitFor("PO-1", "Oat milk")
	d.scanProduct("]C101" + "0" + oatPiece + "17" + expiry("060102") + "10L42-A\x1d" + "3012")
	d.counted(12)
	d.typeText("18").key("Enter")
	d.counted(18)
	d.key("Enter")
	d.waitFor("Received 18", "not synced", "OFFLINE", "○1")
	d.key("Escape")
	d.home()
	d.ship()
	d.setLocation("ST-1", "")
	d.receiveTransfer()
	d.setLocation("WH-1", "")
	d.fulfill()
	d.waitFor("○5")
	d.key("C-q").requireExit(0)

	d = &jobTerminal{screen: at.openScreen(80, 24, "--offline", "--operator", "Ada", "--location", "WH-1"), c: c, bare: true}
	d.waitFor(firstQuestion, "○5")
	service = h.serve(c, service.addr)
	d.waitFor("ONLINE", "○0")
	d.explain()
	d.key("C-q").requireExit(0)
	service.end(syscall.SIGTERM)
	c.requireJobs()
}

// receiveAll books the quantity that is pending on PO-1, in one lot.
func (s *screen) receiveAll(all string) {
	s.t.Helper()
	s.scan("PO-1")
	s.waitFor("Receive › PO-1")
	s.scan("10L42-A\x1d" + "17" + expiry("060102"))
	s.waitFor("L42-A")
	s.typeText(all)
	s.key("Enter")
	s.waitFor("This count " + all)
	s.key("Enter")
	s.waitFor("Received "+all, "not synced")
	s.key("Escape")
	s.waitFor(firstQuestion)
}

// TestSync_DamagedJournal cuts off saved work while the terminal is down. The sync screen
// and the header of every screen report it until a supervisor acknowledges it, and do not say
// that everything is synced.
func TestSync_DamagedJournal(t *testing.T) {
	t.Parallel()
	testenv.DamagedJournal.Cases(t)
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	service := h.serve(c, "")
	at := h.withService(c, service.url)
	s := at.openScreen(80, 24, "--offline")
	s.awaitReplica().waitFor(firstQuestion, "ONLINE")
	service.end(syscall.SIGKILL)
	s.receiveAll("16")
	s.waitFor("○1")
	s.key("C-q").requireExit(0)
	journals, err := filepath.Glob(h.path("data_home", "bincard", "offline", "*", "work.journal"))
	require.NoError(t, err)
	require.Len(t, journals, 1)
	info, err := os.Stat(journals[0])
	require.NoError(t, err)
	require.NoError(t, os.Truncate(journals[0], info.Size()/2))

	service = h.serve(c, service.addr)
	open := func(route string) {
		t.Helper()
		s = at.openScreen(80, 24, "--offline", route)
		s.waitFor("enter continue", "DAMAGE") // a warning at the start
		s.key("Enter")
		s.waitGone("enter continue")
	}
	open("receive/PO-1")
	s.waitFor("DAMAGE", "Oat milk")
	s.key("C-q").requireExit(0)

	open("sync") // a restart changes nothing
	s.waitFor("DAMAGE", "Saved entries are damaged: compare recent entries with the stock", "○0", "acknowledge the damage", "No entries are pending.")
	s.waitGone("synced")
	s.key("C-a")
	s.waitFor("end the alarm")
	s.key("Enter")
	s.waitFor("Everything is synced")
	s.waitGone("DAMAGE")
	s.waitFor("ONLINE")
	s.key("C-q").requireExit(0)

	service.end(syscall.SIGTERM)
	c.withLedger(func(l *ledger.Ledger) {
		require.Zero(t, do(t, c.service(l), api.GetInbound, api.InboundInput{InboundID: c.inbound}).ReceivedQuantity)
	})
}

// TestOffline_FirstStartNeedsConnection checks that the first start without a connection
// reports that it needs one, and the terminal is ready once there is one.
func TestOffline_FirstStartNeedsConnection(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	addr := freeAddress(t)
	s := h.withService(c, "http://"+addr).openScreen(80, 24, "--offline")
	s.waitFor("after the first connection")
	h.serve(c, addr)
	s.awaitReplica().key("Enter")
	s.waitFor(firstQuestion, "ONLINE")
	s.scan("PO-1")
	s.waitFor("Receive › PO-1", "Oat milk", "ONLINE")
	s.key("C-q").requireExit(0)
}

// mustRun runs the program, which must succeed, and returns its output.
func (h *machine) mustRun(args ...string) string {
	h.t.Helper()
	out, status := h.run(args...)
	require.Zero(h.t, status, "%q: %s", args, out)
	return out
}

// TestLedger_StartedAtOnce starts terminals and commands at the same instant on a demo that
// does not exist yet.
func TestLedger_StartedAtOnce(t *testing.T) {
	t.Parallel()
	testenv.SharedStores.Cases(t)
	h := newMachine(t)
	const workers = 4
	outs := make(chan string, workers)
	screens := []*screen{h.openScreen(80, 24, "--demo"), h.openScreen(80, 24, "--demo")}
	for worker := range workers {
		go func() {
			out, status := h.run("adjust", "RICJA-1K@WH-1", "+1", "--demo", "--reason", "at once", "--key", fmt.Sprint("k-", worker))
			if status != 0 {
				outs <- out
				return
			}
			outs <- ""
		}()
	}
	for range workers {
		require.Empty(t, <-outs)
	}
	for _, s := range screens {
		s.waitFor(firstQuestion, "LOCAL", "WH-1")
	}
	require.Equal(t, 2*workers, strings.Count(h.mustRun("export", "movements", "--demo", "--sku", "RICJA-1K"), "at once"), "two movements each")
	for _, s := range screens {
		s.key("C-q").requireExit(0)
	}
	require.Contains(t, h.mustRun("verify", "--data", h.path("data_home", "bincard", "demo")), "everything adds up")
}

// run runs the program and returns its output and exit status.
func (h *machine) run(args ...string) (out string, status int) {
	cmd := exec.Command(program(h.t), args...)
	cmd.Env = h.env
	text, _ := cmd.CombinedOutput()
	return string(text), cmd.ProcessState.ExitCode()
}
