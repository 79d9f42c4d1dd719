package scan_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"

	"bincard/tui/scan"
	"bincard/tui/scan/report"
)

// FuzzCode checks that any text can be parsed and written as one line of JSON.
func FuzzCode(f *testing.F) {
	for _, text := range []string{"", gtin, "]C101" + gtin + "10A\x1d3012", "(01)" + gtin, "https://id.gs1.org/01/" + gtin, "[)>\x1e06\x1d1PX\x1e\x04", "\xff\x00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := scan.Parse(text, time.Date(2026, 3, 31, 14, 0, 0, 0, time.UTC))
		require.NotEmpty(t, s.Kind)
		var out bytes.Buffer
		require.NoError(t, report.JSON(&out, s))
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
