package count_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/tui/scan"
	"bincard/tui/tuitest"
	"bincard/views/count"
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

func TestScanMatcher_RemovalShowsTheChangeOfTheStock(t *testing.T) {
	t.Parallel()
	m := matcher(&count.Line{Item: item("OAT-1L", api.TrackLot), Pending: 240})
	m.Incoming, m.Removes = false, true
	require.Equal(t, "-12 box  lot L1  now 12", m.Scan(parse("]C10114006381333938"+"10L1")).Entry.Text(nil))
	require.Equal(t, "+2", m.SetQuantity(10, "typed").Entry.Change)
}

func TestScanMatcher_NamesUnitsInTheLanguage(t *testing.T) {
	t.Parallel()
	m := matcher(&count.Line{Item: item("OAT-1L", api.TrackNone), Pending: 240})
	m.Translator = tuitest.Language(t, "de")
	require.Equal(t, "Karton=12", m.Line().Item.PackText(m.Translator))
	require.Equal(t, "Karton", m.Scan(parse("14006381333938")).Entry.Source)
	require.Equal(t, "Stück", m.Scan(parse("4006381333931")).Entry.Source)
}

func TestScanMatcher_Rejects(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ code, why string }{
		"a wrong check digit":        {"]C10104006381333932", "check digit"},
		"an invalid date":            {"]C1010400638133393117270231", "(17)"},
		"an unknown identifier":      {"]C1010400638133393105123", "(05"},
		"a pallet":                   {"]C100340123450000000000", "has no product"},
		"only a serial, item by lot": {"]C121S1", "is not serialized"},
		"too many":                   {"]C10114006381333938" + "3721", "Too many: OAT-1L has only 240 to go"},
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
	require.ErrorContains(t, m.Scan(parse("OAT-1L")).Err, "Too many: OAT-1L has only 2 to go")
	require.Equal(t, int64(4), m.Total())
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

// Items are received on the day they expire, and do not leave on it.
func TestScanMatcher_DayOfExpiration(t *testing.T) {
	t.Parallel()
	for _, ships := range []bool{false, true} {
		for day, accepted := range map[string]bool{"17261120": !ships, "17261121": true} {
			m := matcher(&count.Line{Item: item("OAT-1L", api.TrackLot), Pending: 24})
			m.Incoming, m.Ships = !ships, ships
			out := m.Scan(parse("]C10104006381333931" + day + "10L0"))
			require.Equal(t, accepted, out.Entry != nil, "%s %v", day, ships)
			if !accepted {
				require.EqualError(t, out.Err, "Lot L0 expired 2026-11-20. Nothing was counted: take another lot.")
			}
		}
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

func TestScanMatcher_AsksAboutLotThatIsNotAnnounced(t *testing.T) {
	t.Parallel()
	lines := delivery()
	m := matcher(lines...)
	out := m.Scan(parse("]C10114006381333938" + "10L3"))
	require.Equal(t, "Lot L3 of OAT-1L was not announced.", out.Question)
	require.NoError(t, out.Confirm().Err)
	require.Equal(t, "L3", lines[0].Count.Lot)
	require.Empty(t, m.Scan(parse("]C10114006381333938"+"10L3")).Question, "it is asked about once")
	require.Equal(t, int64(24), lines[0].Count.Quantity)
	require.Equal(t, "L2", m.Scan(parse("]C10114006381333938"+"10L2")).Entry.Lot)
}

func TestLine_EnterTakesTheAnnouncedExpirationDate(t *testing.T) {
	t.Parallel()
	announced, own := time.Date(2027, 6, 30, 0, 0, 0, 0, time.UTC), time.Date(2027, 7, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		lot           string
		entered, want time.Time
	}{{"L1", time.Time{}, announced}, {"L2", time.Time{}, time.Time{}}, {"L1", own, own}} {
		l := count.Line{Item: item("OAT-1L", api.TrackLot), Pending: 24, Announced: api.Announced{LotCode: "L1", ExpiresAt: &announced}}
		require.NoError(t, l.Enter(nil, count.Count{Lot: c.lot, ExpiresAt: c.entered, Quantity: 5}, false))
		require.Equal(t, c.want, l.Count.ExpiresAt, c.lot)
	}
}

func TestScanMatcher_TakesTheAnnouncedExpirationDate(t *testing.T) {
	t.Parallel()
	lines := delivery()
	m := matcher(lines...)
	require.NotNil(t, m.Scan(parse("]C10114006381333938"+"10L1")).Entry)
	require.True(t, lines[0].Count.ExpiresAt.Equal(today.AddDate(1, 0, 0)), "the label has no date")
	lines[0].Count.ExpiresAt = today.AddDate(0, 6, 0) // corrected
	require.NotNil(t, m.Scan(parse("]C10114006381333938"+"10L1")).Entry)
	require.True(t, lines[0].Count.ExpiresAt.Equal(today.AddDate(0, 6, 0)))
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
		"serials are not announced": {func(lines []*count.Line) { lines[2].Announced.SerialNumbers = nil }, "No serial numbers were sent for SCA."},
		"part was received":         {func(lines []*count.Line) { lines[2].Pending = 1 }, "No serial numbers were sent for SCA."},
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

// The document may be loaded again while a question is open.
func TestScanMatcher_ConfirmsOnTheLoadedLines(t *testing.T) {
	t.Parallel()
	lines := delivery()
	expired := today.AddDate(0, 0, -1)
	lines[0].Announced.ExpiresAt = &expired
	m := matcher(lines...)
	out := m.Scan(parse(pallet))
	m.Lines = delivery()
	require.NotNil(t, out.Confirm().Entry)
	require.Equal(t, int64(24), m.Lines[0].Count.Quantity)

	m = matcher(delivery()...)
	out = m.Scan(parse("]C10104006381333931" + "17261119" + "10L1"))
	require.Contains(t, out.Question, "Lot L1 expired 2026-11-19")
	m.Lines = append([]*count.Line{{Key: "0", Item: item("SOY-1L", api.TrackNone), Pending: 5}}, delivery()...)
	require.NotNil(t, out.Confirm().Entry)
	require.Equal(t, []int64{0, 1}, []int64{m.Lines[0].Count.Quantity, m.Lines[1].Count.Quantity})
}

// Others may receive a part of a line while an excess is accepted.
func TestScanMatcher_AcceptsTheExcessThatWasAskedFor(t *testing.T) {
	t.Parallel()
	for name, typed := range map[string]bool{"typed": true, "scanned": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			line := &count.Line{Item: item("OAT-1L", api.TrackNone), Pending: 10}
			m := matcher(line)
			reject := func() *count.OverReceiptError {
				var over *count.OverReceiptError
				out := m.Scan(parse("14006381333938")) // a box of 12
				if typed {
					out = m.SetQuantity(12, "typed")
				}
				require.ErrorAs(t, out.Err, &over)
				return over
			}
			over := reject()
			require.Equal(t, int64(2), over.Over)
			line.Pending = 6
			require.ErrorContains(t, m.AcceptOverReceipt(over, "free", "Eve").Err, "Too many: OAT-1L has only 6 to go")
			require.True(t, line.Count.Empty())
			require.Equal(t, int64(6), reject().Over)

			line.Pending = 11
			require.NotNil(t, m.AcceptOverReceipt(over, "free", "Eve").Entry)
			require.Equal(t, []int64{11, 1}, []int64{line.Count.Quantity, line.Count.OverReceipt})
		})
	}
}

// A pallet of which nothing is announced here names no product. Nor does one that goes out.
func TestScanMatcher_UnknownPallet(t *testing.T) {
	t.Parallel()
	out := matcher(delivery()...).Scan(parse("]C100340123450000000031"))
	require.ErrorContains(t, out.Err, "has no product")
	leaving := matcher(delivery()...)
	leaving.Incoming = false
	require.ErrorContains(t, leaving.Scan(parse(pallet)).Err, "has no product")
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

// Bincard prints (240) for products without a GTIN. Beside a GTIN it is only an addition.
func TestParseLabel_SKUWithoutGTIN(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 6, 15, 0, 0, 0, 0, time.UTC)
	r := count.ParseLabel(nil, scan.Parse("]d2240SOY-1L\x1d1727033110L42-A\x1d400PO-1", now))
	require.Equal(t, []string{"SOY-1L"}, r.Codes)
	r = count.ParseLabel(nil, scan.Parse("]d2240SOY-1L\x1d1727033110L42-A", now))
	require.Equal(t, []string{"SOY-1L"}, r.Codes)
	require.Equal(t, "L42-A", r.Lot)
	r = count.ParseLabel(nil, scan.Parse("]d201095210000000184240SOY-1L\x1d10L42-A", now))
	require.NotContains(t, r.Codes, "SOY-1L")
}
