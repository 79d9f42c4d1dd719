package outbounds_test

import (
	"testing"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

func TestFulfill_NamesNextOpenLine(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.open(f.Service, "fulfill/SO-7790")
	d.Key("+").Sees("OAT-1L is counted. Next: SOY-1L, 8 to go").Lacks("All counted")
	d.Size(40, 8).Sees("next: SOY-1L").Size(20, 16).Sees("next: SOY-1L").Size(80, 24)
	d.Key("f10").Sees("All counted: press enter to fulfill")
	d.Key("ctrl+z", "enter").Sees("Not counted: 8 × SOY-1L. Fulfill 12 anyway?", "esc count more").Size(20, 16).Sees("esc count more").Size(80, 24)
	d.Key("esc").Sees("Scan a box or item")
	require.Zero(t, f.reload(f.Next).FulfilledQuantity)
	d.Key("enter", "enter").Sees("Fulfilled 12: 12 of 20 done, 8 ready")
	d.Key("+").Sees("All counted: press enter to fulfill", "enter fulfill 8")
	d.Key("enter").Sees("This order is fulfilled (20 of 20).")
	require.Equal(t, int64(20), f.reload(f.Next).FulfilledQuantity)
}

// Another worker fulfills a part of the counted line. The rest of the count is not taken of
// the next line.
func TestFulfill_TakesNoOtherLine(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.open(f.Service, "fulfill/SO-7790")
	d.Key("+").Sees("enter fulfill 12")
	ledgertest.Do(f.World, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: f.Next.ID, Quantity: new(int64(7))})
	d.Key("enter", "enter")
	viewtest.RequireErrors(t, d, "5")
	now := f.reload(f.Next)
	require.Equal(t, []int64{7, 0}, []int64{now.Lines[0].FulfilledQuantity, now.Lines[1].FulfilledQuantity})
	d.Type("5").Key("enter", "enter", "enter").Sees("Fulfilled 5: 12 of 20 done, 8 ready")
}

// TestFulfill_QuantityIsForTheNextLine covers a quantity that is typed after a line is complete.
func TestFulfill_QuantityIsForTheNextLine(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.open(f.Service, "fulfill/SO-7790")
	d.Key("+").Sees("OAT-1L is counted. Next: SOY-1L, 8 to go", "▸ SOY-1L")
	d.Type("8").Key("enter").Sees("All counted: press enter to fulfill", "enter fulfill 20")
}

func TestFulfill_StartsAtOpenLine(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.open(f.Service, "fulfill/SO-7790")
	d.Key("+", "enter", "enter").Sees("Fulfilled 12")
	d = f.open(f.Service, "fulfill/SO-7790")
	d.Key("+").Sees("enter fulfill 8")
}

func TestFulfill_SmallScreensShowLinesToGo(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.open(f.Service, "fulfill/SO-7790")
	d.Size(40, 8).Sees("2 lines to go").Size(20, 16).Sees("2 lines to go").Size(80, 24)
	d.Key("+").Size(40, 8).Sees("1 line to go").Size(20, 16).Sees("1 line to go")
}
