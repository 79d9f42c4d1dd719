package count_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/tui/scan"
	"bincard/views/count"

	"github.com/stretchr/testify/require"
)

var today = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

func parse(code string) count.Label { return count.ParseLabel(nil, scan.Parse(code, today)) }

func item(sku string, tracking api.Tracking) count.Item {
	return count.Item{ID: api.ID{byte(len(sku)), sku[0]}, SKU: sku, Name: "The " + sku, Tracking: tracking, InCatalog: true,
		Units: []api.Unit{{UnitCode: "box", Factor: 12, Barcodes: []string{"14006381333938"}}}, Barcodes: []string{"4006381333931"}}
}

func matcher(lines ...*count.Line) *count.ScanMatcher {
	return &count.ScanMatcher{Lines: lines, Incoming: true, Today: func() time.Time { return today }}
}

func TestScanMatcher_Counts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		code string
		now  int64
		lot  string
	}{
		"the SKU, in any case":       {"oat-1l", 1, ""},
		"a unit barcode":             {"4006381333931", 1, ""},
		"a unit barcode, 14 digits":  {"]C10104006381333931", 1, ""},
		"a box barcode":              {"14006381333938", 12, ""},
		"pieces on a label (30)":     {"]C10104006381333931" + "305", 5, ""},
		"boxes on a label (37)":      {"]C10114006381333938" + "373", 36, ""},
		"a box with a lot":           {"]C10114006381333938" + "10L1", 12, "L1"},
		"only a lot":                 {"]C110L1", 0, "L1"},
		"a GS1 link":                 {"https://id.gs1.org/01/04006381333931/10/L1", 1, "L1"},
		"a printed label":            {"(01)04006381333931(10)L1(30)7", 7, "L1"},
		"a serial, item by lot":      {"]C10104006381333931" + "21S1", 1, ""},
		"a quantity after a long AI": {"]C10104006381333931" + "10L1\x1d305", 5, "L1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := matcher(&count.Line{Item: item("OAT-1L", api.TrackLot), Pending: 240})
			out := m.Scan(parse(c.code))
			require.NoError(t, out.Err)
			require.NotNil(t, out.Entry)
			require.Equal(t, c.now, m.Line().Count.Quantity)
			require.Equal(t, c.lot, m.Line().Count.Lot)
		})
	}
}

func TestScanMatcher_Rejects(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ code, why string }{
		"a wrong check digit":        {"]C10104006381333932", "check digit"},
		"an invalid date":            {"]C1010400638133393117270231", "(17)"},
		"an unknown identifier":      {"]C1010400638133393105123", "(05"},
		"a pallet":                   {"]C100340123450000000000", "names no product"},
		"only a serial, item by lot": {"]C121S1", "is not serialized"},
		"too many":                   {"]C10114006381333938" + "3721", "252 is too many: OAT-1L has only 240 to go"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := matcher(&count.Line{Item: item("OAT-1L", api.TrackLot), Pending: 240})
			out := m.Scan(parse(c.code))
			require.ErrorContains(t, out.Err, c.why)
			require.True(t, m.Line().Count.Empty(), "nothing is counted, not even the lot")
		})
	}
}

func TestScanMatcher_LooksUpInHouseCode(t *testing.T) {
	t.Parallel()
	g := item("10000001", api.TrackNone) // looks like an EAN-8 with a wrong check digit
	m := matcher(&count.Line{Item: g, Pending: 5})
	require.NotNil(t, m.Scan(parse("10000001")).Entry)
	out := m.Scan(parse("10000002"))
	require.Equal(t, []string{"10000002"}, out.Lookup, "an unknown number is looked up before it is rejected")
	require.ErrorContains(t, m.ResolveScan(parse("10000002"), nil, true).Err, "check digit")
}

func TestScanMatcher_FillsOpenLineFirst(t *testing.T) {
	t.Parallel()
	a := &count.Line{Key: "1", Item: item("OAT-1L", api.TrackNone), Pending: 1}
	b := &count.Line{Key: "2", Item: item("SOY-1L", api.TrackNone), Pending: 5}
	c := &count.Line{Key: "3", Item: item("OAT-1L", api.TrackNone), Pending: 2}
	b.Item.Barcodes, b.Item.Units = nil, nil
	m := matcher(a, b, c)
	for _, code := range []string{"OAT-1L", "OAT-1L", "SOY-1L", "OAT-1L"} {
		require.NoError(t, m.Scan(parse(code)).Err)
	}
	require.Equal(t, []int64{1, 1, 2}, []int64{a.Count.Quantity, b.Count.Quantity, c.Count.Quantity})
	require.ErrorContains(t, m.Scan(parse("OAT-1L")).Err, "too many")
	require.Equal(t, int64(4), m.Total())
}

func TestScanMatcher_LearnsConfirmedCode(t *testing.T) {
	t.Parallel()
	g := item("OAT-1L", "")
	g.InCatalog, g.Barcodes, g.Units = false, nil, nil
	m := matcher(&count.Line{Key: "x", Item: g, Pending: 10})
	r := parse("4012345678901")
	require.NotEmpty(t, m.Scan(r).Lookup)
	out := m.ResolveScan(r, nil, false)
	require.Contains(t, out.Question, "Is it OAT-1L (The OAT-1L)?")
	require.Zero(t, m.Total())
	require.NotNil(t, out.Confirm().Entry)
	require.NotNil(t, m.Scan(r).Entry)
	require.Equal(t, int64(2), m.Total())
}

func TestScanMatcher_CountsSerialOnce(t *testing.T) {
	t.Parallel()
	m := matcher(&count.Line{Item: item("CAM-1", api.TrackSerial), Pending: 2})
	label := parse("]C10104006381333931" + "21S-1")
	require.NotNil(t, m.Scan(label).Entry)
	require.ErrorContains(t, m.Scan(label).Err, "Serial S-1 is already counted")
	require.NotNil(t, m.Scan(parse("4006381333931")).Entry)
	require.True(t, m.WantsSerial())
	require.NotNil(t, m.Scan(parse("S-2")).Entry)
	require.False(t, m.WantsSerial())
	require.Equal(t, []string{"S-1", "S-2"}, m.Line().Count.Serials)
}

func TestScanMatcher_WantsNoSerialOfAnotherLine(t *testing.T) {
	t.Parallel()
	full, open, bag := &count.Line{Key: "1", Item: item("CAM-1", api.TrackSerial), Pending: 1}, &count.Line{Key: "2", Item: item("CAM-2", api.TrackSerial), Pending: 1}, &count.Line{Key: "3", Item: item("BAG", ""), Pending: 5}
	open.Item.Barcodes, bag.Item.Barcodes = nil, nil
	m := matcher(full, open, bag)
	require.NotNil(t, m.Scan(parse("]C10104006381333931"+"21S-1")).Entry)
	for _, other := range []string{"CAM-1", "BAG"} { // rejected, and counted
		require.NotNil(t, m.Scan(parse("CAM-2")).Entry)
		require.True(t, m.WantsSerial())
		m.Scan(parse(other))
		require.Equal(t, other, m.Line().Item.SKU)
		require.False(t, m.WantsSerial(), other)
	}
}

func TestScanMatcher_AsksAboutExpiredLot(t *testing.T) {
	t.Parallel()
	m := matcher(&count.Line{Item: item("OAT-1L", api.TrackLot), Pending: 24})
	out := m.Scan(parse("]C10104006381333931" + "17261119" + "10L0"))
	require.Contains(t, out.Question, "Lot L0 expired 2026-11-19")
	require.True(t, m.Line().Count.Empty())
	require.NotNil(t, out.Confirm().Entry)
	require.NotNil(t, m.Scan(parse("]C10104006381333931"+"17261119"+"10L0")).Entry, "a confirmed date is not asked about again")
	require.NotEmpty(t, m.Scan(parse("]C10104006381333931"+"17261118")).Question)
	m = matcher(&count.Line{Item: item("OAT-1L", api.TrackLot), Pending: 24})
	m.Incoming = false
	require.NotNil(t, m.Scan(parse("]C10104006381333931"+"17261119"+"10L0")).Entry, "the service decides about outgoing items")
}

func TestScanMatcher_SerialCountsOnOneLine(t *testing.T) {
	t.Parallel()
	drill := item("DRILL", api.TrackSerial)
	one, two := &count.Line{Key: "1", Item: drill, Pending: 2}, &count.Line{Key: "2", Item: drill, Pending: 1}
	m := matcher(one, two)
	scanned := parse("]C121S1")
	require.NoError(t, m.Scan(scanned).Err)
	m.Current = 1
	require.ErrorContains(t, m.Scan(scanned).Err, "Serial S1 is already counted")
	require.Equal(t, []string{"S1"}, one.Count.Serials)
	require.Empty(t, two.Count.Serials)
}
