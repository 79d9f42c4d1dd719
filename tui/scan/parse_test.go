package scan_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
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

// FuzzCode checks that any text can be parsed and written as one line of JSON.
func FuzzCode(f *testing.F) {
	for _, text := range []string{"", gtin, "]C101" + gtin + "10A\x1d3012", "(01)" + gtin, "https://id.gs1.org/01/" + gtin, "[)>\x1e06\x1d1PX\x1e\x04", "\xff\x00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := scan.Parse(text, time.Date(2026, 3, 31, 14, 0, 0, 0, time.UTC))
		require.NotEmpty(t, s.Kind)
		var out bytes.Buffer
		require.NoError(t, scan.WriteJSON(&out, s))
		require.True(t, json.Valid(out.Bytes()), "%s", out.String())
		require.Equal(t, 1, bytes.Count(out.Bytes(), []byte("\n")))
	})
}

// FuzzKeys checks that no sequence of keys at any pace breaks the collector or makes an empty scan.
func FuzzKeys(f *testing.F) {
	f.Add([]byte("\x00a\x00b\x00c\x00\r"))
	f.Add([]byte("\x02\x02\x02A\x02\x03\x02\r\x02\n"))
	f.Add([]byte("\x01\x1b\x01[\x01Z\x40\x1d"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var keys []press
		at := time.Duration(0)
		for i := 0; i+1 < len(data) && i < 400; i += 2 {
			at += time.Duration(data[i]) * ms
			k := tea.KeyMsg{Type: tea.KeyType(data[i+1])}
			switch {
			case data[i+1] >= 0xe0:
				k = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(string(data[i:min(i+8, len(data))])), Paste: data[i+1]&1 == 1}
			case data[i+1] > ' ' && data[i+1] != 0x7f:
				k = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{rune(data[i+1])}, Alt: data[i]&0x80 != 0}
			}
			keys = append(keys, press{at, k})
		}
		for _, e := range play(keys, 5*ms) {
			if e.Scan != nil {
				require.NotEmpty(t, e.Scan.Raw)
				require.NotEmpty(t, e.Scan.Kind)
			}
		}
	})
}
