package e2e_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
)

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

// addMugs creates PO-3, which expects 24 MUG-W.
func (c *company) addMugs() (id api.ID) {
	c.t.Helper()
	c.withLedger(func(l *ledger.Ledger) {
		id = do(c.t, c.service(l), api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: c.mug, LocationID: c.main},
			ExpectedQuantity: 24, Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: "PO-3"}}).Inbound.ID
	})
	return id
}

// lastChanges returns who did the last change of each operation.
func (c *company) lastChanges(svc api.Service) map[string]string {
	c.t.Helper()
	by := map[string]string{}
	for _, x := range do(c.t, svc, api.ListChanges, api.ListChangesInput{}).Items {
		if x.CreatedBy != nil {
			by[x.Operation] = x.CreatedBy.Label
		}
	}
	return by
}

// A typed barcode counts one piece, and a misread one is no quantity.
func TestReceive_TypedBarcode(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	inbound := c.addMugs()
	d := c.openTerminal(h, [2]int{80, 24}, "receive/PO-3")
	d.waitFor("White mug")
	d.typeText(mugPiece).key("Enter")
	d.counted(1)
	d.typeText("9521000000024").key("Enter")
	d.waitFor("9521000000024 is neither a quantity nor a valid barcode.")
	d.key("Enter")
	d.waitGone("neither a quantity")
	d.key("Enter")
	d.waitFor("Received 1: 1 of 24")
	d.key("C-q").requireExit(0)
	c.withLedger(func(l *ledger.Ledger) {
		require.EqualValues(t, 1, do(t, c.service(l), api.GetInbound, api.InboundInput{InboundID: inbound}).ReceivedQuantity)
	})
}

// A quantity over the document needs a supervisor and a reason, and a second look if it is
// ten times as much. The journal has all three.
func TestReceive_ExtraQuantity(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	inbound := c.addMugs()
	d := c.openSignedIn(h, "PO-3")
	d.scan(mugPiece)
	d.counted(1)
	time.Sleep(10 * keyInterval)
	d.typeText("999").key("Enter")
	d.waitFor("999 is too many", "only 24", "F8 accept 975 extra")
	d.key("F8")
	d.approve("accept 975 extra", "999 is more than ten times the 24 to go. Is it right?")
	d.key("Escape")
	d.waitGone("ten times")
	d.counted(1)
	d.typeText("26").key("Enter")
	d.waitFor("F8 accept 2 extra")
	d.key("F8")
	d.approve("accept 2 extra", "Accept 2 extra? Reason")
	d.key("Enter")
	d.waitFor("Enter a reason")
	d.typeText("free").key("Enter")
	d.waitFor("2 not on the document", "enter receive 26", "over MUG-W +2 26")
	d.key("Enter")
	d.waitFor("Received 26, 2 of them extra: 24 of 24", "received, 2 extra", "Ada")
	d.key("Escape")
	d.home()
	d.scan("PO-3")
	d.waitFor("This inbound is received (24 of 24)", "received, 2 extra")
	d.key("C-q").requireExit(0)
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		require.EqualValues(t, 24, do(t, svc, api.GetInbound, api.InboundInput{InboundID: inbound}).ReceivedQuantity)
		require.EqualValues(t, 30+26, c.balance(svc, c.mug, c.main).OnHand)
		extra := c.latest(svc, c.mug)
		require.EqualValues(t, 2, extra.Quantity)
		require.Equal(t, "over-receipt on PO-3: free", extra.Reason)
		require.Equal(t, "Ada, approved by Eve", extra.CreatedBy.Label)
		require.Equal(t, "Ada", c.lastChanges(svc)[api.ReceiveInbound.ID])
	})
}

// A supervisor's badge approves one action, and the worker stays signed in.
func TestCloseShort_ApprovedByBadge(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	inbound := c.addMugs()
	d := c.openSignedIn(h, "PO-3")
	d.key("F5")
	d.approve("close PO-3 short, 24 not received", "Reason")
	d.typeText("lost").key("Enter")
	d.waitFor("PO-3 closed, 24 missing", "Ada")
	d.scan("PO-1")
	d.waitFor("Receive › PO-1")
	d.key("F5")
	d.waitFor("A supervisor must approve: close PO-")
	d.key("Escape")
	d.waitGone("A supervisor must approve")
	d.key("C-q").requireExit(0)
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		require.Equal(t, api.InboundClosed, do(t, svc, api.GetInbound, api.InboundInput{InboundID: inbound}).Status)
		require.Equal(t, api.InboundExpected, do(t, svc, api.GetInbound, api.InboundInput{InboundID: c.inbound}).Status)
		require.Equal(t, "Ada, approved by Eve", c.lastChanges(svc)[api.CloseInbound.ID])
	})
}
