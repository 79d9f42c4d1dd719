package outbounds_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui/tuitest"
	"bincard/views/count"
	"bincard/views/outbounds"
	"bincard/views/submit"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

func TestFulfill_NamesNextOpenLine(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.open(f.Service, "fulfill/SO-7790")
	d.Size(40, 8).Sees("2 lines to go").Size(20, 16).Sees("2 lines to go").Size(80, 24)
	d.Key("+").Sees("OAT-1L is counted. Next: SOY-1L, 8 to go").Lacks("All counted")
	d.Size(40, 8).Sees("next: SOY-1L", "1 line to go").Size(20, 16).Sees("next: SOY-1L", "1 line to go").Size(80, 24)
	d.Advance(time.Second).Key("f10").Sees("All counted: press enter to fulfill")
	d.Key("ctrl+z", "enter").Sees("Not counted: 8 × SOY-1L. Fulfill 12 anyway?", "esc count more").Size(20, 16).Sees("esc count more").Size(80, 24)
	d.Key("esc").Sees("Scan a box or item")
	require.Zero(t, f.reload(f.Next).FulfilledQuantity)
	d.Key("enter", "enter").Sees("Fulfilled 12: 12 of 20 done, 8 ready")
	d.Advance(time.Second).Key("+").Sees("All counted: press enter to fulfill", "enter fulfill 8")
	d.Key("enter").Sees("This order is fulfilled (20 of 20).")
	require.Equal(t, int64(20), f.reload(f.Next).FulfilledQuantity)
}

// fulfilled returns what is fulfilled of each line of SO-7790.
func (f *orderFixture) fulfilled() []int64 {
	lines := f.reload(f.Next).Lines
	return []int64{lines[0].FulfilledQuantity, lines[1].FulfilledQuantity}
}

// The lines before it stay open: their items were not found, and the truck waits.
func TestFulfill_LaterLineAlone(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	job := &submit.Job{Site: f.Site(f.Service), Ref: "SO-7790", Key: "a", SKU: "SOY-1L", Count: count.Count{Quantity: 1},
		Save: func(*submit.Submission) error { return nil }}
	result, err := outbounds.FulfillJob(t.Context(), job)
	require.NoError(t, err)
	require.Equal(t, "Fulfilled 1: 1 of 20 done, 19 ready", result.Text)
	require.Equal(t, []int64{0, 1}, f.fulfilled())

	d := f.open(f.Service, "fulfill/SO-7790")
	d.Scan("SOY-1L").Type("2").Key("enter", "f4").Sees("Picked 2").Key("ctrl+f").Sees("Fulfilled 2 of SO-7790")
	require.Equal(t, []int64{0, 3}, f.fulfilled())

	d.Type("5").Key("enter", "enter").Sees("Not counted: 12 × OAT-1L. Fulfill 5 anyway?").Key("enter")
	d.Sees("Fulfilled 5: 8 of 20 done, 12 ready")
	require.Equal(t, []int64{0, 8}, f.fulfilled())
	d.Advance(time.Second).Key("+", "enter").Sees("This order is fulfilled (20 of 20).")
}

// A service with the bare interface takes one quantity for the whole order.
func TestFulfill_LinesInOrderOnMinimalService(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.open(viewtest.Minimal(f.Service), "fulfill/"+f.Next.ID.String())
	d.Scan("SOY-1L").Type("8").Key("enter", "enter", "enter").Sees("This service fulfills lines in order. Count all of OAT-1L first.")
	require.Zero(t, f.reload(f.Next).FulfilledQuantity)
	d.Key("enter", "up", "+", "enter").Sees("This order is fulfilled (20 of 20).")
}

// Another worker fulfills a part of the counted line. The rest of the count is not taken of
// the next line.
func TestFulfill_TakesNoOtherLine(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	fulfillElsewhere := func(q int64) {
		ledgertest.Do(f.World, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: f.Next.ID, Quantity: &q})
	}
	d := f.open(f.Service, "fulfill/SO-7790")
	d.Key("+").Sees("enter fulfill 12")
	fulfillElsewhere(7)
	d.Key("enter", "enter")
	viewtest.RequireErrors(t, d, "5")
	require.Equal(t, []int64{7, 0}, f.fulfilled())
	fulfillElsewhere(5)
	d.Type("5").Key("enter", "enter", "enter")
	viewtest.RequireErrors(t, d, "it is already done")
	d.Sees("12 fulfilled").Type("0").Key("enter").Scan("SOY-1L").Key("+", "enter").Sees("This order is fulfilled (20 of 20).")
}

// A line of serials is open after the other one is shipped: every screen says what to scan.
func TestFulfill_NamesOpenLineOfSerials(t *testing.T) {
	t.Parallel()
	for _, size := range []tuitest.Shape{{Width: 80, Height: 24}, {Width: 20, Height: 16}} {
		f := newFixture(t)
		o := f.addOrder("SO-2", tuitest.Noon, line(f.Soy, 6), line(f.Phone, 1))
		d := f.open(f.Service, "fulfill/SO-2").Size(size.Width, size.Height)
		d.Key("+").Lacks("All counted", "all counted").Key("enter").Sees("Not counted: 1 ×").Key("enter")
		if size.Height == 16 {
			d.Sees("scan serial number", "1 line to go").Scan("PHONE-7").Scan("SN-3").Sees("all counted: enter").Key("enter")
			d.Sees("▸ fulfilled")
		} else {
			d.Sees("Fulfilled 6: 6 of 7 done, 1 ready", "▸ PHONE-7", "Scan each serial number of PHONE-7, such as SN-1")
			d.Scan("PHONE-7").Scan("SN-3").Sees("All counted: press enter to fulfill", "enter fulfill 1").Key("enter")
			d.Sees("This order is fulfilled (7 of 7).")
		}
		require.Equal(t, "SN-3", f.reload(o).Lines[1].Serials[0].Serial.SerialNumber)
	}
}

// Keys that bounce count nothing on the line that the program went to.
func TestFulfill_CountsNothingOnALineThatWasNotChosen(t *testing.T) {
	t.Parallel()
	for _, size := range []tuitest.Shape{{Width: 80, Height: 24}, {Width: 40, Height: 8}, {Width: 20, Height: 16}} {
		f := newFixture(t)
		d := f.open(f.Service, "fulfill/SO-7790").Size(size.Width, size.Height)
		d.Scan("OAT-1L").Key("+", "+", "f10").Sees("Ignored: SOY-1L is")
		d.Size(80, 24).Sees("enter fulfill 12", "F4 pick 12")
		d.Key("enter", "enter").Sees("Fulfilled 12: 12 of 20 done, 8 ready", "▸ SOY-1L")
		d.Key("+", "-").Sees("Ignored: SOY-1L is next").Lacks("enter fulfill 8")
		require.Equal(t, []int64{12, 0}, f.fulfilled())
	}
}

// After a booking the next open line is current, even if the operator went back to an earlier one.
func TestFulfill_CountsNothingOnTheLineAfterABooking(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.open(f.Service, "fulfill/SO-7790").Key("+", "up", "enter", "enter").Sees("Fulfilled 12: 12 of 20 done, 8 ready", "▸ SOY-1L")
	d.Key("+").Sees("Ignored: SOY-1L is next").Lacks("enter fulfill 8")
}

// A slow connection delivers several keys at once.
func TestFulfill_CountsNothingOfABurstOnTheNextLine(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.open(f.Service, "fulfill/SO-7790").Scan("OAT-1L")
	for _, key := range []string{"+", "+", "3", "enter", "+"} {
		d.Send(tuitest.KeyOf(t, key))
	}
	d.Sees("enter fulfill 12", "Ignored: SOY-1L is next")
}
