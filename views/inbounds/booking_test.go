package inbounds_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui/drafts"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"
)

func TestReceive_LostAnswerBooksOnce(t *testing.T) {
	t.Parallel()
	h, drafts := viewtest.NewWarehouse(t), drafts.InMemory()
	in := h.Inbound("PO-1", h.Oat, 240, time.Hour)
	d := openAt(t, h, "PO-1", viewtest.KeepDrafts(drafts))
	d.Scan("]C101" + h.OatBox + "10L1")
	h.Proxy.LoseAnswers(api.ReceiveInbound.Spec, 2)
	d.Key("enter")
	viewtest.RequireErrors(t, d, "No answer came", "recorded once")
	d.Sees("No answer yet for: receive 12").Scan(h.OatBox)
	viewtest.RequireErrors(t, d, "no answer yet", "Nothing was counted")
	d.Key("enter")
	viewtest.RequireErrors(t, d, "No answer came")
	d.Key("enter").Sees("Received 12: 12 of 240, 228 to go")

	viewtest.RequireOneKey(t, h.Proxy, api.ReceiveInbound.Spec, 3)
	require.Equal(t, int64(12), reload(h, in).ReceivedQuantity)
	require.Empty(t, tuitest.DraftRoutes(t, drafts))
}

func TestReceive_UnreachableServiceKeepsCountEditable(t *testing.T) {
	t.Parallel()
	h, drafts := viewtest.NewWarehouse(t), drafts.InMemory()
	in := h.Inbound("PO-1", h.Coffee, 240, time.Hour)
	d := openAt(t, h, "PO-1", viewtest.KeepDrafts(drafts))
	d.Type("5").Key("enter")
	h.Proxy.Fail(api.ReceiveInbound.Spec, viewtest.ErrUnreachable, nil)
	d.Key("enter")
	viewtest.RequireErrors(t, d, "cannot be reached", "Nothing was recorded", "your count is kept")
	require.Len(t, tuitest.DraftRoutes(t, drafts), 1)
	d.Sees("Not sent yet: press enter to retry", "enter receive 5")
	d = openAt(t, h, "PO-1", viewtest.KeepDrafts(drafts)).Key("enter")
	viewtest.RequireErrors(t, d, "cannot be reached")
	viewtest.RequireOneKey(t, h.Proxy, api.ReceiveInbound.Spec, 2)
	d.Type("7").Key("enter")
	viewtest.RequireCount(t, d, 7)
	h.Proxy.Fail(api.ReceiveInbound.Spec, nil, nil)
	d.Key("enter").Sees("Received 7")
	require.Equal(t, int64(7), reload(h, in).ReceivedQuantity)
}

// What was not sent follows a correction of the lot and of the damage.
func TestReceive_UnsentStepsFollowTheCount(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 240, time.Hour)
	d := openAt(t, h, "PO-1").Scan("]C101" + h.OatBox + "10L1")
	unsent := func() {
		h.Proxy.Fail(api.ReceiveInbound.Spec, viewtest.ErrUnreachable, nil)
		d.Key("enter")
		viewtest.RequireErrors(t, d, "cannot be reached")
		h.Proxy.Fail(api.ReceiveInbound.Spec, nil, nil)
		d.Sees("Not sent yet: press enter to retry")
	}
	unsent()
	d.Key("f7", "backspace").Type("2").Key("enter", "enter").Sees("L2").Lacks("Not sent yet")
	unsent()
	d.Key("f4").Type("3").Key("enter", "enter").Lacks("Not sent yet").Key("enter").Sees("Received 12, 3 damaged")
	lots := ledgertest.Do(h.World, api.ListLots, api.ListLotsInput{ProductID: h.Oat.ID}).Items
	require.Len(t, lots, 1)
	require.Equal(t, "L2", lots[0].LotCode)
	require.Equal(t, int64(3), h.Quantities(h.Oat, h.Main).Damaged)
}

// A number that is typed while the steps of the count are built would be lost.
func TestReceive_CountsNothingWhileSending(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	in := h.Inbound("PO-1", h.Coffee, 240, time.Hour)
	d := openAt(t, h, "PO-1").Type("5").Key("enter").Hold().Key("enter").Type("7").Key("enter")
	viewtest.RequireErrors(t, d, "Still sending. Nothing was counted")
	d.Release().Sees("Received 5: 5 of 240")
	require.Equal(t, int64(5), reload(h, in).ReceivedQuantity)
}

func TestReceive_DraftSurvivesCrash(t *testing.T) {
	t.Parallel()
	h, drafts := viewtest.NewWarehouse(t), drafts.InMemory()
	in := h.Inbound("PO-1", h.Oat, 240, time.Hour)
	d := openAt(t, h, "PO-1", viewtest.KeepDrafts(drafts))
	d.Scan("]C101" + h.OatBox + "17270331" + "10L1").Scan(h.OatBox)
	d.Key("f4").Type("3").Key("enter", "enter")

	d = openAt(t, h, "PO-1", viewtest.KeepDrafts(drafts)) // the first terminal is gone: a dead battery
	viewtest.RequireCount(t, d, 24)
	d.Sees("L1", "expires 2027-03-31", "of the 24 counted", "✓ 12:00:00   box")

	h.Proxy.LoseAnswers(api.ReceiveInbound.Spec, 1)
	d.Key("enter")
	require.Contains(t, d.Model.Fault(), "No answer came")

	d = openAt(t, h, "PO-1", viewtest.KeepDrafts(drafts)) // and again, in the middle of a booking
	d.Sees("No answer yet for: receive 24").Key("enter").Sees("Received 24, 3 damaged: 24 of 240")
	viewtest.RequireOneKey(t, h.Proxy, api.ReceiveInbound.Spec, 2)
	require.Equal(t, int64(24), reload(h, in).ReceivedQuantity)
	require.Equal(t, int64(3), h.Quantities(h.Oat, h.Main).Damaged)
	require.Empty(t, tuitest.DraftRoutes(t, drafts))
}

func TestReceive_DamagedMoveResumes(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	in := h.Inbound("PO-1", h.Oat, 240, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Scan("]C101" + h.OatBox + "10L1").Key("f4").Type("13").Key("enter").Sees("13 damaged is more than the 12 counted")
	d.Key("backspace").Type("2").Key("backspace", "backspace").Type("2").Key("enter", "down", "enter").Sees("of the 12 counted  crushed")
	h.Proxy.LoseAnswers(api.MoveStock.Spec, 1)
	d.Key("enter")
	viewtest.RequireErrors(t, d, "No answer came")
	d.Sees("No answer yet for: move 2 to damaged").Key("enter").Sees("Received 12, 2 damaged: 12 of 240")
	require.Equal(t, int64(12), reload(h, in).ReceivedQuantity)
	require.Equal(t, int64(2), h.Quantities(h.Oat, h.Main).Damaged)
	rows := ledgertest.Do(h.World, api.ReportMovements, api.ReportMovementsInput{}).Items
	require.Equal(t, "damaged on receipt: crushed", rows[0].Reason)
	require.Len(t, h.Proxy.Calls(api.ReceiveInbound.Spec), 1)
	viewtest.RequireOneKey(t, h.Proxy, api.MoveStock.Spec, 2)
	require.NotEqual(t, h.Proxy.Keys(api.MoveStock.Spec)[0], h.Proxy.Keys(api.ReceiveInbound.Spec)[0])
}

func TestReceive_FailedStepCanBeSkipped(t *testing.T) {
	t.Parallel()
	h, drafts := viewtest.NewWarehouse(t), drafts.InMemory()
	in := h.Inbound("PO-1", h.Coffee, 240, time.Hour)
	d := openAt(t, h, "PO-1", viewtest.KeepDrafts(drafts))
	d.Type("12").Key("enter", "f4").Type("2").Key("enter", "enter")
	h.Proxy.Before(api.MoveStock.Spec, func() { // another order takes all of it
		twelve := int64(12)
		ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{ProductID: h.Coffee.ID, LocationID: h.Main.ID, RequestedQuantity: &twelve})
	})
	d.Key("enter").Sees("Done: receive 12. Failed: move 2 to damaged.", "F8 skip failed steps")
	d.Key("esc").Sees("Not recorded: move 2 to damaged. Press enter to retry, or F8 to skip").Lacks("No answer")
	d.Type("3").Key("enter")
	require.Contains(t, d.Model.Fault(), `"move 2 to damaged" is not recorded yet. Nothing was counted`)
	d = openAt(t, h, "PO-1", viewtest.KeepDrafts(drafts)).Sees("Not recorded: move 2 to damaged.")
	d.Key("enter").Sees("Done: receive 12. Failed: move 2 to damaged.").Key("f8").Sees("done: receive 12. skipped: move 2 to damaged")
	require.Equal(t, int64(12), reload(h, in).ReceivedQuantity)
	require.Zero(t, h.Quantities(h.Coffee, h.Main).Damaged)
	d.Type("3").Key("enter", "enter").Sees("Received 3: 15 of 240")
}

func TestReceive_ConcurrentReceipt(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	in := h.Inbound("PO-1", h.Coffee, 48, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Key("+")
	h.Proxy.Before(api.ReceiveInbound.Spec, func() {
		ledgertest.Do(h.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 12})
	})
	d.Key("enter")
	viewtest.RequireErrors(t, d, "Only 36 to go, but the count is 48", "Enter at most 36")
	viewtest.RequireCount(t, d, 48)
	d.Sees("Received       12").Key("enter")
	viewtest.RequireErrors(t, d, "COF-500 has only 36 to go, but the count is 48")
	d.Key("+")
	viewtest.RequireCount(t, d, 36)
	h.Proxy.Before(api.ReceiveInbound.Spec, func() {
		ledgertest.Do(h.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 36})
	})
	d.Key("enter")
	viewtest.RequireErrors(t, d, "This delivery is already received", "your count is kept")
	d.Sees("This delivery is received (48 of 48).").Scan("COF-500")
	viewtest.RequireErrors(t, d, "Nothing was counted")
	require.Equal(t, int64(48), reload(h, in).ReceivedQuantity)
}

func TestReceive_Serials(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Receive(h.Camera.ID, h.Main.ID, 1, "", "S0")
	in := h.Inbound("PO-1", h.Camera, 3, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Scan("CAM-1").Sees("Scan the serial number of CAM-1")
	viewtest.RequireCount(t, d, 0)
	d.Scan("S-0001").Sees("serial        CAM-1         S-0001             +1        1")
	viewtest.RequireCount(t, d, 1)
	d.Scan("S-0001")
	viewtest.RequireErrors(t, d, "Serial S-0001 is already counted")
	d.Type("3").Key("enter")
	viewtest.RequireErrors(t, d, "is serialized: scan each serial number")
	d.Key("+").Sees("Scan each serial number")
	d.Scan("21S-0002").Scan("S-0003").Scan("S-0004")
	viewtest.RequireErrors(t, d, "Too many: ")
	viewtest.RequireCount(t, d, 3)
	d.Sees("All counted: press enter to receive").Scan("CAM-1")
	viewtest.RequireErrors(t, d, "CAM-1 has only 3 to go")
	d.Lacks("Scan the serial number of CAM-1")
	d.Key("f4").Sees("Scan the serial number of the damaged item").Scan("S-0003").Key("esc").Type("bent").Key("enter").Sees("of the 3 counted  bent")
	d.Key("enter").Sees("Received 3, 1 damaged: 3 of 3")
	require.Equal(t, api.InboundReceived, reload(h, in).Status)
	require.Equal(t, int64(1), h.Quantities(h.Camera, h.Main).Damaged)
}

func TestReceive_RejectsSerialInStock(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Receive(h.Camera.ID, h.Main.ID, 2, "", "S-0000", "S-0009")
	at := api.StockKey{ProductID: h.Camera.ID, LocationID: h.Main.ID}
	ledgertest.Do(h.World, api.FulfillStock, api.FulfillStockInput{StockKey: at, SerialChoice: api.SerialChoice{SerialNumbers: []string{"S-0009"}}})
	in := h.Inbound("PO-1", h.Camera, 3, time.Hour)
	d := openAt(t, h, "PO-1")
	for _, label := range []string{"S-0009", "]C1" + "21S-0009"} {
		d.Scan(label)
		viewtest.RequireErrors(t, d, "Serial S-0009 of CAM-1 was shipped from WH-1. Nothing was counted")
	}
	d.Scan("S-0000")
	viewtest.RequireErrors(t, d, "Serial S-0000 of CAM-1 is already in stock. Nothing was counted")
	d.Scan("]C1" + "21S-0000")
	viewtest.RequireErrors(t, d, "Serial S-0000 of CAM-1 is already in stock at WH-1. Nothing was counted")
	viewtest.RequireCount(t, d, 0)
	d.Scan("S-0001").Scan("S-0002")
	h.Proxy.Before(api.ReceiveInbound.Spec, func() { h.Receive(h.Camera.ID, h.Main.ID, 1, "", "S-0002") })
	d.Key("enter")
	viewtest.RequireErrors(t, d, "Serial S-0002 is already in the ledger", "Nothing was recorded")
	viewtest.RequireCount(t, d, 2)
	d.Type("0").Key("enter").Scan("S-0001").Key("enter").Sees("Received 1")
	require.Equal(t, int64(1), reload(h, in).ReceivedQuantity)

	h.Proxy.Down() // without an answer, it is counted: the service checks it when it is received
	d.Scan("]C1" + "21S-0003")
	viewtest.RequireCount(t, d, 1)
}

func TestCloseShort(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	in := h.Inbound("PO-1", h.Coffee, 48, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Type("12").Key("enter", "f5").Sees("Receive 12, then close PO-1 with 36 missing? Reason").Key("enter")
	d.Sees("Enter a reason").Type("two pallets lost").Key("enter").Sees("Received 12, PO-1 closed, 36 missing")
	got := reload(h, in)
	require.Equal(t, api.InboundClosed, got.Status)
	require.Equal(t, int64(12), got.ReceivedQuantity)
	require.Len(t, h.Proxy.Calls(api.CloseInbound.Spec), 1)
}

func TestCloseShort_LostAnswer(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	in := h.Inbound("PO-1", h.Coffee, 48, time.Hour)
	d := openAt(t, h, "PO-1")
	h.Proxy.LoseAnswers(api.CloseInbound.Spec, 1)
	d.Key("f5").Type("never came").Key("enter")
	viewtest.RequireErrors(t, d, "No answer came")
	d.Key("enter").Sees("PO-1 closed, 48 missing")
	require.Equal(t, api.InboundClosed, reload(h, in).Status)
}

func TestCancel_OnlyBeforeReceipt(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	in := h.Inbound("PO-1", h.Coffee, 48, time.Hour)
	other := h.Inbound("PO-2", h.Coffee, 48, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Key("f9").Sees("Cancel has another key now").Lacks("Cancel PO-1?")
	d.Key("ctrl+x").Sees("Cancel PO-1? The 48 expected will be removed.", "enter cancel the delivery", "esc keep it")
	d.Size(20, 16).Sees("Cancel PO-1? The", "enter cancel\nesc keep it").Size(80, 24).Key("esc").Lacks("keep it")
	require.Equal(t, api.InboundExpected, reload(h, in).Status)
	d.Key("ctrl+x", "enter").Sees("PO-1 canceled")
	require.Equal(t, api.InboundCancelled, reload(h, in).Status)
	d = openAt(t, h, "PO-2")
	d.Type("1").Key("enter", "enter", "ctrl+x").Sees("1 received. Close short (F5) instead")
	require.Equal(t, api.InboundPartiallyReceived, reload(h, other).Status)
}

func TestReceive_DiscardWithoutAnswer(t *testing.T) {
	t.Parallel()
	h, drafts := viewtest.NewWarehouse(t), drafts.InMemory()
	in := h.Inbound("PO-1", h.Coffee, 48, time.Hour)
	d := openAt(t, h, "PO-1", viewtest.KeepDrafts(drafts))
	h.Proxy.LoseAnswers(api.ReceiveInbound.Spec, 1)
	d.Type("12").Key("enter", "enter")
	viewtest.RequireErrors(t, d, "No answer came")
	d.Key("f8").Sees("This may already be recorded").Key("enter").Sees("Received       12")
	viewtest.RequireCount(t, d, 0)
	require.Empty(t, tuitest.DraftRoutes(t, drafts))
	require.Equal(t, int64(12), reload(h, in).ReceivedQuantity)
}

func TestReceive_DiscardedBookingSucceeds(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	in := h.Inbound("PO-1", h.Coffee, 48, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Type("3").Key("enter")
	h.Proxy.Before(api.ReceiveInbound.Spec, func() { d.Key("f8").Sees("Discard it?").Key("enter") })
	d.Key("enter").Sees("The discarded entry was recorded: receive 3", "Received        3").Key("enter")
	require.Equal(t, int64(3), reload(h, in).ReceivedQuantity)
	viewtest.RequireCount(t, d, 0)
	d.Type("2").Key("enter", "enter").Sees("Received 2: 5 of 48")
}

func TestReceive_TypedCodeIsNotANumber(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	in := h.Inbound("PO-1", h.Coffee, 48, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Key("L", "1", "2", "C", "enter").Sees("That is not a quantity", "F2").Key("enter")
	viewtest.RequireCount(t, d, 0)
	d.Type("5").Key("enter")
	d.Key("O", "A", "T", "enter").Sees("That is not a quantity").Key("enter")
	viewtest.RequireCount(t, d, 5)
	d.Key("x").Advance(3 * time.Second).Key("enter").Sees("Received 5: 5 of 48")
	require.Equal(t, int64(5), reload(h, in).ReceivedQuantity)
}

func TestReceive_RefreshKeepsCount(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	in := h.Inbound("PO-1", h.Oat, 48, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Type("3").Key("enter").Sees("To go         48")
	ledgertest.Do(h.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 12, NewLot: api.NewLot{LotCode: "L1"}})
	d.Advance(31*time.Second).Sees("Received       12", "To go         36")
	viewtest.RequireCount(t, d, 3)
	h.Proxy.Down()
	d.Advance(31 * time.Second).Lacks("cannot be reached")
	h.Proxy.Up()
	ledgertest.Do(h.World, api.CloseInbound, api.CloseInboundInput{InboundID: in.ID})
	d.Advance(31 * time.Second).Sees("This delivery is closed (12 of 48).").Lacks("scan it, or press F7")
	require.Regexp(t, `To go +0 `, d.View())
}

func TestReceive_UndoInReopenedDraft(t *testing.T) {
	t.Parallel()
	h, drafts := viewtest.NewWarehouse(t), drafts.InMemory()
	h.Inbound("PO-1", h.Coffee, 48, time.Hour)
	openAt(t, h, "PO-1", viewtest.KeepDrafts(drafts)).Scan("COF-500")
	d := openAt(t, h, "PO-1", viewtest.KeepDrafts(drafts))
	d.Key("ctrl+z").Sees("cannot be undone. Type 0 to start over").Lacks("There is no scan to undo")
	d.Type("0").Key("enter", "ctrl+z")
	viewtest.RequireCount(t, d, 1)
}

// A product has two lines on the delivery note. Each line names its own lots.
func TestReceive_NamesLotsOfEachLine(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	for _, lot := range []string{"L1", "L2"} {
		in := h.Inbound("PO-1", h.Oat, 24, time.Hour)
		ledgertest.Do(h.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 24, NewLot: api.NewLot{LotCode: lot}})
		h.Clock.Advance(time.Millisecond)
	}
	d := openAt(t, h, "PO-1")
	d.Sees("Recorded  L1 × 24").Lacks("L2 × 24").Key("down").Sees("Recorded  L2 × 24").Lacks("L1 × 24")
}

// A received delivery names its lots, also when it is opened again.
func TestReceive_NamesReceivedLots(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	in := h.Inbound("PO-1", h.Oat, 24, time.Hour)
	ledgertest.Do(h.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 20, NewLot: api.NewLot{LotCode: "L7-Q"}})
	d := openAt(t, h, "PO-1")
	d.Scan("]C1010"+h.OatUnit+"10L8-R").Type("4").Key("enter", "enter")
	for _, s := range []tuitest.Shape{{Width: 80, Height: 24}, {Width: 40, Height: 8}, {Width: 20, Height: 16}} {
		d.Size(s.Width, s.Height).Sees("L7-Q × 20, L8-R × 4")
		openAt(t, h, "PO-1").Size(s.Width, s.Height).Sees("L7-Q × 20, L8-R × 4")
	}
}

func TestReceive_WithinTolerance(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	_, err := h.Ledger.SetRules(t.Context(), h.Org.ID, api.Live, api.Rules{OverReceiptPercent: 5})
	require.NoError(t, err)
	in := h.Inbound("PO-1", h.Coffee, 240, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Type("253").Key("enter")
	viewtest.RequireErrors(t, d, "Too many: COF-500 has only 240", "at most 252, with 5% over")
	d.Type("252").Key("enter").Sees("12 over (limit 5%): press enter to receive")
	d.Key("enter").Sees("Received 252: 252 of 240, 0 to go")
	require.Equal(t, []any{int64(252), api.InboundReceived}, []any{reload(h, in).ReceivedQuantity, reload(h, in).Status})
}
