package scan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/tui/scan"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, raw, symbology, text string
		kind                       scan.Kind
		ok                         bool
	}{
		{"GS1-128", "]C10109506000134352", "]C1", "0109506000134352", scan.KindGS1, true},
		{"GS1 DataMatrix", "]d210A\x1d21B", "]d2", "10A\x1d21B", scan.KindGS1, true},
		{"GS1 QR", "]Q310A", "]Q3", "10A", scan.KindGS1, true},
		{"GS1 DataBar", "]e00109506000134352", "]e0", "0109506000134352", scan.KindGS1, true},
		{"EAN-13", "]E04006381333931", "]E0", "4006381333931", scan.KindGTIN, true},
		{"EAN-13, wrong", "]E04006381333932", "]E0", "4006381333932", scan.KindGTIN, false},
		{"EAN-13 with an add-on", "]E3400638133393112345", "]E3", "400638133393112345", scan.KindGTIN, true},
		{"EAN-8", "]E496385074", "]E4", "96385074", scan.KindGTIN, true},
		{"ITF-14", "]I109506000134352", "]I1", "09506000134352", scan.KindGTIN, true},
		{"Code 128 is not GS1's", "]C010000001", "]C0", "10000001", scan.KindPlain, true},
		{"Code 128 with a GTIN", "]C009506000134352", "]C0", "09506000134352", scan.KindGTIN, true},
		{"Code 39", "]A0LOC-A-01", "]A0", "LOC-A-01", scan.KindPlain, true},
		{"QR with a link", "]Q1https://a.b/01/09506000134352", "]Q1", "https://a.b/01/09506000134352", scan.KindLink, true},
		{"QR with an address", "]Q1https://a.b/c", "]Q1", "https://a.b/c", scan.KindPlain, true},
		{"GS1 promised, not kept", "]C1HELLO", "]C1", "HELLO", scan.KindGS1, false},
		{"separator before the prefix", "\x1d]C10109521000000025", "]C1", "0109521000000025", scan.KindGS1, true},
		{"framing", "\x02LOC-A-01\x03\r\n", "", "LOC-A-01", scan.KindPlain, true},
		{"empty", "\r\n", "", "", scan.KindPlain, false},
		{"prefix alone", "]C0", "]C0", "", scan.KindPlain, false},
		{"bracketed", "(10)A", "", "(10)A", scan.KindGS1, true},
		{"not UTF-8", "A\xff\xfe", "", "A\xff\xfe", scan.KindPlain, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := scan.Parse(c.raw, start)
			require.Equal(t, c.symbology, s.Symbology)
			require.Equal(t, c.text, s.Text)
			require.Equal(t, c.kind, s.Kind)
			require.Equal(t, c.ok, s.OK(), "%v", s.Problems())
			require.Equal(t, start, s.At)
		})
	}
}

func TestCollector_Repeat(t *testing.T) {
	t.Parallel()
	events := play(typed(0, 2*ms, "AAAA1\r", 500*ms, "AAAA1\r", 1000*ms, "BBBB2\r", 1500*ms, "AAAA1\r"), 0)
	var again []bool
	for _, e := range events {
		again = append(again, e.Scan.Repeat)
	}
	require.Equal(t, []bool{false, true, false, false}, again)
}

func TestCollector_RefusesLongTextOnce(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string][]press{
		"page":       {{0, pasted(strings.Repeat("a line of a page\n", 500))}},
		"long line":  {{0, pasted(strings.Repeat("x", 5000))}},
		"long burst": {{0, runes(strings.Repeat("xy", 2500))}, {1 * ms, key(13)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			events := play(keys, 0)
			require.Len(t, events, 1)
			s := events[0].Scan
			require.Equal(t, scan.KindRefused, s.Kind)
			require.Len(t, s.Problems(), 1)
			require.Less(t, len(s.Raw), 100)
		})
	}
}

func TestCollector_Pasted(t *testing.T) {
	t.Parallel()
	require.True(t, play([]press{{0, pasted("ABCD")}}, 0)[0].Scan.Pasted)
	require.False(t, play([]press{{0, runes("ABCD")}}, 0)[0].Scan.Pasted)
}
