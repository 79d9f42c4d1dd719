package outbounds_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui/drafts"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

const (
	l41 = "]C10109521234543213" + "10L41-C"
	l42 = "]C10109521234543213" + "10L42-A"
)

// issued returns how much of each lot of oat milk was fulfilled.
func (f *orderFixture) issued() map[string]int64 {
	out := map[string]int64{}
	for _, lot := range ledgertest.Do(f.World, api.ListLots, api.ListLotsInput{ProductID: f.Oat.ID}).Items {
		for _, m := range ledgertest.Do(f.World, api.TraceLot, api.TraceLotInput{LotID: lot.ID}).Movements {
			if m.Operation == api.OpOutboundFulfill && m.InventoryState == api.OnHand {
				out[lot.LotCode] -= m.Quantity
			}
		}
	}
	return out
}

// pick picks q of an order through the ledger, and packs it.
func (f *orderFixture) pick(o api.Outbound, q int64, pack bool) {
	ledgertest.Do(f.World, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, ProductID: f.Oat.ID, Quantity: &q})
	if pack {
		ledgertest.Do(f.World, api.PackOutbound, api.HandleOutboundInput{OutboundID: o.ID, ProductID: f.Oat.ID, Quantity: &q})
	}
}

func TestFulfill_SwapsPackedLot(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.pick(f.Late, 36, true)
	d := f.open(f.Service, "fulfill/SO-7781")
	d.Sees("packed L41-C × 36").Scan(l42)
	d.Sees("Packed from lot L41-C, not L42-A. Press F8 to swap the lot.", "F8 swap the lot")
	d.Goldens("refused")
	require.Empty(t, f.issued())
	d.Key("f8").Type("12").Key("enter", "enter").Sees("Fulfilled 12: 12 of 36 done")
	require.Equal(t, map[string]int64{"L42-A": 12}, f.issued())
	d.Sees("packed L41-C × 24").Key("+", "enter").Sees("This order is fulfilled (36 of 36).")
	require.Equal(t, map[string]int64{"L42-A": 12, "L41-C": 24}, f.issued())
}

// The order is allocated from two lots. Nothing is recorded between them.
func TestFulfill_TwoLotsOfOneLine(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	o := f.addOrder("SO-7002", tuitest.Noon, line(f.Oat, 36))
	link := viewtest.NewFaultProxy(f.Service)
	d := f.open(link, "fulfill/SO-7002")
	d.Sees("allocated L41-C × 12, L42-A × 24")
	d.Scan(l41).Type("10").Key("enter").Scan(l42).Lacks("Press F8").Sees("L41-C × 10, L42-A × 1", "enter fulfill 11")
	d.Type("24").Key("enter").Sees("L41-C × 10, L42-A × 24", "enter fulfill 34")
	d.Scan(l41).Sees("L42-A × 24, L41-C × 11").Key("+").Sees("L42-A × 24, L41-C × 12", "All counted: press enter to fulfill")
	d.Size(20, 16).Sees("all counted: enter").Size(80, 24)
	require.Zero(t, f.reload(o).FulfilledQuantity)
	d.Key("enter").Sees("This order is fulfilled (36 of 36).")
	require.Len(t, link.Calls(api.FulfillOutbound.Spec), 1)
	require.Equal(t, map[string]int64{"L41-C": 12, "L42-A": 24}, f.issued())
}

// The label of another lot alone counts nothing.
func TestFulfill_AnotherLotWithoutPieces(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.addOrder("SO-7002", tuitest.Noon, line(f.Oat, 36))
	d := f.open(f.Service, "fulfill/SO-7002")
	d.Scan(l41).Type("10").Key("enter").Scan("]C110L42-A").Sees("L41-C × 10, L42-A × 0").Key("enter").Sees("Fulfilled 10: 10 of 36 done")
	require.Equal(t, map[string]int64{"L41-C": 10}, f.issued())
}

// Somebody else fulfills some of the order while more of another lot is counted than is left.
func TestFulfill_AllOfALotWhenTooMuchIsCounted(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	o := f.addOrder("SO-7002", tuitest.Noon, line(f.Oat, 36))
	d := f.open(f.Service, "fulfill/SO-7002")
	d.Scan(l42).Type("24").Key("enter").Scan("]C110L41-C").Sees("L42-A × 24, L41-C × 0")
	q := int64(20)
	ledgertest.Do(f.World, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, Quantity: &q})
	d.Advance(31*time.Second).Key("+").Sees("More is counted than is left. Type 0 to start over.", "L42-A × 24, L41-C × 0")
}

func TestPickAndPack_TwoLotsOfOneLine(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Drafts = drafts.InMemory()
	f.addOrder("SO-7002", tuitest.Noon, line(f.Oat, 36))
	d := f.open(f.Service, "fulfill").Scan("SO-7002")
	d.Scan(l41).Type("12").Key("enter").Scan(l42).Type("20").Key("enter").Sees("enter fulfill 32")
	d.Key("esc").Sees("Draft saved", "draft", "32 counted")
	d = f.open(f.Service, "fulfill/SO-7002") // the terminal is gone
	d.Sees("L41-C × 12, L42-A × 20").Key("f4").Sees("Picked 32", "picked L41-C × 12, L42-A × 20")
}

func TestFulfill_NamesEveryLot(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for i := range 6 {
		f.Receive("PO-3", f.Soy.ID, f.Main.ID, 10, fmt.Sprintf("LOT-2026-%d", i))
	}
	order := f.addOrder("SO-7799", tuitest.Noon, line(f.Soy, 100))
	view := f.open(f.Service, "fulfill/"+order.ID.String()).View()
	for i := range 6 {
		require.Contains(t, view, fmt.Sprintf("LOT-2026-%d × 10", i))
	}
	require.Equal(t, 1, strings.Count(view, "allocated LOT"))
}

func TestFulfill_HalfPickedKeepsLots(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.pick(f.Late, 20, false)
	d := f.open(f.Service, "fulfill/SO-7781")
	d.Sees("picked L41-C × 20   allocated L41-C × 16").Scan(l42).Type("17").Key("enter", "enter")
	d.Sees("Picked from lot L41-C, not L42-A.").Key("enter").Type("16").Key("enter", "enter").Sees("Fulfilled 16: 16 of 36 done")
	require.Equal(t, map[string]int64{"L42-A": 16}, f.issued())
	d.Scan(l42).Sees("Picked from lot L41-C, not L42-A.").Key("enter").Scan(l41).Key("+", "enter").Sees("This order is fulfilled (36 of 36)")
	require.Equal(t, map[string]int64{"L42-A": 16, "L41-C": 20}, f.issued())
}

// A finished order names the lots and serials that left, also when it is opened again.
func TestFulfill_FinishedOrderNamesLotsAndSerials(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.pick(f.addOrder("SO-1", tuitest.Noon, line(f.Oat, 10)), 4, false)
	f.addOrder("SO-2", tuitest.Noon, line(f.Phone, 1))
	f.open(f.Service, "fulfill/SO-2").Scan("PHONE-7").Scan("SN-2").Key("enter").Sees("fulfilled (1 of 1)", "SN-2")
	d := f.open(f.Service, "fulfill/SO-1")
	d.Scan(l42).Type("6").Key("enter", "enter").Scan(l41).Type("4").Key("enter", "enter").Sees("fulfilled (10 of 10)")
	require.Equal(t, map[string]int64{"L41-C": 4, "L42-A": 6}, f.issued())
	for _, s := range []tuitest.Shape{{Width: 80, Height: 24}, {Width: 40, Height: 8}, {Width: 20, Height: 16}} {
		d.Size(s.Width, s.Height).Sees("L41-C × 4", "L42-A × 6") // those that left; what is allocated is shown apart
		f.open(f.Service, "fulfill/SO-1").Size(s.Width, s.Height).Sees("L41-C × 4", "L42-A × 6")
		f.open(f.Service, "fulfill/SO-2").Size(s.Width, s.Height).Sees("SN-2")
	}
}

func TestFulfill_AnotherLotWithoutStock(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.pick(f.Late, 36, false)
	ledgertest.Do(f.World, api.WriteOffStock, api.WriteOffStockInput{StockKey: api.StockKey{ProductID: f.Oat.ID, LocationID: f.Main.ID}, Quantity: ptr(int64(58)),
		Reason: "leaking", LotChoice: api.LotChoice{LotID: f.lot("L42-A")}})
	d := f.open(f.Service, "fulfill/SO-7781")
	d.Scan(l42).Key("f8", "+", "enter").Sees("Lot L42-A has only 2 available. The order is for lot L41-C: scan that one.").Lacks("F8 swap")
	require.Empty(t, f.issued())
}

func TestPickAndPack_SwapLots(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.pick(f.Late, 36, false)
	d := f.open(f.Service, "fulfill/SO-7781")
	d.Scan(strings.ReplaceAll(l42, "L42-A", "L9"))
	viewtest.RequireErrors(t, d, "No stock of lot L9 is free here. Check the label.")
	d.Lacks("F8 swap")
	d.Scan(l42).Sees("Picked from lot L41-C, not L42-A. Press F8 to swap the lot.").Key("f8").Type("12").Key("enter", "f5")
	d.Sees("Packed 12: 0 of 36 done", "packed L42-A × 12", "picked L41-C × 24")
	d.Scan(l42).Type("18").Key("enter", "enter").Sees("Picked from lot L41-C, not L42-A.").Key("f8").Sees("Fulfilled 18: 18 of 36 done")
	require.Equal(t, map[string]int64{"L42-A": 18}, f.issued())

	half := f.addOrder("SO-7801", tuitest.Noon.Add(time.Hour), line(f.Oat, 10))
	f.pick(half, 6, false)
	d = f.open(f.Service, "fulfill/SO-7801")
	d.Scan(l42).Type("6").Key("enter", "f4").Sees("Picked from lot L41-C, not L42-A. Press F8 to swap the lot.").Key("f8").Sees("Picked 6: 0 of 10 done", "picked L41-C × 4, L42-A × 6")
	require.Equal(t, map[string]int64{"L42-A": 18}, f.issued())
}

func TestPickAll_AsksForSerials(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	o := f.addOrder("SO-7800", tuitest.Noon.Add(time.Hour), line(f.Phone, 2))
	d := f.open(f.Service, "fulfill/SO-7800")
	d.Key("f4").Sees("PHONE-7 is serialized. Scan each serial number, then pick.")
	require.Zero(t, f.reload(o).PickedQuantity)
	d.Key("enter").Scan("SN-1").Scan("SN-2").Key("f4").Sees("Picked 2")
	d.Scan("SN-3").Key("enter").Sees("Fulfilled 1: 1 of 2 done")
	serials := map[string]api.SerialStatus{}
	for _, s := range ledgertest.Do(f.World, api.ListSerials, api.ListSerialsInput{ProductID: f.Phone.ID}).Items {
		serials[s.SerialNumber] = s.Status
	}
	require.Equal(t, api.Consumed, serials["SN-3"], "the scanned serial leaves, and a picked one goes back")
	require.ElementsMatch(t, []api.SerialStatus{api.Consumed, api.Picked, api.InStock}, []api.SerialStatus{serials["SN-1"], serials["SN-2"], serials["SN-3"]})
}

func (f *orderFixture) lot(code string) api.ID {
	return ledgertest.Do(f.World, api.ListLots, api.ListLotsInput{ProductID: f.Oat.ID, LotCode: code}).Items[0].ID
}

func ptr[T any](v T) *T { return &v }

// The scan of an expired lot is rejected. If its label has no date, the order is rejected when it is recorded.
func TestFulfill_RejectsExpiredLots(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Clock.Set(tuitest.Noon.AddDate(0, -1, 0))
	viewtest.ReceiveLot(f.World, f.Oat, f.Main, 24, "J-OLD", tuitest.Noon.AddDate(0, 0, -3))
	f.Clock.Set(tuitest.Noon)
	f.addOrder("SO-9", tuitest.Noon, line(f.Oat, 10))
	d := f.open(f.Service, "fulfill/SO-9").Scan("]C10109521234543213" + "17261117" + "10J-OLD")
	viewtest.RequireErrors(t, d, "Lot J-OLD expired 2026-11-17. Nothing was counted: take another lot.")
	d.Lacks("enter fulfill 1").Scan("]C10109521234543213"+"10J-OLD").Sees("No stock of lot J-OLD is free here. Check the label.", "Scan it again to confirm")
	d.Scan("]C10109521234543213"+"10J-OLD").Key("+", "enter")
	viewtest.RequireErrors(t, d, "Lot J-OLD expired 2026-11-17. The order is for lot L41-C: scan that one.")
	d.Type("0").Key("enter").Type("1").Key("enter", "f7").Type("J-OLD").Key("enter").Type("2026-11-17").Key("enter")
	viewtest.RequireErrors(t, d, "Lot J-OLD expired 2026-11-17. Nothing was counted")
	require.Empty(t, f.issued())
}

// A scan of a lot other than the picked one is rejected, and F8 swaps the lots.
func TestFulfill_SwapsLotAtTheScan(t *testing.T) {
	t.Parallel()
	for _, size := range []tuitest.Shape{{Width: 80, Height: 24}, {Width: 40, Height: 8}} {
		f, o := newExpiring(t)
		f.pick(o, 20, false)
		d := f.open(f.Service, "fulfill/SO-7900").Size(size.Width, size.Height)
		d.Scan(l42).Sees("Picked from lot E1, E2").Lacks("expires earlier").Size(80, 24)
		viewtest.RequireErrors(t, d, "Picked from lot E1, E2, not L42-A. Press F8 to swap the lot.")
		d.Lacks("enter fulfill 1").Scan(l42).Key("f8").Sees("enter fulfill 1").Scan(l42).Sees("enter fulfill 2").Key("enter").Sees("Fulfilled 2: 2 of 20 done")
		require.Equal(t, map[string]int64{"L42-A": 2}, f.issued())
	}
}
