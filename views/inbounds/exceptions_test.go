package inbounds_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/views/session"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

func TestReceive_OverReceipt(t *testing.T) {
	t.Parallel()
	h, drafts := viewtest.NewWarehouse(t), drafts.InMemory()
	in := h.Inbound("PO-1", h.Oat, 30, time.Hour)
	d := openAt(t, h, "PO-1", viewtest.KeepDrafts(drafts))
	d.Scan("]C101" + h.OatBox + "17270331" + "10L1").Scan(h.OatBox).Scan(h.OatBox).Sees("F8 accept 6 extra")
	viewtest.RequireErrors(t, d, "Too many: OAT-1L has only 30 to go, and 24 are already counted")
	viewtest.RequireCount(t, d, 24)
	d.Scan(h.OatBox).Key("f8").Sees("Accept 6 extra? Reason").Key("enter").Sees("Enter a reason").Type("free goods").Key("enter").Sees("6  not on the document", "enter receive 36")
	viewtest.RequireCount(t, d, 30)
	d.Scan(h.OatUnit).Key("f8").Sees("7  not on the document") // the reason is known
	d = openAt(t, h, "PO-1", viewtest.KeepDrafts(drafts))
	d.Sees("7  not on the document").Size(20, 16).Sees("30 +7").Size(80, 24)
	d.Key("enter").Sees("Received 37, 7 of them extra: 30 of 30")
	require.Equal(t, int64(30), reload(h, in).ReceivedQuantity)
	require.Equal(t, int64(37), h.Quantities(h.Oat, h.Main).OnHand)
	rows := ledgertest.Do(h.World, api.ReportMovements, api.ReportMovementsInput{}).Items
	require.Equal(t, "over-receipt on PO-1: free goods", rows[0].Reason)

	h.Inbound("PO-2", h.Coffee, 10, time.Hour)
	d = openAt(t, h, "PO-2")
	d.Type("12").Key("enter").Sees("F8 accept 2 extra").Key("f8").Type("free").Key("enter").Sees("enter receive 12").Type("0").Key("enter")
	viewtest.RequireCount(t, d, 0)
	d.Lacks("not on the document")
}

func TestReceive_BooksBeforeNextLot(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	in := h.Inbound("PO-1", h.Oat, 48, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Scan("]C101" + h.OatBox + "10L1").Scan("]C101" + h.OatBox + "10L2").Sees("F8 receive 12, then count this lot")
	viewtest.RequireErrors(t, d, "This is lot L2, but 12 of lot L1 are counted", "Press F8 to record those first")
	d.Scan("]C101"+h.OatBox+"10L2").Key("f8").Sees("Received 12", "L2")
	viewtest.RequireCount(t, d, 12)
	require.Equal(t, int64(12), reload(h, in).ReceivedQuantity)
	d.Key("enter").Sees("24 of 48, 24 to go")
}

func TestReceive_ScanLocation(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 48, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Bells()
	d.Scan("WH-1").Sees("✓ 12:00:00   location")
	require.Equal(t, 1, d.Bells())
	d.Scan("WH-2").Sees("this is the location WH-2", "F6 work at WH-2").Key("f6").Sees("! At WH-1 Main warehouse, but you are at WH-2")
	d.Scan(h.OatBox).Key("f7").Type("L1").Key("enter", "enter", "enter").Sees("This is at WH-1 Main warehouse", "Record it there?").Key("esc")
	viewtest.RequireCount(t, d, 12)
	d.Key("f6").Lacks("you are at").Key("enter").Sees("Received 12")
	require.Equal(t, "WH-1", h.Site.Location().Code)
}

func TestReceive_UndoScan(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 48, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Scan("]C101"+h.OatBox+"10L1").Scan(h.OatBox).Type("30").Key("enter", "f4").Type("3").Key("enter", "enter").Sees("of the 30")
	for _, want := range []int64{30, 24, 12, 0} {
		d.Key("ctrl+z").Sees("undone")
		viewtest.RequireCount(t, d, want)
	}
	d.Lacks("of the 30").Key("ctrl+z").Sees("There is no scan to undo")
	d.Scan(h.OatBox).Scan(tui.DoUndo.Code())
	viewtest.RequireCount(t, d, 0)
}

func TestReceive_RecordsUnknownCodes(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Coffee, 48, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Scan("NOBODY-1").Sees("F11 unknown codes").Key("enter").Advance(time.Second).Scan("NOBODY-1").Key("enter")
	unknown := h.Site.UnknownCodes()
	require.Len(t, unknown, 1)
	require.Equal(t, "NOBODY-1", unknown[0].Code)
	require.Equal(t, 2, unknown[0].Times)
	require.Equal(t, "Receive › PO-1", unknown[0].Job)
	require.Equal(t, "WH-1", unknown[0].Location)
}

func TestReceive_MissingPermission(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 48, time.Hour)
	h.Site = session.NewSite(session.Options{Service: h.As(api.Live, api.InventoryRead), Location: h.Site.Location()})
	d := openAt(t, h, "PO-1")
	d.Scan("]C101"+h.OatBox+"10L1").Lacks("book 12", "F5").Key("enter").Sees("no permission to do that (inventory:write)")
	require.Empty(t, h.Proxy.Calls(api.ReceiveInbound.Spec))
}

func TestCloseShort_NeedsApproval(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 48, time.Hour)
	d := openAt(t, h, "PO-1", h.SignIn)
	d.Scan(h.OatBox).Key("f5").Sees("A supervisor must approve: close PO-1 short, 36 not received").Key("esc")
	viewtest.RequireCount(t, d, 12)
	d.Type("0").Key("enter").Key("f5").Scan("EVE-43").Sees("Approved by Eve", "Ada", "Reason")
	d.Advance(time.Second).Type("lost").Key("enter").Sees("PO-1 closed, 48 missing", "Ada")
	changes := ledgertest.Do(h.World, api.ListChanges, api.ListChangesInput{}).Items
	last := changes[len(changes)-1]
	require.Equal(t, api.CloseInbound.Spec.ID, last.Operation)
	require.Equal(t, []string{"Ada", "Eve"}, []string{last.CreatedBy.Label, last.ApprovedBy.Label})
	require.Equal(t, "Ada", h.Site.Operator())
	require.NotEqual(t, session.Location{}, h.Site.Location())
}

func TestOverReceipt_NeedsApprovalAndASecondLook(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Coffee, 48, time.Hour)
	d := openAt(t, h, "PO-1", h.SignIn)
	d.Type("999").Key("enter").Sees("F8 accept 951 extra").Key("f8").Sees("A supervisor must approve: accept 951 extra of COF-500 (Receive › PO-1)").Scan("EVE-43")
	d.Sees("999 is more than ten times the 48 to go. Is that right?").Advance(time.Second).Key("esc").Lacks("Reason").Sees("Ada")
	d.Type("50").Key("enter", "f8").Scan("EVE-43").Sees("Accept 2 extra? Reason").Advance(time.Second).Type("on the pallet").Key("enter")
	d.Sees("2  not on the document", "over          COF-500                          +2       50")
	d.Key("enter").Sees("Received 50, 2 of them extra: 48 of 48", "received, 2 extra", "Ada")
	d.Key("esc").Do(tui.Open("receive/PO-1")).Sees("This delivery is received (48 of 48)", "received (Ada, ", ", 2 extra")
	changes := ledgertest.Do(h.World, api.ListChanges, api.ListChangesInput{}).Items
	over, receipt := changes[len(changes)-1], changes[len(changes)-2]
	require.Equal(t, api.ReceiveStock.Spec.ID, over.Operation)
	require.Equal(t, []string{"Ada", "Eve"}, []string{over.CreatedBy.Label, over.ApprovedBy.Label})
	require.Equal(t, "over-receipt on PO-1: on the pallet", over.Movements[0].Reason)
	require.Equal(t, "Ada", receipt.CreatedBy.Label)
	require.Nil(t, receipt.ApprovedBy)
}

// A scan does not answer the question, and loses nothing of the answers before it.
func TestReceive_ScanAtTheDamageQuestion(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	in := h.Inbound("PO-1", h.Coffee, 10, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Type("10").Key("enter", "f4").Type("4").Key("enter").Sees("What damaged them?").Scan(h.OatBox).Sees("Scan ignored. Answer the question first.")
	d.Key("enter").Sees("4               of the 10 counted  broken").Key("enter").Sees("Received 10")
	require.EqualValues(t, 4, h.Quantities(h.Coffee, h.Main).Damaged)
	require.Equal(t, []int64{10}, received(h, in))
}

func TestReceive_MarksEachDamagedSerialOfALine(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	_, coffee, camera := threeLines(h)
	d := openAt(t, h, "PO-7")
	d.Scan("CAM-1").Scan("S-0001").Scan("S-0002").Sees("CAM-1 is counted. Next: OAT-1L")
	d.Key("f4").Scan("S-0001").Sees("Scan the serial number of the damaged item", "▸ CAM-1").Scan("S-0002")
	require.Empty(t, d.Model.Fault())
	d.Key("esc").Sees("What damaged them?").Key("enter").Sees("CAM-1 is counted. Next: OAT-1L").Scan("COF-500").Key("enter").Sees("Received 3 (2 products), 2 damaged")
	require.Equal(t, []int64{1, 2}, received(h, coffee, camera))
	require.EqualValues(t, 2, h.Quantities(h.Camera, h.Main).Damaged)
}
