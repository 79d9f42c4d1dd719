package inbounds_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// twoOperators lets Ada and Ben work at a terminal.
func twoOperators(o *shell.Options) {
	o.Login.Operators = []tui.Operator{{Name: "Ada", Badge: "ADA-42"}, {Name: "Ben", Badge: "BEN-43"}}
}

func TestList_MarksDrafts(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 240, time.Hour)
	in := h.Inbound("PO-2", h.Soy, 24, 2*time.Hour)
	d := h.Terminal(t, registry(h), twoOperators)
	d.Scan("ADA-42").Do(tui.Open("receive")).Lacks("draft").Scan("PO-1").Scan("]C101" + h.OatBox + "10L1").Key("esc")
	d.Sees("PO-1", "draft", "12 counted").Size(40, 8).Sees("12 counted").Size(20, 16).Sees("*PO-1", "12 counted")
	d.Size(120, 40).Sees("│ PO-1", "draft     12 counted").Size(80, 24)
	d.Goldens("own")
	d.Scan("BEN-43").Do(tui.Open("receive")).Sees("Ada: 12 counted").Goldens("of-another")
	d.Scan("PO-1").Sees("Ada has counted 12 here. Take it over?").Advance(time.Second).Key("esc").Sees("Ada: 12 counted")
	d.Scan("PO-2").Lacks("Take it over").Key("esc")
	require.Equal(t, "receive", d.Model.Route())
	d.Scan("PO-1").Advance(time.Second).Key("enter").Sees("Taken over from Ada", "OAT-1L").Key("esc").Sees("12 counted").Lacks("Ada:")
	require.Equal(t, int64(24), in.Pending())
}

func TestList_MarkLeavesRoomForTheNumber(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-2026-431", h.Oat, 240, time.Hour)
	d := h.Terminal(t, registry(h))
	d.Scan("PO-2026-431").Scan("]C101"+h.OatBox+"10L1").Key("esc").Size(20, 16).Sees("▸ *PO-2026-431   240")
}

func TestReceive_TakesOverFromTheScreenOfAnotherDocument(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 240, time.Hour)
	h.Inbound("PO-2", h.Soy, 24, 2*time.Hour)
	d := h.Terminal(t, registry(h), twoOperators)
	d.Scan("ADA-42").Scan("PO-1").Scan("]C101" + h.OatBox + "10L1")
	viewtest.RequireCount(t, d, 12)
	d.Scan("BEN-43").Key("enter").Scan("PO-2").Sees("Receive › PO-2").Scan("PO-1").Sees("Take it over?").Advance(time.Second).Key("esc").Sees("Receive › PO-2")
	d.Scan("PO-1").Advance(time.Second).Key("enter").Sees("Receive › PO-1", "Taken over from Ada")
	viewtest.RequireCount(t, d, 12)
}

// The draft of a delivery is under the line that was first when it was counted. Another
// line may be first when another operator opens the delivery.
func TestDelivery_TakesOverTheDraftOfAnotherLine(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	oat, coffee, camera := threeLines(h)
	d := h.Terminal(t, registry(h), twoOperators, func(o *shell.Options) { o.Login.OnChange = h.Site.SetOperator })
	d.Scan("ADA-42").Scan("PO-7").Scan("COF-500").Scan("COF-500")
	viewtest.RequireCount(t, d, 2)
	require.Equal(t, "receive/"+oat.ID.String(), d.Model.Route())
	d.Key("esc").Scan("BEN-43")
	ledgertest.Do(h.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: coffee.ID, Quantity: 2})
	for _, route := range []string{"receive/" + coffee.ID.String(), "receive/" + camera.ID.String(), "receive/PO-7"} {
		d.Do(tui.Open(route)).Sees("Ada has counted 2 here. Take it over?").Advance(time.Second).Key("esc")
	}
	ledgertest.Do(h.World, api.CloseInbound, api.CloseInboundInput{InboundID: oat.ID, Reason: "lost"})
	d.Scan("PO-7").Sees("Ada has counted 2 here. Take it over?").Advance(time.Second).Key("enter").Sees("Taken over from Ada", "COF-500")
	viewtest.RequireCount(t, d, 2)
	d.Key("enter").Sees("Received 2 of COF-500: 2 lines to go")
	require.Equal(t, int64(4), received(h, coffee)[0])
	changes := ledgertest.Do(h.World, api.ListChanges, api.ListChangesInput{}).Items
	require.Equal(t, "Ben", changes[len(changes)-1].CreatedBy.Label)
}
