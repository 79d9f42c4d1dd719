package inbounds_test

import (
	"testing"
	"time"

	"bincard/tui/drafts"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

func TestLotForm_AsksAboutExpiredLot(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 24, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Key("+", "f7").Type("OLD-1").Key("enter").Type("2025-01-01").Key("enter")
	d.Sees("Lot OLD-1 expired 2025-01-01. Change the lot, or press F8 to use it.", "F8 use the expired lot").Key("esc").Sees("2025-01-01█").Lacks("✓ 12:00:00   lot")
	d.Key("enter").Advance(time.Second).Key("enter").Sees("2025-01-01█").Lacks("✓ 12:00:00   lot") // enter never accepts it
	d.Key("enter", "f8").Sees("expires 2025-01-01")
	d.Key("f7", "enter", "enter").Lacks("Change the lot")
	d.Key("enter").Sees("Received 24")
}

func TestReceive_LotLabelAfterTypedQuantity(t *testing.T) {
	t.Parallel()
	h, drafts := viewtest.NewWarehouse(t), drafts.InMemory()
	h.Inbound("PO-1", h.Oat, 48, time.Hour)
	label := "]C101" + "04006381333931" + "17270331" + "10L1"
	d := openAt(t, h, "PO-1", keepDrafts(drafts))
	d.Type("24").Key("enter").Sees("Scan the lot").Scan(label).Sees("L1", "expires 2027-03-31")
	viewtest.RequireCount(t, d, 24)
	d.Scan(label)
	viewtest.RequireCount(t, d, 25)
	d.Type("0").Key("enter")

	d.Type("24").Key("enter")
	d = openAt(t, h, "PO-1", keepDrafts(drafts))
	d.Sees("Scan the lot").Scan(label)
	viewtest.RequireCount(t, d, 24)
	d.Type("0").Key("enter")

	d.Scan(h.OatBox).Scan(h.OatBox).Scan(h.OatBox).Scan(h.OatBox).Scan("]C101" + h.OatBox + "10L1")
	require.Empty(t, d.Model.Fault(), "everything is counted: the label can only name the lot")
	viewtest.RequireCount(t, d, 48)
	d.Sees("L1")
}

func TestReceive_ForgetsNextLotIfRecordingIsRefused(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-1", h.Oat, 48, time.Hour)
	d := openAt(t, h, "PO-1")
	d.Scan("]C101" + h.OatBox + "17270331" + "10L9").Key("enter").Sees("Received 12")
	d.Scan("]C101" + h.OatBox + "17270430" + "10L9").Scan("]C101" + h.OatBox + "10L2").Key("f8")
	viewtest.RequireErrors(t, d, "L9", "2027-03-31")
	d.Type("0").Key("enter").Scan("]C101" + h.OatBox + "10L9").Key("enter").Sees("Received 12: 24 of 48")
	viewtest.RequireCount(t, d, 0)
}
