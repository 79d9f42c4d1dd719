package inbounds_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui/drafts"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"
)

func TestReceive_NamesDamagedAndExtra(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Coffee, 120, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Type("75").Key("enter", "f4").Type("2").Key("enter", "enter").Sees("Received 75, 2 damaged: 75 of 120, 45 to go")
	d.Type("50").Key("enter", "f8").Type("free").Key("enter").Sees("enter receive 50").Key("enter").Sees("Received 50, 5 of them extra: 120 of 120, 0 to go")
}

func TestReceive_ClosedInboundHasNothingToGo(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	in := h.Inbound("PO-1", h.Oat, 60, time.Hour)
	ledgertest.Do(h.World, api.CloseInbound, api.CloseInboundInput{InboundID: in.ID, Reason: "lost"})
	d := openAt(t, h, "PO-1")
	d.Sees("This inbound is closed (0 of 60).").Lacks("scan it, or press F7")
	viewtest.RequireToGo(t, d, 0)
}

func TestReceive_UndoInReopenedDraft(t *testing.T) {
	t.Parallel()
	h, drafts := viewtest.NewWarehouse(t), drafts.InMemory()
	h.Inbound("PO-1", h.Coffee, 48, time.Hour)
	openAt(t, h, "PO-1", keepDrafts(drafts)).Scan("COF-500")
	d := openAt(t, h, "PO-1", keepDrafts(drafts))
	d.Key("ctrl+z").Sees("cannot be undone. Type 0 to start over").Lacks("There is no scan to undo")
	d.Type("0").Key("enter", "ctrl+z")
	viewtest.RequireCount(t, d, 1)
}

func TestReceive_AllSerialsCounted(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Camera, 1, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Sees("Scan each serial number").Scan("CAM-1").Scan("S-0001").Sees("All counted: press enter to receive")
	d.Scan("CAM-1")
	viewtest.RequireErrors(t, d, "CAM-1 has only 1 to go")
	d.Lacks("Scan the serial number of CAM-1")
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
