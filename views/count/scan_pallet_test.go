package count_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/views/count"

	"github.com/stretchr/testify/require"
)

const (
	pallet      = "]C100340123450000000017"
	otherPallet = "]C100340123450000000024"
)

// delivery returns lines on two pallets, one of them with two lines.
func delivery() []*count.Line {
	expires := today.AddDate(1, 0, 0)
	on := func(a api.Announced) api.Announced { a.SSCC = "340123450000000017"; return a }
	return []*count.Line{
		{Key: "1", Item: item("OAT-1L", api.TrackLot), Pending: 24, Announced: on(api.Announced{LotCode: "L1", ExpiresAt: &expires})},
		{Key: "2", Item: item("OAT-1L", api.TrackLot), Pending: 12, Announced: api.Announced{LotCode: "L2", SSCC: "340123450000000024"}},
		{Key: "3", Item: item("SCA", api.TrackSerial), Pending: 2, Announced: on(api.Announced{SerialNumbers: []string{"S-1", "S-2"}})},
	}
}

func TestScanMatcher_CountsPallet(t *testing.T) {
	t.Parallel()
	lines := delivery()
	m := matcher(lines...)
	out := m.Scan(parse(pallet))
	require.NoError(t, out.Err)
	require.Equal(t, "+26 pallet", out.Entry.Text(nil))
	require.Equal(t, "2 lines", out.Entry.SKU)
	require.Equal(t, []int64{24, 0, 2}, []int64{lines[0].Count.Quantity, lines[1].Count.Quantity, lines[2].Count.Quantity})
	require.Equal(t, "L1", lines[0].Count.Lot)
	require.True(t, lines[0].Count.ExpiresAt.Equal(today.AddDate(1, 0, 0)))
	require.Equal(t, []string{"S-1", "S-2"}, lines[2].Count.Serials)

	out = m.Scan(parse(pallet))
	require.EqualError(t, out.Err, "Pallet 340123450000000017 is already counted or received. Nothing was added.")
	require.Equal(t, "+12 pallet  lot L2  now 12", m.Scan(parse(otherPallet)).Entry.Text(nil))
}

// What was counted of a pallet before is not counted again.
func TestScanMatcher_CountsRestOfPallet(t *testing.T) {
	t.Parallel()
	lines := delivery()
	m := matcher(lines...)
	require.NoError(t, m.Scan(parse("]C10114006381333938"+"10L1")).Err)
	lines[2].Count.Serials, lines[2].Count.Quantity = []string{"S-2"}, 1
	require.Equal(t, int64(12), lines[0].Count.Quantity)
	require.Equal(t, "+13 pallet", m.Scan(parse(pallet)).Entry.Text(nil))
	require.Equal(t, []string{"S-2", "S-1"}, lines[2].Count.Serials)
}

// A pallet is counted as a whole or not at all.
func TestScanMatcher_RejectsPallet(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(lines []*count.Line)
		want   string
	}{
		"serials are not announced": {func(lines []*count.Line) { lines[2].Announced.SerialNumbers = nil }, "The serial numbers of SCA are not announced."},
		"part was received":         {func(lines []*count.Line) { lines[2].Pending = 1 }, "The serial numbers of SCA are not announced."},
		"another lot is counted": {func(lines []*count.Line) { lines[0].Count = count.Count{Quantity: 1, Lot: "L9"} },
			"This is lot L1, but 1 of lot L9 are counted."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lines := delivery()
			c.change(lines)
			before := []count.Count{lines[0].Count, lines[1].Count, lines[2].Count}
			out := matcher(lines...).Scan(parse(pallet))
			require.ErrorContains(t, out.Err, c.want)
			require.Equal(t, before, []count.Count{lines[0].Count, lines[1].Count, lines[2].Count})
		})
	}
}

func TestScanMatcher_AsksAboutExpiredPallet(t *testing.T) {
	t.Parallel()
	lines := delivery()
	expired := today.AddDate(0, 0, -1)
	lines[0].Announced.ExpiresAt = &expired
	out := matcher(lines...).Scan(parse(pallet))
	require.Equal(t, "Lot L1 expired 2026-11-19.", out.Question)
	require.Zero(t, lines[0].Count.Quantity)
	require.NoError(t, out.Confirm().Err)
	require.Equal(t, int64(24), lines[0].Count.Quantity)
}

// A pallet of which nothing is announced here names no product. Nor does one that goes out.
func TestScanMatcher_UnknownPallet(t *testing.T) {
	t.Parallel()
	out := matcher(delivery()...).Scan(parse("]C100340123450000000031"))
	require.ErrorContains(t, out.Err, "names no product")
	leaving := matcher(delivery()...)
	leaving.Incoming = false
	require.ErrorContains(t, leaving.Scan(parse(pallet)).Err, "names no product")
}

// A label with a lot is counted on the line that announces it, wherever the operator is.
func TestScanMatcher_PrefersAnnouncedLot(t *testing.T) {
	t.Parallel()
	lines := delivery()
	m := matcher(lines...)
	require.NoError(t, m.Scan(parse("]C10104006381333931"+"10L2")).Err)
	require.NoError(t, m.Scan(parse("]C10104006381333931"+"10L1")).Err)
	require.NoError(t, m.Scan(parse("4006381333931")).Err)
	require.Equal(t, []int64{2, 1}, []int64{lines[0].Count.Quantity, lines[1].Count.Quantity})
	require.Equal(t, time.Time{}, lines[1].Count.ExpiresAt)

	lot := parse("L2") // the service knows it
	product := api.Product{ID: lines[0].Item.ID}
	require.NoError(t, m.ResolveScan(lot, []api.Match{{Kind: api.KindLot, Product: &product, Lot: &api.Lot{LotCode: "L2"}}}, true).Err)
	require.Equal(t, 1, m.Current)
}
