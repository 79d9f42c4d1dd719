package e2e_test

import (
	"fmt"
	"io"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

// A worker does deeds at a terminal, whatever face it has.
type worker interface {
	open(route string) // "receive PO-3"
	scan(code string)
	number(n int64)
	do(word string) // an action by its word: "book"
	read()          // acknowledges an error
	says(texts ...string)
	lose()  // the line is lost and found again
	crash() // the machine is, and starts again
	quit()
}

// lineWorker is a worker whose terminal speaks in lines.
type lineWorker struct {
	*sshTerminal
	from      int
	reconnect func(killed bool) *sshTerminal // after the line was lost, or the machine
	lastQuit  func()
}

func (w *lineWorker) line(text string) {
	w.t.Helper()
	w.mu.Lock()
	w.from = w.seen.Len()
	w.mu.Unlock()
	w.types(text + "\r\n")
}

func (w *lineWorker) open(route string) { w.line(route) }
func (w *lineWorker) scan(code string)  { w.line(code) }
func (w *lineWorker) number(n int64)    { w.line(fmt.Sprint(n)) }
func (w *lineWorker) do(word string)    { w.line(word) }
func (w *lineWorker) read()             { w.line("") }
func (w *lineWorker) quit()             { w.line("quit"); w.lastQuit() }
func (w *lineWorker) lose()             { w.sshTerminal, w.from = w.reconnect(false), 0 }
func (w *lineWorker) crash()            { w.sshTerminal, w.from = w.reconnect(true), 0 }
func (w *lineWorker) says(texts ...string) {
	w.t.Helper()
	for _, text := range texts {
		w.shows(text, w.from)
	}
}

// How many documents a shift has of each kind.
const (
	shiftInbounds  = 45
	shiftTransfers = 25
	shiftOrders    = 40
)

// addShift announces the documents of a shift.
func (c *company) addShift() {
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		do(c.t, svc, api.AdjustStock, api.AdjustStockInput{ProductID: c.mug, LocationID: c.main, InventoryState: api.OnHand, QuantityDelta: 2000, Reason: "opening stock"})
		for i := range shiftInbounds {
			do(c.t, svc, api.CreateInbound, api.CreateInboundInput{ProductID: c.oat, LocationID: c.main, ExpectedQuantity: 48,
				ReferenceType: "purchase_order", ReferenceID: fmt.Sprintf("IN-%d", i)})
		}
		for i := range shiftTransfers {
			do(c.t, svc, api.CreateTransfer, api.CreateTransferInput{ProductID: c.mug, SourceLocationID: c.main, DestinationLocationID: c.store,
				Quantity: 20, ReferenceType: "transfer_order", ReferenceID: fmt.Sprintf("MV-%d", i)})
		}
		for i := range shiftOrders {
			n := int64(6)
			do(c.t, svc, api.CreateOutbound, api.CreateOutboundInput{ProductID: c.mug, LocationID: c.main, RequestedQuantity: &n,
				CustomerName: "Café Lumen", ReferenceType: "sales_order", ReferenceID: fmt.Sprintf("ORD-%d", i)})
		}
	})
}

// label is a box of oat milk with its lot.
func label(lot int) string { return fmt.Sprintf("]C101%s17%s10L%d", oatBox, expiry("060102"), lot) }

// receiveShift receives every inbound, each kind of day in turn: all of it by
// scans, a part with damaged pieces and the rest short, other goods, a misread
// label, too many.
func receiveShift(w worker) {
	for i := range shiftInbounds {
		w.open(fmt.Sprintf("receive IN-%d", i))
		w.says(fmt.Sprintf("RECEIVE IN-%d", i), "pending 48")
		w.scan(label(i))
		w.says("now 12")
		switch i % 5 {
		case 0:
			for n := 24; n <= 48; n += 12 {
				w.scan(oatBox)
				w.says(fmt.Sprintf("now %d", n))
			}
			w.do("book")
			w.says("booked 48")
			continue
		case 1:
			w.number(30)
			w.says("now 30")
			w.do("damaged 2")
			w.do("book")
			w.says("booked 30")
			w.do("close the supplier is out")
			w.says("closed, 18 missing")
			continue
		case 2:
			w.scan(mugPiece)
			w.says("OAT-1L is expected; this is MUG-W")
			w.scan(oatBox)
			w.says("Scan ignored")
			w.read()
		case 3:
			w.scan("9521000000019")
			w.says("Invalid label")
			w.read()
		default:
			w.number(49)
			w.says("49 is too many")
			w.read()
		}
		if i == 17 {
			w.lose()
			w.open(fmt.Sprintf("receive IN-%d", i))
			w.says("now 12", fmt.Sprintf("lot L%d", i))
		}
		if i == 28 {
			w.crash()
			w.open(fmt.Sprintf("receive IN-%d", i))
			w.says("now 12", fmt.Sprintf("lot L%d", i))
		}
		w.do("+")
		w.says("now 48")
		w.do("book")
		w.says("booked 48")
	}
}

// transferShift ships every transfer, and receives it at the other end: three
// in one go, the others in two.
func transferShift(w worker) {
	for i := range shiftTransfers {
		w.open(fmt.Sprintf("ship MV-%d", i))
		w.says("pending 20")
		if i%3 == 0 {
			w.number(7)
			w.do("book")
			w.says("shipped 7. 7 of 20")
		}
		w.do("+")
		w.do("book")
		w.says("20 of 20, pending 0")
	}
	w.do("home")
	w.scan("ST-1")
	w.says("Work at ST-1")
	for i := range shiftTransfers {
		w.open(fmt.Sprintf("arrive MV-%d", i))
		w.says("pending 20")
		if i%4 == 0 {
			w.number(21)
			w.says("21 is too many")
			w.read()
			w.scan(mugPiece)
			w.says("now 1")
			w.do("book")
			w.says("received 1. 1 of 20")
		}
		w.do("+")
		w.do("book")
		w.says("20 of 20, pending 0")
	}
	w.do("home")
	w.scan("WH-1")
	w.says("Work at WH-1")
}

// orderShift sends every order; every fourth is cancelled instead.
func orderShift(w worker) {
	for i := range shiftOrders {
		w.open(fmt.Sprintf("fulfill ORD-%d", i))
		w.says("6 ready")
		if i%4 == 3 {
			w.do("cancel")
			w.says("yes or no")
			w.do("yes")
			w.says("canceled")
			continue
		}
		w.scan(oatPiece)
		w.says("MUG-W is expected; this is OAT-1L")
		w.read()
		w.scan(mugPiece)
		w.says("now 1")
		w.do("+")
		w.says("now 6")
		w.do("book")
		w.says("fulfilled 6. 6 of 6")
	}
}

// requireShift requires that the books say what the shift did.
func (c *company) requireShift() {
	c.t.Helper()
	short := (shiftInbounds + 3) / 5
	received := int64(48*shiftInbounds - 18*short)
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		require.Equal(c.t, api.Quantities{OnHand: received, Available: received - int64(2*short), Damaged: int64(2 * short), Incoming: 24},
			c.balance(svc, c.oat, c.main).Quantities)
		require.EqualValues(c.t, 20*shiftTransfers, c.balance(svc, c.mug, c.store).OnHand)
		moved := c.sumByOperation(svc)
		require.EqualValues(c.t, -20*shiftTransfers, moved[api.OpTransferOut])
		require.EqualValues(c.t, -6*(shiftOrders-shiftOrders/4), moved[api.OpOutboundFulfill])
	})
}

// work does the whole shift.
func work(w worker) {
	receiveShift(w)
	transferShift(w)
	orderShift(w)
	w.quit()
}

// TestAShiftInLines does 110 documents in lines: through pipes, on the ledger of
// the machine, and over SSH; with every kind of mistake, and two restarts.
func TestAShiftInLines(t *testing.T) {
	t.Parallel()
	t.Run("pipes", func(t *testing.T) {
		t.Parallel()
		h := newMachine(t)
		c := newCompany(t, h.path("data"))
		c.addShift()
		var cmd *exec.Cmd
		start := func() *sshTerminal {
			f := &sshTerminal{t: t, notify: make(chan struct{}, 1)}
			cmd = exec.Command(program(t), "--plain", "--data", c.dir, "--place", "WH-1", "--operator", "Ada")
			cmd.Env, cmd.Stdout, cmd.Stderr = h.env, f, f
			var err error
			f.in, err = cmd.StdinPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			t.Cleanup(func() { _ = cmd.Process.Kill() })
			return f
		}
		w := &lineWorker{sshTerminal: start()}
		w.reconnect = func(killed bool) *sshTerminal {
			if killed {
				w.says("> ") // what was said is on disk
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
				return start()
			}
			require.NoError(t, w.in.(io.Closer).Close())
			require.NoError(t, cmd.Wait())
			return start()
		}
		w.lastQuit = func() { require.NoError(t, cmd.Wait()) }
		work(w)
		require.NotContains(t, w.seen.String(), "\x1b")
		c.requireShift()
	})
	t.Run("ssh", func(t *testing.T) {
		t.Parallel()
		h := newMachine(t)
		c := newCompany(t, h.path("data"))
		c.addShift()
		x := h.startSSH([]string{"Ada"}, "--data", c.dir, "--place", "WH-1")
		w := &lineWorker{sshTerminal: x.logIn("Ada", "")}
		w.reconnect = func(killed bool) *sshTerminal {
			if !killed {
				w.conn.Close()
				return x.logIn("Ada", "")
			}
			w.says("> ")
			_ = x.cmd.Process.Kill()
			<-x.exited
			x.start(h, "--data", c.dir, "--place", "WH-1")
			return x.logIn("Ada", "")
		}
		w.lastQuit = x.end
		work(w)
		c.requireShift()
	})
}
