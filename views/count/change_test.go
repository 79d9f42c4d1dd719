package count_test

import (
	"testing"

	"bincard/server/api"
	"bincard/views/count"

	"github.com/stretchr/testify/require"
)

func TestScanMatcher_TypedZero(t *testing.T) {
	t.Parallel()
	for name, explicit := range map[string]bool{"clears the line": false, "is a count of none": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			line := &count.Line{Item: item("OAT-1L", api.TrackLot), Pending: 240, Count: count.Count{Quantity: 12, Lot: "L1"}}
			m := matcher(line)
			m.AllowZero = explicit
			require.Equal(t, "-12", m.SetQuantity(0, "typed").Entry.Change)
			require.Equal(t, explicit, line.Count.None)
			require.Equal(t, explicit, line.Count.Lot == "L1", "the lot of an explicit zero is kept")
		})
	}
}

func TestScanMatcher_AcceptsOverReceipt(t *testing.T) {
	t.Parallel()
	line := &count.Line{Item: item("OAT-1L", api.TrackNone), Pending: 10}
	m := matcher(line)
	var over *count.OverReceiptError
	require.ErrorAs(t, m.SetQuantity(15, "typed").Err, &over)
	require.Equal(t, "15", m.AcceptOverReceipt(over, "free goods", "").Total)
	require.Equal(t, count.Count{Quantity: 10, OverReceipt: 5, OverReason: "free goods"}, line.Count)

	require.ErrorAs(t, m.Scan(parse("OAT-1L")).Err, &over)
	m.AcceptOverReceipt(over, "free goods", "")
	require.Equal(t, count.Count{Quantity: 10, OverReceipt: 6, OverReason: "free goods"}, line.Count, "a scan adds to the count")

	require.ErrorAs(t, m.SetQuantity(12, "typed").Err, &over)
	m.AcceptOverReceipt(over, "free goods", "")
	require.Equal(t, count.Count{Quantity: 10, OverReceipt: 2, OverReason: "free goods"}, line.Count, "a typed quantity replaces it")
}

func TestScanMatcher_RestoresCounts(t *testing.T) {
	t.Parallel()
	one := &count.Line{Key: "1", Item: item("OAT-1L", api.TrackNone), Pending: 240}
	two := &count.Line{Key: "2", Item: item("DRILL", api.TrackSerial), Pending: 5, Count: count.Count{Quantity: 1, Serials: []string{"S1"}}}
	m := matcher(one, two)
	require.NotNil(t, m.SetQuantity(7, "typed").Entry)
	before := m.Counts()
	m.Current = 1
	_, err := m.ToggleDamaged(count.Label{Serial: "S1"})
	require.NoError(t, err)
	m.Current = 0
	m.Reset()
	require.Zero(t, m.Total())
	m.Restore(before)
	require.Equal(t, int64(7), one.Count.Quantity)
	require.Equal(t, count.Count{Quantity: 1, Serials: []string{"S1"}}, two.Count)
}

func TestScanMatcher_SetLotForgetsTheID(t *testing.T) {
	t.Parallel()
	line := &count.Line{Item: item("OAT-1L", api.TrackLot), Pending: 240, Count: count.Count{Quantity: 3, Lot: "L1", LotID: api.ID{1}}}
	m := matcher(line)
	m.SetLot("L1", today)
	require.Equal(t, api.ID{1}, line.Count.LotID)
	require.Equal(t, "L2", m.SetLot("L2", today).Lot)
	require.Zero(t, line.Count.LotID)
}
