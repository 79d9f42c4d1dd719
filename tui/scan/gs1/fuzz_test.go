package gs1_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/tui/scan/gs1"
)

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
