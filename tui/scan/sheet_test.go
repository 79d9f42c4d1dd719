package scan_test

import (
	"strings"
	"testing"

	"bincard/tui/scan"

	"github.com/stretchr/testify/require"
)

func TestWrite_BothBarcodesPerCard(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	require.NoError(t, scan.WriteSheet(&out, "Commands", "Print me", []scan.Card{
		{Title: "confirm", Hint: "as enter", Code: "$BC.CONFIRM"}, {Title: "<b>", Code: "ADA"}}))
	require.Equal(t, 4, strings.Count(out.String(), "<svg"))
	require.Contains(t, out.String(), "<code>$BC.CONFIRM</code>")
	require.Contains(t, out.String(), "&lt;b&gt;")
	require.NotContains(t, out.String(), "ZgotmplZ")
	require.ErrorContains(t, scan.WriteSheet(&out, "", "", []scan.Card{{Code: "Grüße 日本"}}), "as Code 128")
}

// TestCode128 compares the bars of a code with the standard: start B, "A", check character, stop.
func TestCode128(t *testing.T) {
	t.Parallel()
	svg, err := scan.Code128("A")
	require.NoError(t, err)
	// 11010010000 10100011000 (check 34) 10001011000 1100011101011
	bits := "11010010000" + "10100011000" + "10001011000" + "1100011101011"
	want := ""
	for i := 0; i < len(bits); {
		j := i
		for j < len(bits) && bits[j] == bits[i] {
			j++
		}
		if bits[i] == '1' {
			want += "|" + strings.Repeat("x", j-i)
		}
		i = j
	}
	got := ""
	for _, part := range strings.Split(svg, `width="`)[1:] {
		n, _, _ := strings.Cut(part, `"`)
		got += "|" + strings.Repeat("x", int(n[0]-'0'))
	}
	require.Equal(t, want, got)
}
