package e2e_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

const firstQuestion = "Scan anything" // prompt of the first screen

// colored matches a sequence that sets a color.
var colored = regexp.MustCompile(`\x1b\[([0-9]+;)*([349][0-7]|10[0-7]|[34]8;[0-9;]+)m`)

func TestStart_SilentTerminal(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	l := h.openLine(false, "--data", c.dir, "--theme", "dark")
	l.waitFor(firstQuestion, 0)
	require.NotContains(t, l.bytes(), "\x1b]11;?", "queried the background color")
	require.NotContains(t, l.bytes(), "\x1b[6n", "queried the cursor position")
	require.Regexp(t, colored, l.bytes())
	l.send("\x11").requireExit(0) // ctrl+q
}

func TestStart_EmptyMachine(t *testing.T) {
	t.Parallel()
	l := newMachine(t).withEnv("NO_COLOR=1").openLine(false)
	l.waitFor("Bincard", 0)
	l.waitFor("demo", 0)
	require.NotRegexp(t, colored, l.bytes())
	l.send("\x11").requireExit(0)
}

func TestStart_OpensRouteAndResizes(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	s := h.openScreen(80, 24, "--data", c.dir, "receive/PO-1")
	s.waitFor("Receive › PO-1", "Oat milk", "Expected 24", "Nordic Foods")
	s.resize(40, 8)
	s.waitFor("PO-1", "0/24", "+ all")
	s.resize(20, 16)
	s.waitFor("expected 24", "+ all", "esc")
	s.resize(120, 40)
	s.waitFor("Receive › PO-1", "Expected 24")
	s.key("Escape")
	s.waitFor(firstQuestion)
	s.key("C-q").requireExit(0)
}

// countBox counts a box of 12 of PO-1.
func (s *screen) countBox() {
	s.t.Helper()
	s.waitFor("Receive › PO-1", "Oat milk")
	s.scan(oatBox)
	s.waitFor("This count 12", "box OAT-1L +12")
}

func TestDraft_SurvivesSignal(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM} {
		s := h.openScreen(80, 24, "--data", c.dir, "receive/PO-1")
		if h.drafts() == 0 {
			s.countBox()
		}
		s.waitFor("This count 12")
		s.signal(sig).requireExit(0)
		require.Equal(t, 1, h.drafts(), sig)
	}
}

func TestDraft_SurvivesKill(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	s := h.openScreen(80, 24, "--data", c.dir, "receive/PO-1")
	s.countBox()
	s.scan("10L42-A\x1d" + "17" + expiry("060102"))
	s.waitFor("L42-A", expiry(time.DateOnly))
	s.signal(syscall.SIGKILL)
	s.waitUntil("is gone", func(view string) bool { return strings.Contains(view, "left with 137") })

	again := h.openScreen(80, 24, "--data", c.dir, "receive/PO-1")
	again.waitFor("This count 12", "L42-A", expiry(time.DateOnly), "receive 12")
	again.key("C-q")
	again.waitFor("PO-1", "quit") // it asks because there is an unsent draft
}

func TestKey_NotWrittenToDisk(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	service := h.serve(c, "")
	s := h.withService(c, service.url).openScreen(80, 24, "receive/PO-1")
	s.countBox()
	service.end(syscall.SIGKILL) // errors are logged, too
	s.key("Enter")
	s.waitFor("cannot be reached")
	s.signal(syscall.SIGTERM).requireExit(0)
	require.NotEmpty(t, h.readFile("state_home", "bincard", "bincard.log"))
	secret := c.key[len("bc_live_"):]
	require.NoError(t, filepath.WalkDir(h.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NotContains(t, string(text), secret, path)
		return nil
	}))
}

// requireReceived requires that the ledger has exactly n of PO-1, in one movement.
func (c *company) requireReceived(n int64) {
	c.t.Helper()
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		require.EqualValues(c.t, n, do(c.t, svc, api.GetInbound, api.InboundInput{InboundID: c.inbound}).ReceivedQuantity)
		list := do(c.t, svc, api.ReportMovements, api.ReportMovementsInput{StockFilter: api.StockFilter{ProductID: c.oat}, InventoryState: api.OnHand})
		require.Len(c.t, list.Items, 1, "booked more than once")
		require.Equal(c.t, n, list.Items[0].Quantity)
	})
}

// countBoxWithLot counts a box of PO-1 with its lot.
func (s *screen) countBoxWithLot() {
	s.t.Helper()
	s.countBox()
	s.scan("10L42-A\x1d" + "17" + expiry("060102"))
	s.waitFor("L42-A", expiry(time.DateOnly))
}

// TestTerminal_StartsBeforeService starts the terminal before its service, as after a
// power cut. The terminal finds its location when the service is up.
func TestTerminal_StartsBeforeService(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	addr := freeAddress(t)
	s := h.withService(c, "http://"+addr).openScreen(80, 24, "--location", "ST-1")
	s.waitFor("OFFLINE", "Where do you work?")
	h.serve(c, addr)
	s.waitFor("Harbor", "ST-1 Quay store", "ONLINE", "0 in transit")
	s.key("C-q").requireExit(0)
}

// TestReceive_ServiceDiesDuringSubmit kills the service after it commits a receipt and
// before it responds. The terminal retries with the same key, and the receipt is booked
// once.
func TestReceive_ServiceDiesDuringSubmit(t *testing.T) {
	t.Parallel()
	for name, terminalDies := range map[string]bool{"terminal survives": false, "terminal dies": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c := newCompany(t, h.path("data"))
			service := h.serve(c, "")
			front := service.startLossyProxy()
			remote := h.withService(c, front.url)
			s := remote.openScreen(80, 24, "receive/PO-1")
			s.countBoxWithLot()
			killed := front.loseNext(func() { service.end(syscall.SIGKILL) })
			s.key("Enter")
			s.waitFor("may already be recorded", "Your count is kept")
			<-killed
			require.Equal(t, 1, h.drafts())

			if terminalDies {
				s.signal(syscall.SIGKILL)
				s.waitUntil("is gone", func(view string) bool { return strings.Contains(view, "left with 137") })
			} else {
				s.key("Enter") // acknowledge the error
				s.waitGone("enter continue")
			}
			service = h.serve(c, service.addr)
			if terminalDies {
				s = remote.openScreen(80, 24, "receive/PO-1")
			}
			s.waitFor("No answer yet for: receive 12", "retry")
			s.scan(oatBox) // the count is locked until the outcome is known
			s.waitFor("no answer yet. Nothing was counted")
			s.key("Enter")
			s.waitFor("No answer yet for: receive 12")
			s.key("Enter")
			s.waitFor("Received 12: 12 of 24, 12 to go")
			s.key("C-q").requireExit(0)
			service.end(syscall.SIGTERM)
			c.requireReceived(12)
		})
	}
}

// addDelivery creates PO-9: 10 MUG-W, 24 OAT-1L and 2 SCA-5 that WH-1 expects. It returns
// the inbounds.
func (c *company) addDelivery() (lines []api.ID) {
	c.t.Helper()
	c.withLedger(func(l *ledger.Ledger) {
		// Lines of the same millisecond are sorted by SKU, as these are.
		for _, x := range []struct {
			product api.ID
			n       int64
		}{{c.mug, 10}, {c.oat, 24}, {c.scale, 2}} {
			in := do(c.t, c.service(l), api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: x.product, LocationID: c.main},
				ExpectedQuantity: x.n, Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: "PO-9"}}).Inbound
			lines = append(lines, in.ID)
		}
	})
	return lines
}

// requireDelivery requires that the ledger has what was received of each line, each in one
// movement, and two of the mugs damaged.
func (c *company) requireDelivery(lines []api.ID, received ...int64) {
	c.t.Helper()
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		for i, id := range lines {
			in := do(c.t, svc, api.GetInbound, api.InboundInput{InboundID: id})
			require.Equal(c.t, received[i], in.ReceivedQuantity, in.Product.SKU)
		}
		balance := func(product api.ID) api.Balance { return c.balance(svc, product, c.main) }
		require.Equal(c.t, []int64{30 + received[0], received[1], 3 + received[2]},
			[]int64{balance(c.mug).OnHand, balance(c.oat).OnHand, balance(c.scale).OnHand})
		require.EqualValues(c.t, 2, balance(c.mug).Damaged)
		lots := do(c.t, svc, api.ListLots, api.ListLotsInput{ProductID: c.oat})
		require.Len(c.t, lots.Items, 1)
		require.Equal(c.t, "L42-A", lots.Items[0].LotCode)
	})
}

// press presses a key and waits for what the screen shows then: keys that arrive together are a
// scan.
func (f *sshTerminal) press(key, text string, at int) int {
	f.t.Helper()
	f.typeText(key)
	return f.waitFor(text, at)
}

// awaitClock waits until the header has shown the next two seconds after offset from. A question
// that opens late ignores what is typed at once, as it was typed before it could be read.
func (f *sshTerminal) awaitClock(from int) {
	f.t.Helper()
	f.await("the next seconds", func() bool { return strings.Count(f.output(from), "ONLINE") >= 2 })
}

// TestDelivery_SSHDropsMidway drops the connection of an SSH session when one of three
// lines is counted, and while the second of three receipts is sent. The next session
// finishes the delivery, and each line is recorded once.
func TestDelivery_SSHDropsMidway(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	lines := c.addDelivery()
	service := h.serve(c, "")
	front := service.startLossyProxy()
	x := h.withService(c, front.url).startSSH([]string{"Ada"}, "--location", "WH-1")
	f := x.logIn("Ada", "xterm-256color")
	at := f.waitFor(firstQuestion, 0)
	f.typeText("PO-9\r")
	f.waitFor("Receive › PO-9", at)
	f.typeText(mugPiece + "\r")
	at = f.waitFor("receive 1", at)
	at = f.press("+", "MUG-W is counted. Next:", at)
	at = f.press("\x1bOS", "are damaged?", at) // F4
	f.awaitClock(at)
	at = f.press("2", "2█", at)
	at = f.press("\r", "What damaged them?", at)
	f.press("\r", "receive 10", at)
	f.conn.Close()

	f = x.logIn("Ada", "xterm-256color")
	at = f.waitFor("receive 10", 0)
	f.typeText("]C101" + "0" + oatPiece + "17" + expiry("060102") + "10L42-A\x1d" + "3024\r")
	f.waitFor("receive 34", at)
	f.typeText(scalePiece + "\r")
	f.waitFor("Scan the serial number of SCA-5", at)
	f.typeText("SN-0008\r")
	f.waitFor("receive 35", at)
	f.typeText("SN-0009\r")
	f.waitFor("receive 36", at)
	front.pass.Store(1)
	cut := front.loseNext(func() { f.conn.Close() })
	f.typeText("\x1b[B\r") // after another key, enter does not belong to the scan
	<-cut

	f = x.logIn("Ada", "xterm-256color")
	at = f.waitFor("No answer yet for: receive 24 (OAT-1L)", 0)
	f.press("\r", "Received 36 (3 products), 2 damaged: complete", at)
	x.end()
	require.Zero(t, h.drafts())
	service.end(syscall.SIGTERM)
	c.requireDelivery(lines, 10, 24, 2)
}
