package count_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/views/count"
)

// forOrders returns the lines of an item for several orders, of one lot unless it is "".
func forOrders(sku string, tracking api.Tracking, lot string, pending ...int64) (lines []*count.Line) {
	for i, n := range pending {
		name := string(rune('1' + i))
		l := &count.Line{Key: sku + lot + name, Item: item(sku, tracking), For: "SO-" + name, Pending: n}
		if lot != "" {
			l.Stock.Held = []count.PickLot{{Code: lot, Quantity: n}}
		}
		lines = append(lines, l)
	}
	return lines
}

func quantities(lines []*count.Line) (out []int64) {
	for _, l := range lines {
		out = append(out, l.Count.Quantity)
	}
	return out
}

// Quantities fill the lines of a group in order, and name the orders.
func TestGroup_FillsOrdersInOrder(t *testing.T) {
	t.Parallel()
	lines := append(forOrders("OAT-1L", api.TrackLot, "L1", 2, 4, 9), forOrders("OAT-1L", api.TrackLot, "L2", 5)...)
	m := matcher(lines...)
	m.Incoming, m.Ships = false, true
	out := m.Scan(parse("oat-1l"))
	require.Equal(t, "→ SO-1", out.Entry.Source)
	require.Equal(t, "→ SO-1, SO-2, SO-3", m.Scan(parse("14006381333938")).Entry.Source) // a box of 12
	require.Equal(t, []int64{2, 4, 7, 0}, quantities(lines))
	require.ErrorContains(t, m.Scan(parse("14006381333938")).Err, "has only 15 to go, and 13 are already counted")
	require.Equal(t, "→ SO-3", m.SetQuantity(15, "typed").Entry.Source)
	require.Error(t, m.SetQuantity(16, "typed").Err)
	require.Equal(t, "→ SO-1, SO-2, SO-3", m.SetQuantity(1, "typed").Entry.Source)
	require.Equal(t, []int64{1, 0, 0, 0}, quantities(lines))
	require.ErrorContains(t, m.Scan(parse("]C10104006381333931"+"10L9")).Err, "Lot L9 is not allocated to these orders. Take lot L1.")
	m.SetQuantity(3, "typed")
	require.Equal(t, "lot", m.Scan(parse("]C10104006381333931"+"10L1")).Entry.Source, "the label says of which lot they are")
	require.Equal(t, []string{"L1", "L1", ""}, []string{lines[0].Count.Lot, lines[1].Count.Lot, lines[2].Count.Lot})
	require.Equal(t, []int64{2, 1, 0, 0}, quantities(lines))
	m.SetQuantity(0, "typed")
	for _, l := range lines {
		require.True(t, l.Count.Empty())
	}
}

// What is counted of a group stays the sum, also if less is pending by now; then it cannot be recorded.
func TestGroup_LosesNothing(t *testing.T) {
	t.Parallel()
	lines := forOrders("OAT-1L", api.TrackLot, "L1", 2, 4)
	m := matcher(lines...)
	m.SetQuantity(6, "typed")
	lines[0].Pending = 0 // canceled
	m.SetLot("L1", today)
	require.Equal(t, []int64{0, 6}, quantities(lines))
	require.ErrorContains(t, lines[1].CheckBookable(nil), "has only 4 to go, but the count is 6")
	m.SetQuantity(4, "typed")
	require.Equal(t, []int64{0, 4}, quantities(lines))
	require.NoError(t, lines[1].CheckBookable(nil))
}

func TestGroup_Serials(t *testing.T) {
	t.Parallel()
	lines := forOrders("CAM-1", api.TrackSerial, "", 1, 2)
	m := matcher(lines...)
	for _, serial := range []string{"S1", "S2", "S3"} {
		require.NoError(t, m.Scan(parse("]C10104006381333931"+"21"+serial)).Err)
	}
	require.Equal(t, []string{"S1"}, lines[0].Count.Serials)
	require.Equal(t, []string{"S2", "S3"}, lines[1].Count.Serials)
	require.Error(t, m.Scan(parse("]C10104006381333931"+"21S3")).Err)
}

// In any sequence of scans and numbers, what is counted is their sum, and no order gets more than it needs.
func TestGroup_CountsTheSum(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		lines := forOrders("OAT-1L", api.TrackLot, "L1", r.Int64N(20), r.Int64N(20), r.Int64N(20))
		m := matcher(lines...)
		m.Incoming = false
		want := int64(0)
		for range 30 {
			add, out := int64(1), count.ScanResult{}
			switch m.Current = r.IntN(len(lines)); r.IntN(3) {
			case 0:
				out = m.Scan(parse("oat-1l"))
			case 1:
				add, out = 12, m.Scan(parse("14006381333938"))
			case 2:
				add = r.Int64N(40) - want
				out = m.SetQuantity(want+add, "typed")
			}
			if out.Err == nil {
				want += add
			}
			sum, open := int64(0), false
			for _, l := range lines {
				require.LessOrEqual(t, l.Count.Quantity, l.Pending, seed)
				require.False(t, open && l.Count.Quantity > 0, "seed %d: an order before it lacks some", seed)
				open = open || l.Remaining() > 0
				sum += l.Count.Quantity
			}
			require.Equal(t, want, sum, seed)
		}
	}
}
