package outbounds_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"
)

// What was picked of the chosen line is put back, also what is packed of it. It stays allocated.
func TestPutBack_ChosenLine(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ledgertest.Do(f.World, api.PickOutbound, api.HandleOutboundInput{OutboundID: f.Next.ID})
	ledgertest.Do(f.World, api.PackOutbound, api.HandleOutboundInput{OutboundID: f.Next.ID, Quantity: ptr(int64(4))})
	d := f.open(f.Service, "fulfill/SO-7790").Sees("packed L41-C × 4   picked L41-C × 8")
	d.Key("f8").Sees("Put 12 × OAT-1L back on the shelf?", "SO-7790 keeps what it was allocated.", "enter put back", "esc keep it")
	d.Goldens("putback")
	d.Key("esc").Lacks("back on the shelf?")
	require.EqualValues(t, 20, f.reload(f.Next).PickedQuantity)
	d.Key("f8", "enter").Sees("Put back: 12", "allocated L41-C × 12", "20 ready").Lacks("picked L41-C")
	got := f.reload(f.Next)
	require.Equal(t, []int64{0, 0, 12}, []int64{got.Lines[0].PickedQuantity, got.Lines[0].PackedQuantity, got.Lines[0].AllocatedQuantity})
	require.EqualValues(t, 8, got.Lines[1].PickedQuantity)

	d.Key("f8").Sees("Nothing of OAT-1L is picked. Choose another line")
	d.Key("down").Advance(time.Second).Key("f8").Sees("Put 8 × SOY-1L back").Key("enter").Sees("Put back: 8")
	d.Key("f8").Sees("Nothing is picked yet")
	require.Equal(t, api.OutboundAllocated, f.reload(f.Next).Status)
}

// The counted quantity is put back, with its lots and serials. More than is picked is refused.
func TestPutBack_Counted(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.pick(f.Late, 20, false)
	d := f.open(f.Service, "fulfill/SO-7781").Type("21").Key("enter").Lacks("F8").Key("f8").Sees("20 × OAT-1L picked: count no more than that").Lacks("on the shelf?")
	require.EqualValues(t, 20, f.reload(f.Late).PickedQuantity)
	for _, key := range []string{"f4", "f5", "f8"} {
		d.Type("5").Key(key).Sees("5 is typed, not counted: press enter, or esc").Key("esc")
	}
	require.EqualValues(t, 20, f.reload(f.Late).PickedQuantity)
	d.Type("5").Key("enter").Key("f8", "enter").Sees("Put back 5: 0 of 36 done, 36 ready", "picked L41-C × 15")
	d.Scan(l41).Key("f8", "enter").Sees("Put back 1: 0 of 36 done", "picked L41-C × 14")

	o := f.addOrder("SO-8", tuitest.Noon.Add(time.Hour), line(f.Phone, 2))
	d = f.open(f.Service, "fulfill/SO-8").Scan("SN-1").Scan("SN-2").Key("f4").Sees("Picked 2")
	d.Scan("SN-2").Key("f8").Sees("Put 1 × PHONE-7 back").Key("enter").Sees("Put back 1: 0 of 2 done")
	require.Len(t, f.reload(o).Lines[0].Serials, 1)
	require.Equal(t, "SN-1", f.reload(o).Lines[0].Serials[0].Serial.SerialNumber)
	d.Scan("SN-3").Key("f8", "enter")
	viewtest.RequireErrors(t, d, "Serial SN-3 is in stock at WH-1, so you cannot use it here. Check its label.")
	d.Key("enter").Sees("Fulfilled 1: 1 of 2 done")
}

// What left is not put back, and what was handed to the carrier meanwhile neither.
func TestPutBack_Refused(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.open(f.Service, "fulfill/SO-7781").Lacks("F8").Key("f8").Sees("Nothing is picked yet")
	f.pick(f.Late, 12, true)
	d.Advance(31 * time.Second).Sees("F8 put back").Key("f8").Sees("Put 12 × OAT-1L back")
	ledgertest.Do(f.World, api.ShipOutbound, api.HandleOutboundInput{OutboundID: f.Late.ID, Quantity: ptr(int64(4))})
	d.Key("enter")
	viewtest.RequireErrors(t, d, "Only 8 can be put back: the rest is not picked, or was shipped. Count 8, then press F8.")
	d.Key("enter").Type("8").Key("enter", "f8", "enter").Sees("Put back 8: 0 of 36 done")
	ledgertest.Do(f.World, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: f.Late.ID, Quantity: ptr(int64(12))})
	d.Advance(31 * time.Second).Key("f8").Sees("Everything picked is fulfilled")
	f.open(viewtest.Minimal(f.Service), "fulfill/"+f.Late.ID.String()).Sees("SO-7781").Lacks("put back")
}

// Nothing is put back of lines of which one is not picked.
func TestPutBack_SeveralLines(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ledgertest.Do(f.World, api.PickOutbound, api.HandleOutboundInput{OutboundID: f.Next.ID, ProductID: f.Oat.ID})
	d := f.open(f.Service, "fulfill/SO-7790").Type("3").Key("enter", "down").Type("2").Key("enter", "f8")
	d.Sees("0 × SOY-1L picked: count no more than that").Lacks("on the shelf?")
	d.Type("0").Key("enter", "f8").Sees("Put 3 × OAT-1L back on the shelf?").Key("enter").Sees("Put back 3", "0 fulfilled   9 picked")
	require.EqualValues(t, 9, f.reload(f.Next).PickedQuantity)
}

// A lot that is not picked is not put back, and nothing else in its place.
func TestPutBack_AnotherLot(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	o := f.addOrder("SO-7002", tuitest.Noon, line(f.Oat, 36))
	ledgertest.Do(f.World, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID, LotID: f.lot("L41-C")})
	d := f.open(f.Service, "fulfill/SO-7002").Scan(l42).Type("5").Key("enter", "f8")
	d.Sees("0 × OAT-1L L42-A picked: count no more than that").Lacks("on the shelf?")
	d.Key("enter").Sees("Fulfilled 5: 5 of 36 done")
	require.Equal(t, map[string]int64{"L42-A": 5}, f.issued())
}

// After a lot that was picked by mistake is put back, the order holds the lot that it was
// allocated, which can be scanned.
func TestPutBack_WrongLot(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	o := f.addOrder("SO-7003", tuitest.Noon, line(f.Oat, 12))
	d := f.open(f.Service, "fulfill/SO-7003").Sees("allocated L41-C × 12").Scan(l42).Advance(time.Second).Scan(l42).Type("12").Key("enter", "f4")
	d.Sees("picked L42-A × 12").Key("f8", "enter").Sees("allocated L41-C × 12").Scan(l41).Lacks("No stock of lot").Type("12").Key("enter", "f4")
	d.Sees("picked L41-C × 12").Key("ctrl+f", "enter").Sees("Fulfilled 12")
	require.Equal(t, api.OutboundFulfilled, f.reload(o).Status)
	require.Equal(t, map[string]int64{"L41-C": 12}, f.issued())
}

// The question names a lot that is not picked yet.
func TestQuestion_NamesTheNextLot(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.addOrder("SO-7004", tuitest.Noon, line(f.Oat, 20))
	d := f.open(f.Service, "fulfill/SO-7004").Sees("Scan OAT-1L from lot L41-C").Scan(l41).Type("12").Key("enter", "f4")
	d.Sees("picked L41-C × 12", "Scan OAT-1L from lot L42-A").Scan(l42).Type("8").Key("enter", "f4").Sees("picked L41-C × 12, L42-A × 8")
}

func TestPutBack_Offline(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.pick(f.Late, 12, false)
	node := viewtest.NewNode(t, f.World, viewtest.NewFaultProxy(f.Service))
	node.Disconnect()
	d := f.open(node, "fulfill/SO-7781").Key("f8", "enter").Sees("Saved, not synced. Put back: 12", "allocated L41-C × 36")
	require.EqualValues(t, 12, f.reload(f.Late).PickedQuantity)
	node.Connect()
	require.Zero(t, f.reload(f.Late).PickedQuantity)
	d.Key("f8").Sees("Nothing is picked yet")
}

// Of which lot part of a line is put back must be scanned.
func TestPutBack_SeveralLots(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	o := f.addOrder("SO-7006", tuitest.Noon, line(f.Oat, 20))
	ledgertest.Do(f.World, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID})
	d := f.open(f.Service, "fulfill/SO-7006").Sees("picked L41-C × 12, L42-A × 8").Type("2").Key("enter", "f8")
	d.Sees("picked from several lots. Scan the lot").Lacks("on the shelf?")
	d.Type("0").Key("enter").Scan(l42).Type("2").Key("enter", "f8").Sees("Put 2 × OAT-1L L42-A back on the shelf?").Key("enter")
	d.Sees("picked L41-C × 12, L42-A × 6").Key("f8").Sees("Put 18 × OAT-1L back on the shelf?").Key("enter").Sees("20 ready   0 fulfilled")
	require.Zero(t, f.reload(o).PickedQuantity)
}
