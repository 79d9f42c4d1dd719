package count_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/views/count"

	"github.com/stretchr/testify/require"
)

func TestLine_EarlierLot(t *testing.T) {
	t.Parallel()
	day := func(n int) time.Time { return today.AddDate(0, 0, n) }
	lot := func(code string, ends time.Time, q int64) count.PickLot {
		return count.PickLot{Code: code, ExpiresAt: ends, Quantity: q}
	}
	for name, c := range map[string]struct {
		stock   count.PickStock
		counted count.Count
		code    string
		ends    time.Time
		earlier string
	}{
		"a later lot":                 {count.PickStock{Available: []count.PickLot{lot("A", day(1), 5), lot("B", day(2), 5)}}, count.Count{}, "B", time.Time{}, "A"},
		"a later lot than the held":   {count.PickStock{Held: []count.PickLot{lot("A", day(1), 5)}, Available: []count.PickLot{lot("B", day(2), 5)}}, count.Count{}, "B", time.Time{}, "A"},
		"the earliest of several":     {count.PickStock{Held: []count.PickLot{lot("B", day(2), 5)}, Available: []count.PickLot{lot("A", day(1), 5)}}, count.Count{}, "C", day(3), "A"},
		"a lot that never expires":    {count.PickStock{Available: []count.PickLot{lot("A", day(1), 5), lot("N", time.Time{}, 5)}}, count.Count{}, "N", time.Time{}, "A"},
		"a label with the date":       {count.PickStock{Available: []count.PickLot{lot("A", day(1), 5)}}, count.Count{}, "X", day(2), "A"},
		"a label without the date":    {count.PickStock{Available: []count.PickLot{lot("A", day(1), 5)}}, count.Count{}, "X", time.Time{}, ""},
		"the first lot":               {count.PickStock{Available: []count.PickLot{lot("A", day(1), 5), lot("B", day(2), 5)}}, count.Count{}, "A", time.Time{}, ""},
		"the same date":               {count.PickStock{Available: []count.PickLot{lot("A", day(1), 5), lot("B", day(1), 5)}}, count.Count{}, "B", time.Time{}, ""},
		"an earlier lot that is gone": {count.PickStock{Held: []count.PickLot{lot("A", day(1), 0)}, Available: []count.PickLot{lot("B", day(2), 5)}}, count.Count{}, "B", time.Time{}, ""},
		"no lot":                      {count.PickStock{Available: []count.PickLot{lot("A", day(1), 5)}}, count.Count{}, "", time.Time{}, ""},
		"the lot already counted":     {count.PickStock{Available: []count.PickLot{lot("A", day(1), 5), lot("B", day(2), 5)}}, count.Count{Lot: "B", Quantity: 2}, "B", time.Time{}, ""},
		"another lot is counted":      {count.PickStock{Available: []count.PickLot{lot("A", day(1), 5), lot("B", day(2), 5)}}, count.Count{Lot: "A", Quantity: 2}, "B", time.Time{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := &count.Line{Item: item("OAT-1L", api.TrackLot), Pending: 9, Stock: c.stock, Count: c.counted}
			text := l.EarlierLotText(nil, c.code, c.ends)
			if c.earlier == "" {
				require.Empty(t, text)
				return
			}
			require.Equal(t, c.earlier+" expires earlier (2026-11-21) and is here. This is lot "+c.code+".", text)
		})
	}
}

func TestScanMatcher_AsksBeforeALaterLot(t *testing.T) {
	t.Parallel()
	stock := count.PickStock{Available: []count.PickLot{{Code: "L1", ExpiresAt: today.AddDate(0, 0, 1), Quantity: 3}, {Code: "L2", Quantity: 3}}}
	m := matcher(&count.Line{Item: item("OAT-1L", api.TrackLot), Pending: 240, Stock: stock})
	m.Incoming = false
	label := parse("]C10104006381333931" + "10L2")
	out := m.Scan(label)
	require.Nil(t, out.Entry)
	require.Contains(t, out.Question, "L1 expires earlier")
	require.Zero(t, m.Line().Count.Quantity)
	require.NotNil(t, out.Confirm().Entry)
	require.Equal(t, "L2", m.Line().Count.Lot)
	require.NotNil(t, m.Scan(label).Entry, "asked once")
	require.EqualValues(t, 2, m.Line().Count.Quantity)
}

func TestScanMatcher_CountsSeveralLots(t *testing.T) {
	t.Parallel()
	held := []count.PickLot{{Code: "L1", ExpiresAt: today.AddDate(0, 0, 1), Quantity: 3}, {Code: "L2", ExpiresAt: today.AddDate(0, 0, 2), Quantity: 9}}
	m := matcher(&count.Line{Item: item("OAT-1L", api.TrackLot), Pending: 12, SeveralLots: true, Stock: count.PickStock{Held: held}})
	m.Incoming = false
	scan := func(lot string) { require.NotNil(t, m.Scan(parse("]C10104006381333931"+"10"+lot)).Entry, lot) }
	scan("L1")
	require.Contains(t, m.Scan(parse("]C10104006381333931"+"10L2")).Question, "L1 expires earlier", "2 of it are not counted")
	require.NotNil(t, m.SetQuantity(3, "typed").Entry)
	before := m.Counts()
	scan("L2")
	require.Equal(t, "now 4  lot L1 × 3, L2 × 1", m.Line().Text(nil))
	require.NotNil(t, m.SetQuantity(8, "typed").Entry)
	require.EqualValues(t, 11, m.Line().Count.Quantity, "the number is of the lot")
	require.Error(t, m.SetQuantity(10, "typed").Err, "only 9 are left for it")
	require.EqualValues(t, 9, m.Line().AllOfLot())
	scan("L1")
	require.Equal(t, "now 12  lot L2 × 8, L1 × 4", m.Line().Text(nil))
	lots := m.Line().SplitLots()
	require.Equal(t, []count.Count{{Quantity: 8, Lot: "L2"}, {Quantity: 4, Lot: "L1"}}, []count.Count{lots[0].Count, lots[1].Count})
	m.Restore(before)
	require.Equal(t, "now 3  lot L1", m.Line().Text(nil))
	scan("L2")
	require.NotNil(t, m.SetQuantity(0, "typed").Entry)
	require.True(t, m.Line().Count.Empty())
}

// The lot of the last label is left out if nothing is counted of it; serials are never left out.
func TestLine_SplitLotsWithoutPieces(t *testing.T) {
	t.Parallel()
	l := count.Line{Count: count.Count{Quantity: 1, Lot: "L2", Lots: []count.Count{{Quantity: 1, Lot: "L1"}}}}
	require.Len(t, l.SplitLots(), 1)
	l.Count.Serials = []string{"S1"}
	lots := l.SplitLots()
	require.Len(t, lots, 2)
	require.Equal(t, l.Count.Serials, lots[1].Count.Serials)
}

func TestLine_SuggestsSerials(t *testing.T) {
	t.Parallel()
	l := &count.Line{Item: item("PHONE", api.TrackSerial), Pending: 3, Stock: count.PickStock{Picked: []string{"P1"}, Serials: []string{"S1", "S2", "S3"}}}
	require.Equal(t, []string{"P1", "S1", "S2"}, l.SuggestedSerials())
	require.NoError(t, l.AddSerial(nil, "S1"))
	require.Equal(t, []string{"P1", "S2"}, l.SuggestedSerials())
	l.Pending = 1
	require.Empty(t, l.SuggestedSerials())
}
