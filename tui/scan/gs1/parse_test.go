package gs1_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/tui/scan/gs1"
)

// elements returns the elements of a message as text.
func elements(m gs1.Message) string {
	s := ""
	for _, e := range m.Elements {
		s += "(" + e.AI + ")" + e.Value
	}
	return s
}

// named returns the identifiers with problems.
func named(m gs1.Message) []string {
	var names []string
	for _, p := range m.Problems {
		names = append(names, p.AI)
	}
	return names
}

func TestParse_Forms(t *testing.T) {
	t.Parallel()
	const all = "(01)09506000134352(10)ABC(17)270131"
	for _, c := range []struct {
		name, text string
		form       gs1.Form
		want       string
		wrong      []string
	}{
		{"leading separator", "\x1d010950600013435210ABC\x1d17270131", gs1.FormElements, all, nil},
		{"no leading separator", "010950600013435210ABC\x1d17270131", gs1.FormElements, all, nil},
		{"separator at the end", "\x1d010950600013435210ABC\x1d17270131\x1d", gs1.FormElements, all, nil},
		{"separator after a fixed length", "\x1d0109506000134352\x1d10ABC\x1d17270131", gs1.FormElements, all, nil},
		{"no separator at all", "01095060001343521727013110ABC", gs1.FormElements, "(01)09506000134352(17)270131(10)ABC", nil},
		{"wrong GTIN does not hide the lot", "01095060001343531727013110ABC", gs1.FormElements, "(01)09506000134353(17)270131(10)ABC", []string{"01"}},
		{"wrong date after a good GTIN", "01095060001343521727133110ABC", gs1.FormElements, "(01)09506000134352(17)271331(10)ABC", []string{"17"}},
		{"unknown identifier", "\x1d3106123456\x1d10ABC", gs1.FormElements, "(10)ABC", []string{"3106"}},
		{"unknown range", "\x1d0512\x1d10ABC", gs1.FormElements, "(10)ABC", []string{"05"}},
		{"no identifier", "\x1dXY12\x1d10ABC", gs1.FormElements, "(10)ABC", []string{""}},
		{"two separators", "\x1d10ABC\x1d\x1d21X", gs1.FormElements, "(10)ABC(21)X", []string{""}},
		{"cut short", "\x1d01095060001343", gs1.FormElements, "(01)095060001343", []string{"01"}},
		{"separator within a fixed length", "\x1d17260\x1d10ABC", gs1.FormElements, "(17)260(10)ABC", []string{"17"}},
		{"the same twice", "\x1d10A\x1d10A", gs1.FormElements, "(10)A(10)A", nil},
		{"two values", "\x1d10A\x1d10B", gs1.FormElements, "(10)A(10)B", []string{"10"}},
		{"SSCC", "00006141411234567890", gs1.FormElements, "(00)006141411234567890", nil},
		{"content of a pallet", "02095060001343523712", gs1.FormElements, "(02)09506000134352(37)12", nil},
		{"bracketed", all, gs1.FormBracketed, all, nil},
		{"bracket in a value", `(10)A\(B)(21)C`, gs1.FormBracketed, "(10)A(B)(21)C", nil},
		{"stray bracket", `(10)A(B(21)C`, gs1.FormBracketed, "(10)A(21)C", []string{"10"}},
		{"unknown in brackets", "(01)09506000134352(05)1", gs1.FormBracketed, "(01)09506000134352", []string{"05"}},
		{"EAN-8", "96385074", gs1.FormNumber, "(01)00000096385074", nil},
		{"UPC-A", "036000291452", gs1.FormNumber, "(01)00036000291452", nil},
		{"EAN-13", "4006381333931", gs1.FormNumber, "(01)04006381333931", nil},
		{"ITF-14", "09506000134352", gs1.FormNumber, "(01)09506000134352", nil},
		{"wrong EAN-13", "4006381333932", gs1.FormNumber, "(01)04006381333932", []string{"01"}},
		{"plain", "LOC-A-01", gs1.FormNone, "", nil},
		{"plain digits", "1002345", gs1.FormNone, "", nil},
		{"looks like a GTIN in front", "0112345678901234", gs1.FormNone, "", nil},
		{"looks like one with more", "0112345678901234567890", gs1.FormNone, "", nil},
		{"format 06", "[)>\x1e06\x1d1P123\x1e\x04", gs1.FormNone, "", nil},
		{"empty", "", gs1.FormNone, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := gs1.Parse(c.text, now)
			require.Equal(t, c.form, m.Form)
			require.Equal(t, c.want, elements(m))
			require.Equal(t, c.wrong, named(m), "%v", m.Problems)
		})
	}
}

func TestParse_Fields(t *testing.T) {
	t.Parallel()
	m := gs1.Parse("(01)09506000134352(10)L1(17)260200(15)260115(21)S1(30)0012(00)006141411234567890", now)
	require.True(t, m.OK(), "%v", m.Problems)
	require.Equal(t, "09506000134352", m.GTIN)
	require.Equal(t, "L1", m.Lot)
	require.Equal(t, "S1", m.Serial)
	require.Equal(t, "006141411234567890", m.SSCC)
	require.Equal(t, day(2026, 2, 28), m.Expiry, "day 00 is the month's end")
	require.Equal(t, day(2026, 1, 15), m.BestBefore)
	require.True(t, m.HasQuantity)
	require.EqualValues(t, 12, m.Quantity)
}

func TestParse_InvalidFieldsAreEmpty(t *testing.T) {
	t.Parallel()
	m := gs1.Parse("(01)09506000134353(02)09506000134352(10)A(10)B(17)260230(7003)2602281200(30)1X", now)
	require.Empty(t, m.GTIN, "a wrong GTIN is not replaced by the content's")
	require.Empty(t, m.Lot, "one of two")
	require.True(t, m.Expiry.IsZero(), "a wrong expiry is not replaced by another")
	require.False(t, m.HasQuantity)
	require.Equal(t, []string{"01", "10", "17", "30"}, named(m))
}

func TestParse_ExpiryWithTime(t *testing.T) {
	t.Parallel()
	require.Equal(t, day(2026, 2, 28), gs1.Parse("(7003)2602281200", now).Expiry)
}

func TestParse_Century(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		clock int
		value string
		want  time.Time
	}{
		{2026, "760101", day(2076, 1, 1)},
		{2026, "770101", day(1977, 1, 1)},
		{2026, "990101", day(1999, 1, 1)},
		{2026, "000229", day(2000, 2, 29)},
		{2051, "000101", day(2100, 1, 1)},
		{2051, "010101", day(2101, 1, 1)},
		{2051, "020101", day(2002, 1, 1)},
		{1999, "490101", day(2049, 1, 1)},
	} {
		m := gs1.Parse("(17)"+c.value, day(c.clock, 6, 1))
		require.Equal(t, c.want, m.Expiry, "%s in %d: %v", c.value, c.clock, m.Problems)
	}
	require.Len(t, gs1.Parse("(17)000229", day(2051, 1, 1)).Problems, 1, "2100 is no leap year")
}

func day(year int, month time.Month, d int) time.Time {
	return time.Date(year, month, d, 0, 0, 0, 0, time.UTC)
}

func TestLookup(t *testing.T) {
	t.Parallel()
	for ai, title := range map[string]string{
		"00": "SSCC", "01": "GTIN", "3103": "NET WEIGHT (kg)", "3105": "NET WEIGHT (kg)",
		"8200": "PRODUCT URL", "90": "INTERNAL", "95": "INTERNAL", "99": "INTERNAL", "717": "NHRN SRN",
	} {
		id, ok := gs1.Lookup(ai)
		require.True(t, ok, ai)
		require.Equal(t, title, id.Title)
	}
	for _, ai := range []string{"", "0", "05", "3106", "310", "31030", "100", "8201", "AB", "9"} {
		_, ok := gs1.Lookup(ai)
		require.False(t, ok, ai)
	}
	weight, _ := gs1.Lookup("3103")
	require.True(t, weight.Predefined)
	require.True(t, weight.Attribute)
	lot, _ := gs1.Lookup("10")
	require.False(t, lot.Predefined)
}
