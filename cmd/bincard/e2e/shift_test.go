package e2e_test

import (
	"fmt"
	"io"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/budget"
	"bincard/server/ledger"
)

// A worker works at a terminal, on a screen or in line mode.
type worker interface {
	open(route string) // "receive PO-3"
	scan(code string)
	number(n int64)
	action(word string) // runs an action: "book"
	acknowledge()       // acknowledges an error
	expect(texts ...string)
	disconnect() // disconnects and connects again
	crash()      // kills the program and starts it again
	quit()
}

// A lineWorker is a worker in line mode.
type lineWorker struct {
	*sshTerminal
	from      int
	reconnect func(killed bool) *sshTerminal // after a disconnect or a kill
	lastQuit  func()
}

func (w *lineWorker) sendLine(text string) {
	w.t.Helper()
	w.mu.Lock()
	w.from = w.seen.Len()
	w.mu.Unlock()
	w.typeText(text + "\r\n")
}

func (w *lineWorker) open(route string)  { w.sendLine(route) }
func (w *lineWorker) scan(code string)   { w.sendLine(code) }
func (w *lineWorker) number(n int64)     { w.sendLine(fmt.Sprint(n)) }
func (w *lineWorker) action(word string) { w.sendLine(word) }
func (w *lineWorker) acknowledge()       { w.sendLine("") }
func (w *lineWorker) quit()              { w.sendLine("quit"); w.lastQuit() }
func (w *lineWorker) disconnect()        { w.sshTerminal, w.from = w.reconnect(false), 0 }
func (w *lineWorker) crash()             { w.sshTerminal, w.from = w.reconnect(true), 0 }
func (w *lineWorker) expect(texts ...string) {
	w.t.Helper()
	for _, text := range texts {
		w.waitFor(text, w.from)
	}
}

// A shift is the work on a number of documents.
type shift struct {
	*company
	inbounds, transfers, orders int
}

// newShift creates the documents of a shift.
func newShift(c *company, documents int) *shift {
	x := &shift{company: c, inbounds: documents * 45 / 110, transfers: documents * 25 / 110, orders: documents * 40 / 110}
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		do(c.t, svc, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: c.mug, LocationID: c.main},
			InventoryState: api.OnHand, QuantityDelta: 2000, Reason: "opening stock"})
		for i := range x.inbounds {
			do(c.t, svc, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: c.oat, LocationID: c.main}, ExpectedQuantity: 48,
				Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: fmt.Sprintf("IN-%d", i)}})
		}
		for i := range x.transfers {
			do(c.t, svc, api.CreateTransfer, api.CreateTransferInput{ProductID: c.mug, SourceLocationID: c.main, DestinationLocationID: c.store,
				Quantity: 20, Reference: api.Reference{ReferenceType: "transfer_order", ReferenceID: fmt.Sprintf("MV-%d", i)}})
		}
		for i := range x.orders {
			n := int64(6)
			do(c.t, svc, api.CreateOutbound, api.CreateOutboundInput{ProductID: c.mug, LocationID: c.main, RequestedQuantity: &n,
				CustomerName: "Café Lumen", Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: fmt.Sprintf("ORD-%d", i)}})
		}
	})
	return x
}

// label returns the label of a box of oat milk with a lot.
func label(lot int) string { return fmt.Sprintf("]C101%s17%s10L%d", oatBox, expiry("060102"), lot) }

// receiveShift receives every inbound in one of five ways: completely by scans, partly
// with damaged items and closed short, or with a wrong item, a misread label or too large
// a quantity first. Now and then the terminal loses its connection or is killed.
func (x *shift) receive(w worker) {
	for i := range x.inbounds {
		w.open(fmt.Sprintf("receive IN-%d", i))
		w.expect(fmt.Sprintf("RECEIVE IN-%d", i), "to go 48")
		w.scan(label(i))
		w.expect("now 12")
		switch i % 5 {
		case 0:
			for n := 24; n <= 48; n += 12 {
				w.scan(oatBox)
				w.expect(fmt.Sprintf("now %d", n))
			}
			w.action("book")
			w.expect("Received 48")
			continue
		case 1:
			w.number(30)
			w.expect("now 30")
			w.action("damaged 2")
			w.action("book")
			w.expect("Received 30")
			w.action("close the supplier is out")
			w.expect("closed, 18 missing")
			continue
		case 2:
			w.scan(mugPiece)
			w.expect("OAT-1L is expected; this is MUG-W")
			w.scan(oatBox)
			w.expect("Scan ignored")
			w.acknowledge()
		case 3:
			w.scan("9521000000019")
			w.expect("Invalid label")
			w.acknowledge()
		default:
			w.number(49)
			w.expect("49 is too many")
			w.acknowledge()
		}
		if i%15 == 2 {
			w.disconnect()
			w.open(fmt.Sprintf("receive IN-%d", i))
			w.expect("now 12", fmt.Sprintf("lot L%d", i))
		}
		if i%15 == 3 {
			w.crash()
			w.open(fmt.Sprintf("receive IN-%d", i))
			w.expect("now 12", fmt.Sprintf("lot L%d", i))
		}
		w.action("+")
		w.expect("now 48")
		w.action("book")
		w.expect("Received 48")
	}
}

// transfer ships and receives every transfer, some of them in two parts.
func (x *shift) transfer(w worker) {
	for i := range x.transfers {
		w.open(fmt.Sprintf("ship MV-%d", i))
		w.expect("to go 20")
		if i%3 == 0 {
			w.number(7)
			w.action("book")
			w.expect("Shipped 7: 7 of 20")
		}
		w.action("+")
		w.action("book")
		w.expect("20 of 20, 0 to go")
	}
	w.action("home")
	w.scan("ST-1")
	w.expect("Location: ST-1")
	for i := range x.transfers {
		w.open(fmt.Sprintf("receive-transfer MV-%d", i))
		w.expect("to go 20")
		if i%4 == 0 {
			w.number(21)
			w.expect("21 is too many")
			w.acknowledge()
			w.scan(mugPiece)
			w.expect("now 1")
			w.action("book")
			w.expect("Received 1: 1 of 20")
		}
		w.action("+")
		w.action("book")
		w.expect("20 of 20, 0 to go")
	}
	w.action("home")
	w.scan("WH-1")
	w.expect("Location: WH-1")
}

// fulfill fulfills every order but each fourth, which it cancels.
func (x *shift) fulfill(w worker) {
	for i := range x.orders {
		w.open(fmt.Sprintf("fulfill ORD-%d", i))
		w.expect("6 ready")
		if i%4 == 3 {
			w.action("cancel")
			w.expect("yes or no")
			w.action("yes")
			w.expect("canceled")
			continue
		}
		w.scan(oatPiece)
		w.expect("MUG-W is expected; this is OAT-1L")
		w.acknowledge()
		w.scan(mugPiece)
		w.expect("now 1")
		w.action("+")
		w.expect("now 6")
		w.action("book")
		w.expect("Fulfilled 6: 6 of 6")
	}
}

// requireDone requires that the ledger has the work of the shift.
func (x *shift) requireDone() {
	x.t.Helper()
	short := (x.inbounds + 3) / 5
	received := int64(48*x.inbounds - 18*short)
	x.withLedger(func(l *ledger.Ledger) {
		svc := x.service(l)
		require.Equal(x.t, api.Quantities{OnHand: received, Available: received - int64(2*short), Damaged: int64(2 * short), Incoming: 24},
			x.balance(svc, x.oat, x.main).Quantities)
		require.EqualValues(x.t, 20*x.transfers, x.balance(svc, x.mug, x.store).OnHand)
		moved := x.sumByOperation(svc)
		require.EqualValues(x.t, -20*x.transfers, moved[api.OpTransferOut])
		require.EqualValues(x.t, -6*(x.orders-x.orders/4), moved[api.OpOutboundFulfill])
	})
}

// work does the whole shift.
func (x *shift) work(w worker) {
	x.receive(w)
	x.transfer(w)
	x.fulfill(w)
	w.quit()
}

// TestShift_LineMode does a shift in line mode, through pipes and over
// SSH, with mistakes, a disconnect and a kill.
func TestShift_LineMode(t *testing.T) {
	t.Parallel()
	documents := budget.Shift.Cases(t)
	t.Run("pipes", func(t *testing.T) {
		t.Parallel()
		h := newMachine(t)
		c := newCompany(t, h.path("data"))
		x := newShift(c, documents)
		var cmd *exec.Cmd
		start := func() *sshTerminal {
			var f *sshTerminal
			f, cmd = h.openPlain("--data", c.dir, "--location", "WH-1", "--operator", "Ada")
			return f
		}
		w := &lineWorker{sshTerminal: start()}
		w.reconnect = func(killed bool) *sshTerminal {
			if killed {
				w.expect("> ") // the prompt comes after the draft is on disk
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
				return start()
			}
			require.NoError(t, w.in.(io.Closer).Close())
			require.NoError(t, cmd.Wait())
			return start()
		}
		w.lastQuit = func() { require.NoError(t, cmd.Wait()) }
		x.work(w)
		require.NotContains(t, w.seen.String(), "\x1b")
		x.requireDone()
	})
	t.Run("ssh", func(t *testing.T) {
		t.Parallel()
		h := newMachine(t)
		c := newCompany(t, h.path("data"))
		shift := newShift(c, documents)
		host := h.startSSH([]string{"Ada"}, "--data", c.dir, "--location", "WH-1")
		w := &lineWorker{sshTerminal: host.logIn("Ada", "")}
		w.reconnect = func(killed bool) *sshTerminal {
			if !killed {
				w.conn.Close()
				return host.logIn("Ada", "")
			}
			w.expect("> ")
			_ = host.cmd.Process.Kill()
			<-host.exited
			host.start(h, "--data", c.dir, "--location", "WH-1")
			return host.logIn("Ada", "")
		}
		w.lastQuit = host.end
		shift.work(w)
		shift.requireDone()
	})
}
