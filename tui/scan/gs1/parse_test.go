package gs1_test

import (
	"strings"
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

func TestParse_Links(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text, want string
		wrong            []string
	}{
		{"key", "https://id.gs1.org/01/09506000134352", "(01)09506000134352", nil},
		{"any domain, any stem", "http://shop.example:8080/a/b/01/09506000134352/10/A", "(01)09506000134352(10)A", nil},
		{"capitals", "HTTPS://EXAMPLE.COM/01/09506000134352", "(01)09506000134352", nil},
		{"attributes", "https://a.b/01/09506000134352?17=270131&3103=000195&linkType=all", "(01)09506000134352(17)270131(3103)000195", nil},
		{"semicolon parts nothing", "https://a.b/01/09506000134352?17=270131;15=270101", "(01)09506000134352(17)270131;15=270101", []string{"17"}},
		{"nothing after the name", "https://a.b/01/09506000134352?05&17=", "(01)09506000134352(17)", []string{"17"}},
		{"lot that belongs in the path", "https://a.b/01/09520123456788?10=ABC123", "(01)09520123456788(10)ABC123", []string{"10"}},
		{"lot beside the other sequence", "https://a.b/01/09520123456788/235/XYZ?10=ABC123", "(01)09520123456788(235)XYZ(10)ABC123", nil},
		{"lot of a pallet's content", "https://a.b/00/952012345678912345?02=09520123456788&37=25&10=ABC123", "(00)952012345678912345(02)09520123456788(37)25(10)ABC123", nil},
		{"GTIN beside an asset", "https://a.b/8004/9520614141234567?01=9520123456788", "(8004)9520614141234567(01)09520123456788", nil},
		{"key again", "https://a.b/01/09520123456788/10/A?99=X&01=09520123456788", "(01)09520123456788(10)A(99)X(01)09520123456788", []string{"01"}},
		{"attribute twice", "https://a.b/01/09520123456788/10/A?99=X&99=X", "(01)09520123456788(10)A(99)X(99)X", []string{"99"}},
		{"character of no address", "https://a.b/01/09506000134352/10/A\"", "(01)09506000134352(10)A\"", []string{""}},
		{"character of no domain", "https://a_b/01/09506000134352", "(01)09506000134352", []string{""}},
		{"fragment", "https://a.b/01/09506000134352?17=270131#top", "(01)09506000134352(17)270131", nil},
		{"percent", "https://a.b/01/09506000134352/10/A%2FB%26", "(01)09506000134352(10)A/B&", nil},
		{"slash at the end", "https://a.b/01/09506000134352/", "(01)09506000134352", []string{""}},
		{"all qualifiers", "https://a.b/01/09506000134352/22/V/10/L/21/S", "(01)09506000134352(22)V(10)L(21)S", nil},
		{"other sequence", "https://a.b/01/09506000134352/235/T", "(01)09506000134352(235)T", nil},
		{"no value", "https://example.com/01/", "(01)", []string{"01"}},
		{"GTIN of 8", "https://a.b/01/96385074", "(01)00000096385074", nil},
		{"GTIN of 12", "https://a.b/01/036000291452", "(01)00036000291452", nil},
		{"GTIN of 13", "https://a.b/01/9506000134352", "(01)09506000134352", nil},
		{"SSCC", "https://a.b/00/006141411234567890", "(00)006141411234567890", nil},
		{"wrong check digit", "https://a.b/01/09506000134353/10/L", "(01)09506000134353(10)L", []string{"01"}},
		{"wrong order", "https://a.b/01/09506000134352/10/L/22/V", "(01)09506000134352(10)L(22)V", []string{"22"}},
		{"mixed sequences", "https://a.b/01/09506000134352/22/V/235/T", "(01)09506000134352(22)V(235)T", []string{"235"}},
		{"qualifier of another key", "https://a.b/00/006141411234567890/10/L", "(00)006141411234567890(10)L", []string{"10"}},
		{"serial in the query", "https://a.b/01/09506000134352?21=S", "(01)09506000134352(21)S", []string{"21"}},
		{"unknown in the query", "https://a.b/01/09506000134352?05=S", "(01)09506000134352", []string{"05"}},
		{"space in the query", "https://a.b/01/09506000134352?99=A+B", "(01)09506000134352(99)A B", []string{"99"}},
		{"unknown in the path", "https://a.b/01/09506000134352/05/L", "(01)09506000134352", []string{"05"}},
		{"path breaks off", "https://a.b/01/09506000134352/10", "(01)09506000134352", []string{""}},
		{"two lots", "https://a.b/01/09506000134352/10/A?10=B", "(01)09506000134352(10)A(10)B", []string{"10"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := gs1.Parse(c.text, now)
			require.Equal(t, gs1.FormLink, m.Form)
			require.Equal(t, c.want, elements(m))
			require.Equal(t, c.wrong, named(m), "%v", m.Problems)
		})
	}
}

func TestParse_OtherAddresses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"https://example.com", "https://example.com/", "https://example.com/about/us",
		"https:///01/09506000134352", "ftp://example.com/01/09506000134352", "Https://example.com/01/09506000134352",
		"https://example.com/10/ABC", "https://example.com?01=09506000134352",
	} {
		require.Equal(t, gs1.Message{}, gs1.Parse(text, now), text)
	}
}

var now = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// verdicts has valid and invalid values for each rule of the dictionary.
var verdicts = []struct {
	rule, ai  string
	good, bad []string
}{
	{"digits", "242", []string{"0", "123456"}, []string{"", "1234567", "1A", "１２", "-1"}},
	{"set 82", "10", []string{"A", "abc-/.,:;<=>?_", "!\"%&')*+(", "12345678901234567890"},
		[]string{"", "123456789012345678901", "A B", "A#B", "A@B", "A^B", "a\x01", "é", "~", "`", "[", "{", "$"}},
	{"set 39", "8010", []string{"1234", "1234A-#/Z"}, []string{"1234a", "1234_", "1234%"}},
	{"set 64", "8030", []string{"abcXYZ019-_", "ab=", "a==", "abcde="}, []string{"abc=", "ab==", "a=b", "a===bc", "a/b", "a+b"}},
	{"csum", "00", []string{"006141411234567890"}, []string{"006141411234567891", "06141411234567890"}},
	{"csum of 14", "01", []string{"09506000134352"}, []string{"09506000134353", "9506000134352", "0950600013435A"}},
	{"csum of 13", "410", []string{"9506000134352"}, []string{"9506000134351"}},
	{"csum with more", "253", []string{"9506000134352", "9506000134352A-1"}, []string{"9506000134351A", "950600013435", "9506000134352123456789012345678"}},
	{"csumalpha", "8013", []string{"1987654Ad4X4bL5ttr2310c2K", "1234560683"},
		[]string{"1987654Ad4X4bL5ttr2310c2L", "1987654Ad4X4bL5ttr2310cK2", "1"}},
	{"gcppos1", "8004", []string{"1234", "9506000ABC"}, []string{"123", "12A4", "A2345"}},
	{"yymmdd", "7006", []string{"260228", "240229", "000229"}, []string{"260229", "260200", "261301", "260001", "260431", "26043"}},
	{"yymmd0", "17", []string{"260200", "260228", "241231"}, []string{"260229", "260230", "261300", "260000", "260132"}},
	{"yyyymmdd", "7250", []string{"20000229", "20240229"}, []string{"19000229", "20230229", "20240200", "20241301"}},
	{"hhmi", "7003", []string{"2602282359", "2602280000"}, []string{"2602282400", "2602282360", "260228235"}},
	{"hh mi ss", "8008", []string{"26022823", "2602282359", "260228235959"}, []string{"26022824", "2602282360", "260228235960", "2602282", "260228235", "2602282359590"}},
	{"hhmi left out", "7011", []string{"260228", "2602282359"}, []string{"2602282459", "26022823"}},
	{"iso3166", "422", []string{"004", "894", "756"}, []string{"000", "999", "003", "57"}},
	{"iso3166 often", "423", []string{"756", "756276", "756276040250528"}, []string{"7562", "756999", "756276040250528528"}},
	{"iso3166999", "7030", []string{"999A", "756X1"}, []string{"998A", "999", "000A"}},
	{"iso3166alpha2", "4307", []string{"CH", "ZW"}, []string{"ch", "XX", "C", "CHE"}},
	{"iso4217", "3910", []string{"978123", "756000000000000000"}, []string{"000123", "978", "9781234567890123456"}},
	{"iso5218", "7252", []string{"0", "1", "2", "9"}, []string{"3", "8"}},
	{"iban", "8007", []string{"GB82WEST12345698765432", "DE89370400440532013000", "CH9300762011623852957"},
		[]string{"GB82WEST12345698765433", "XX82WEST12345698765432", "GB8", "GB82", "GBA2WEST12345698765432", "gb82WEST12345698765432", "GB82west12345698765432"}},
	{"pcenc", "4300", []string{"ABC", "A%20B", "%c3%A9"}, []string{"A%", "A%2", "%GG", "A%2G", "%%20"}},
	{"yesno", "4321", []string{"0", "1"}, []string{"2", "9"}},
	{"dimensions", "8001", []string{"00010000100100", "00010000100119"}, []string{"00000000100110", "00010000000110", "00010000100010", "00010000100120"}},
	{"zero", "8003", []string{"09506000134352", "09506000134352A1"}, []string{"19506000134352", "09506000134353"}},
	{"hyphen", "4330", []string{"001234", "001234-"}, []string{"001234+", "001234--", "00123-"}},
	{"hasnondigit", "8014", []string{"1987654Ad4X4bL5ttr2310c2K"}, []string{"1234560683"}},
	{"nozeroprefix", "8011", []string{"0", "1", "123456789012"}, []string{"01", "00", "1234567890123"}},
	{"importeridx", "7040", []string{"1ABC", "1AB-", "1AB_", "1ABz"}, []string{"1AB.", "1AB", "AABC", "1AB="}},
	{"packagetype", "7041", []string{"8", "9", "1A", "PX", "ZZ", "200", "X20"}, []string{"7", "1a", "XX", "203A", "999"}},
	{"mediatype", "7241", []string{"01", "10", "80", "99"}, []string{"00", "11", "79", "1"}},
	{"posinseqslash", "7258", []string{"1/1", "2/3"}, []string{"0/1", "1/0", "3/2", "123", "/12", "12/", "1//", "A/1"}},
	{"latitude and longitude", "4309", []string{"00000000000000000000", "18000000003600000000"},
		[]string{"18000000010000000000", "00000000003600000001", "1800000000"}},
	{"pieceoftotal", "8006", []string{"095060001343520101", "095060001343520102", "095060001343529999"},
		[]string{"095060001343520001", "095060001343520100", "095060001343520201", "09506000134352010"}},
	{"optional part", "8043", []string{"123456789012345678", "1234567890123456781", "12345678901234567812"}, []string{"12345678901234567", "123456789012345678123"}},
}

func TestParse_Rules(t *testing.T) {
	t.Parallel()
	for _, v := range verdicts {
		t.Run(v.rule, func(t *testing.T) {
			t.Parallel()
			for _, value := range v.good {
				require.Empty(t, parseElement(v.ai, value), "(%s)%s", v.ai, value)
			}
			for _, value := range v.bad {
				problems := parseElement(v.ai, value)
				require.Len(t, problems, 1, "(%s)%s", v.ai, value)
				require.Equal(t, v.ai, problems[0].AI)
				require.NotEmpty(t, problems[0].Message)
			}
		})
	}
}

// parseElement parses one element in the form that a scanner sends.
func parseElement(ai, value string) []gs1.Problem {
	return gs1.ParseElements(gs1.GS+ai+value, now).Problems
}

func TestParse_Coupons(t *testing.T) {
	t.Parallel()
	const least = "012345612345611110123"
	good := []string{
		least, least + "101100009", least + "1011" + "0000" + "6123456789012", least + "1011" + "0000" + "0123456",
		least + "2110123" + "9", least + "3500607" + "4500606", least + "50123456",
		least + "611234567", least + "90000", least + "3500607" + "90001",
	}
	for _, value := range good {
		require.Empty(t, parseElement("8110", value), value)
	}
	bad := []string{
		least[:20], "7" + least[1:], least + "X", least + "3500600", least + "3500606" + "4500607",
		least + "4500606" + "3500607", least + "60123456", least + "93", least + "90300",
		least + "90002", least + "900000", least + "8", least + "5012345", least + "210511239",
		"01234561234560110123", "012345612345611116123",
	}
	for _, value := range bad {
		require.Len(t, parseElement("8110", value), 1, value)
	}
}

func TestParse_PositiveOffers(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"001234561234560123456", "101234561234560123456", "061234567890121234569123456789012345"} {
		require.Empty(t, parseElement("8112", value), value)
	}
	for _, value := range []string{"201234561234560123456", "0", "00", "07", "00123456", "00123456123456", "001234561234560", "0012345612345601234567", "a01234561234560123456"} {
		require.Len(t, parseElement("8112", value), 1, value)
	}
}

// FuzzParse checks that any text can be parsed, that values come from the text, and that a message
// without problems parses to the same from its bracketed form.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"\x1d010950600013435210ABC\x1d17270131", "(01)09506000134352(10)A\\(C(17)260200",
		"https://id.gs1.org/01/9506000134352/10/A%2FB?17=260131", "4006381333931", "LOC-A-01",
		"01095060001343521727013110ABC", "\x1d8110012345612345611110123", "(8013)1987654Ad4X4bL5ttr2310c2K",
		"00006141411234567890", "(10)\\", "(", "https://a.b/01/96385074/235/%", "\x1d\x1d", "(8007)GB82",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, m := range []gs1.Message{
			gs1.Parse(text, now), gs1.ParseElements(text, now), gs1.ParseBracketed(text, now), gs1.ParseNumber(text, now),
		} {
			requireTaken(t, text, m)
			if m.OK() && len(m.Elements) > 0 {
				again := gs1.Parse(bracketed(m), now)
				require.Equal(t, m.Elements, again.Elements)
				require.Empty(t, again.Problems)
			}
		}
	})
}

// requireTaken checks that every value is in the text.
func requireTaken(t *testing.T, text string, m gs1.Message) {
	t.Helper()
	for _, e := range m.Elements {
		_, known := gs1.Lookup(e.AI)
		require.True(t, known)
		value := e.Value
		switch m.Form {
		case gs1.FormNumber:
			value = strings.TrimLeft(value, "0")
		case gs1.FormBracketed:
			value = strings.ReplaceAll(value, "(", `\(`)
		case gs1.FormLink:
			continue // decoded
		}
		require.Contains(t, text, value)
	}
	if m.GTIN != "" {
		require.Len(t, m.GTIN, 14)
	}
	for _, p := range m.Problems {
		require.NotEmpty(t, p.Message)
	}
}

// bracketed returns the elements in bracketed form: (01)…(10)…, with \( for a bracket
// inside a value.
func bracketed(m gs1.Message) string {
	var b strings.Builder
	for _, e := range m.Elements {
		b.WriteString("(" + e.AI + ")")
		b.WriteString(strings.ReplaceAll(e.Value, "(", `\(`))
	}
	return b.String()
}

func TestParseNumber_QuotesTheDigitsAsScanned(t *testing.T) {
	t.Parallel()
	m := gs1.ParseNumber("999888777666", now)
	require.Len(t, m.Problems, 1)
	require.Contains(t, m.Problems[0].Message, `"999888777666"`)
}
