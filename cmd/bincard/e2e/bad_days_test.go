package e2e_test

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// slowly types text at the speed of a person.
func (f *sshTerminal) slowly(text string) {
	f.t.Helper()
	for _, r := range text {
		time.Sleep(keyInterval)
		f.typeText(string(r))
	}
}

// enter presses enter when an earlier scan cannot end with it.
func (f *sshTerminal) enter() {
	f.t.Helper()
	time.Sleep(10 * keyInterval)
	f.typeText("\r")
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
	f.waitFor("receive 1", at)
	f.slowly("10\r")
	f.waitFor("MUG-W is counted. Next:", at)
	f.typeText("\x1bOS") // F4
	at = f.waitFor("are damaged?", at)
	f.slowly("2\r")
	f.waitFor("receive 10", at)
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
	f.enter()
	<-cut

	f = x.logIn("Ada", "xterm-256color")
	at = f.waitFor("No answer yet for: receive 10 (MUG-W)", 0)
	f.enter()
	f.waitFor("Received 36 of 3 products, 2 damaged: complete", at)
	x.end()
	require.Zero(t, h.drafts())
	service.end(syscall.SIGTERM)
	c.requireDelivery(lines, 24, 10, 2)
}

// TestOrder_SSHDropsMidway drops the connection of an SSH session when half of an order is
// counted. The next session shows it and fulfills the order.
func TestOrder_SSHDropsMidway(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	order := c.addOrder()
	x := h.startSSH([]string{"Ada"}, "--data", c.dir, "--location", "WH-1")
	f := x.logIn("Ada", "xterm-256color")
	at := f.waitFor(firstQuestion, 0)
	f.typeText("SO-2\r")
	f.waitFor("Fulfill › SO-2", at)
	f.typeText(mugPiece + "\r")
	f.waitFor("fulfill 1", at)
	f.slowly("4\r")
	f.waitFor("fulfill 4", at)
	f.conn.Close()

	f = x.logIn("Ada", "xterm-256color")
	at = f.waitFor("fulfill 4", 0)
	f.slowly("6\r")
	f.waitFor("fulfill 6", at)
	f.typeText("010" + scalePiece + "21SN-3\r")
	f.waitFor("fulfill 7", at)
	f.enter()
	f.waitFor("This order is fulfilled (7 of 7)", at)
	x.end()
	require.Zero(t, h.drafts())
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		out := do(t, svc, api.GetOutbound, api.OutboundInput{OutboundID: order})
		require.Equal(t, []int64{6, 1}, []int64{out.Lines[0].FulfilledQuantity, out.Lines[1].FulfilledQuantity})
		require.Equal(t, "SN-3", out.Lines[1].Serials[0].Serial.SerialNumber)
		require.EqualValues(t, 24, c.balance(svc, c.mug, c.main).OnHand)
		require.EqualValues(t, 2, c.balance(svc, c.scale, c.main).OnHand)
	})
}

// TestDelivery_ServiceDiesMidway kills the service after the first of three receipts:
// before it has the second one, or after it recorded that. The terminal continues when the
// service is back, and each line is recorded once.
func TestDelivery_ServiceDiesMidway(t *testing.T) {
	t.Parallel()
	for name, recorded := range map[string]bool{"before it has the second": false, "after it has the second": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newMachine(t)
			c := newCompany(t, h.path("data"))
			lines := c.addDelivery()
			service := h.serve(c, "")
			front := service.startLossyProxy()
			s := h.withService(c, front.url).openScreen(80, 24, "receive/PO-9")
			s.countDelivery()
			front.pass.Store(1)
			call := front.beforeNext
			if recorded {
				call = front.loseNext
			}
			killed := call(func() { service.end(syscall.SIGKILL) })
			s.key("Enter")
			s.waitFor("may already be recorded", "enter continue")
			<-killed
			require.Equal(t, 1, h.drafts())
			s.key("Enter")
			s.waitFor("No answer yet for: receive 10 (MUG-W)")
			service = h.serve(c, service.addr)
			s.key("Enter")
			s.waitFor("Received 36 of 3 products, 2 damaged: complete")
			require.Zero(t, h.drafts())
			s.key("C-q").requireExit(0)
			service.end(syscall.SIGTERM)
			c.requireDelivery(lines, 24, 10, 2)
		})
	}
}

// TestOrder_TwoWorkers lets two workers count the same line of an order. The second sees
// what is left, and no more than was ordered leaves.
func TestOrder_TwoWorkers(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	order := c.addOrder()
	service := h.serve(c, "")
	other := newMachine(t)
	ada := h.withService(c, service.url).openScreen(80, 24, "fulfill/SO-2", "--operator", "Ada")
	ben := other.withService(c, service.url).openScreen(80, 24, "fulfill/SO-2", "--operator", "Ben")
	for _, s := range []*screen{ada, ben} {
		s.waitFor("SO-2", "▸ MUG-W")
		s.scan(mugPiece)
		s.waitFor("enter fulfill 1")
		s.key("+")
		s.waitFor("enter fulfill 6")
	}
	for _, s := range []*screen{ben, ada} {
		s.key("Enter")
		s.waitFor("Not counted: 1 × SCA-5. Fulfill 6 anyway?")
		time.Sleep(10 * keyInterval)
		s.key("Enter")
		if s == ben {
			s.waitFor("Fulfilled 6: 6 of 7 done, 1 ready")
		}
	}
	view := ada.waitUntil("an error that asks to continue", func(view string) bool {
		return strings.Contains(view, "! ") && strings.Contains(view, "enter continue")
	})
	t.Log(view)
	ada.key("Enter")
	ada.waitFor("6 fulfilled")
	ada.typeText("0").key("Enter")
	ada.scan("010" + scalePiece + "21SN-3")
	ada.waitFor("enter fulfill 1")
	ada.key("Enter")
	ada.waitFor("This order is fulfilled (7 of 7)")
	for _, s := range []*screen{ada, ben} {
		s.key("C-q").requireExit(0)
	}
	require.Zero(t, h.drafts())
	service.end(syscall.SIGTERM)
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		out := do(t, svc, api.GetOutbound, api.OutboundInput{OutboundID: order})
		require.Equal(t, []int64{6, 1}, []int64{out.Lines[0].FulfilledQuantity, out.Lines[1].FulfilledQuantity})
		require.EqualValues(t, 24, c.balance(svc, c.mug, c.main).OnHand)
		require.Equal(t, "Ben", c.latest(svc, c.mug).CreatedBy.Label)
		require.Equal(t, "Ada", c.latest(svc, c.scale).CreatedBy.Label)
	})
}

// TestOwner_DeliveryUnderAnotherLine lets Ben open a delivery that Ada counts by another of
// its lines. He is asked, and what she counted is recorded once, for him.
func TestOwner_DeliveryUnderAnotherLine(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	lines := c.addDelivery()
	h.addOperators()
	d := &jobTerminal{screen: h.openScreen(80, 24, "--location", "WH-1", "--data", c.dir), c: c}
	d.waitFor("Nobody is signed in")
	d.scan("ADA-0042")
	d.home()
	d.scan("PO-9")
	d.waitFor("PO-9", "Oat milk")
	d.scan(mugPiece)
	d.counted(1)
	d.typeText("10").key("Enter")
	d.waitFor("enter receive 10")
	d.key("Escape")
	d.home()
	d.scan("BEN-0043")
	d.waitFor("Signed in as Ben")
	d.home()
	for _, line := range lines {
		d.scan(line.String())
		d.waitFor("Ada has counted 10 here. Take it over?")
		time.Sleep(10 * keyInterval)
		d.key("Escape")
		d.home()
	}
	d.scan(lines[2].String())
	d.waitFor("Take it over?")
	time.Sleep(10 * keyInterval)
	d.key("Enter")
	d.waitFor("Taken over from Ada", "enter receive 10")
	d.key("Enter")
	d.waitFor("Received 10 of MUG-W: 2 lines to go")
	d.key("C-q").requireExit(0)
	require.Zero(t, h.drafts())
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		require.EqualValues(t, 10, do(t, svc, api.GetInbound, api.InboundInput{InboundID: lines[1]}).ReceivedQuantity)
		require.EqualValues(t, 40, c.balance(svc, c.mug, c.main).OnHand)
		require.Equal(t, "Ben", c.latest(svc, c.mug).CreatedBy.Label)
	})
}
