package gs1_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/tui/scan/gs1"
)

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
