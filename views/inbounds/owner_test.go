package inbounds_test

import (
	"testing"
	"time"

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
	d.Scan("BEN-43").Scan("PO-2").Sees("Receive › PO-2").Scan("PO-1").Sees("Take it over?").Advance(time.Second).Key("esc").Sees("Receive › PO-2")
	d.Scan("PO-1").Advance(time.Second).Key("enter").Sees("Receive › PO-1", "Taken over from Ada")
	viewtest.RequireCount(t, d, 12)
}
