package dock_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/tui/scan"
	"bincard/views/dock"

	"github.com/stretchr/testify/require"
)

var today = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

func read(code string) dock.Reading { return dock.Read(scan.Parse(code, today)) }

func goods(sku string, tracking api.Tracking) dock.Goods {
	return dock.Goods{ID: api.ID{byte(len(sku)), sku[0]}, SKU: sku, Name: "The " + sku, Tracking: tracking, Known: true,
		Units: []api.Unit{{UnitCode: "box", Factor: 12, Barcodes: []string{"14006381333938"}}}, Barcodes: []string{"4006381333931"}}
}

func tally(lines ...*dock.Line) *dock.Tally {
	return &dock.Tally{Lines: lines, In: true, Today: func() time.Time { return today }}
}

func TestWhatAScanCounts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		code string
		now  int64
		lot  string
	}{
		"the SKU, in any case":        {"oat-1l", 1, ""},
		"a piece":                     {"4006381333931", 1, ""},
		"a piece with 14 digits":      {"]C10104006381333931", 1, ""},
		"a packaging unit":            {"14006381333938", 12, ""},
		"pieces in a label (30)":      {"]C10104006381333931" + "305", 5, ""},
		"boxes in a label (37)":       {"]C10114006381333938" + "373", 36, ""},
		"a lot with it":               {"]C10114006381333938" + "10L1", 12, "L1"},
		"a lot alone":                 {"]C110L1", 0, "L1"},
		"a link":                      {"https://id.gs1.org/01/04006381333931/10/L1", 1, "L1"},
		"a printed label":             {"(01)04006381333931(10)L1(30)7", 7, "L1"},
		"a serial that is not kept":   {"]C10104006381333931" + "21S1", 1, ""},
		"a quantity behind a long AI": {"]C10104006381333931" + "10L1\x1d305", 5, "L1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			y := tally(&dock.Line{Goods: goods("OAT-1L", api.TrackLot), Pending: 240})
			out := y.Scan(read(c.code))
			require.NoError(t, out.Err)
			require.NotNil(t, out.Said)
			require.Equal(t, c.now, y.Line().Count.Now)
			require.Equal(t, c.lot, y.Line().Count.Lot)
		})
	}
}

func TestWhatAScanIsRefusedFor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ code, why string }{
		"a wrong check digit":     {"]C10104006381333932", "check digit"},
		"a day that is none":      {"]C1010400638133393117270231", "(17)"},
		"an unknown identifier":   {"]C1010400638133393105123", "(05"},
		"a pallet":                {"]C100340123450000000000", "says nothing of the goods"},
		"a serial of other goods": {"]C121S1", "not kept by serial number"},
		"too many":                {"]C10114006381333938" + "3721", "252 is too many: only 240 of OAT-1L are pending"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			y := tally(&dock.Line{Goods: goods("OAT-1L", api.TrackLot), Pending: 240})
			out := y.Scan(read(c.code))
			require.ErrorContains(t, out.Err, c.why)
			require.True(t, y.Line().Count.Empty(), "nothing is counted, not even the lot")
		})
	}
}

func TestACompanysOwnCodeIsNoWrongTradeItem(t *testing.T) {
	t.Parallel()
	g := goods("10000001", api.TrackNone) // looks like an EAN-8 with a wrong check digit
	y := tally(&dock.Line{Goods: g, Pending: 5})
	require.NotNil(t, y.Scan(read("10000001")).Said)
	out := y.Scan(read("10000002"))
	require.Equal(t, []string{"10000002"}, out.Ask, "another one is looked up before it is called wrong")
	require.ErrorContains(t, y.Told(read("10000002"), nil, true).Err, "check digit")
}

func TestSeveralLinesFillTheOpenOneFirst(t *testing.T) {
	t.Parallel()
	a := &dock.Line{Key: "1", Goods: goods("OAT-1L", api.TrackNone), Pending: 1}
	b := &dock.Line{Key: "2", Goods: goods("SOY-1L", api.TrackNone), Pending: 5}
	c := &dock.Line{Key: "3", Goods: goods("OAT-1L", api.TrackNone), Pending: 2}
	b.Goods.Barcodes, b.Goods.Units = nil, nil
	y := tally(a, b, c)
	for _, code := range []string{"OAT-1L", "OAT-1L", "SOY-1L", "OAT-1L"} {
		require.NoError(t, y.Scan(read(code)).Err)
	}
	require.Equal(t, []int64{1, 1, 2}, []int64{a.Count.Now, b.Count.Now, c.Count.Now})
	require.ErrorContains(t, y.Scan(read("OAT-1L")).Err, "too many")
	require.Equal(t, int64(4), y.Total())
}

func TestAConfirmedCodeIsLearned(t *testing.T) {
	t.Parallel()
	g := goods("OAT-1L", "")
	g.Known, g.Barcodes, g.Units = false, nil, nil
	y := tally(&dock.Line{Key: "x", Goods: g, Pending: 10})
	r := read("4012345678901")
	require.NotEmpty(t, y.Scan(r).Ask)
	out := y.Told(r, nil, false)
	require.Contains(t, out.Doubt, "Is it OAT-1L (The OAT-1L)?")
	require.Zero(t, y.Total())
	require.NotNil(t, out.Yes().Said)
	require.NotNil(t, y.Scan(r).Said)
	require.Equal(t, int64(2), y.Total())
}

func TestAPieceIsCountedOnce(t *testing.T) {
	t.Parallel()
	y := tally(&dock.Line{Goods: goods("CAM-1", api.TrackSerial), Pending: 2})
	label := read("]C10104006381333931" + "21S-1")
	require.NotNil(t, y.Scan(label).Said)
	require.ErrorContains(t, y.Scan(label).Err, "Piece S-1 is counted already")
	require.NotNil(t, y.Scan(read("4006381333931")).Said)
	require.True(t, y.WantsSerial())
	require.NotNil(t, y.Scan(read("S-2")).Said)
	require.False(t, y.WantsSerial())
	require.Equal(t, []string{"S-1", "S-2"}, y.Line().Count.Serials)
}

func TestGoodsThatEndedAreDoubted(t *testing.T) {
	t.Parallel()
	y := tally(&dock.Line{Goods: goods("OAT-1L", api.TrackLot), Pending: 24})
	out := y.Scan(read("]C10104006381333931" + "17261119" + "10L0"))
	require.Contains(t, out.Doubt, "Lot L0 ended 2026-11-19")
	require.True(t, y.Line().Count.Empty())
	require.NotNil(t, out.Yes().Said)
	require.NotNil(t, y.Scan(read("]C10104006381333931"+"17261119"+"10L0")).Said, "what was confirmed is not asked again")
	require.NotEmpty(t, y.Scan(read("]C10104006381333931"+"17261118")).Doubt)
	y = tally(&dock.Line{Goods: goods("OAT-1L", api.TrackLot), Pending: 24})
	y.In = false
	require.NotNil(t, y.Scan(read("]C10104006381333931"+"17261119"+"10L0")).Said, "what goes out is the service's to judge")
}
