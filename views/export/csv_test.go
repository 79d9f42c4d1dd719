package export_test

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/views/export"
)

// Text that a spreadsheet may read as a formula has an apostrophe before it, also where the
// spreadsheet separates cells at semicolons or tabs.
func TestEscapeFormula(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "plain": "plain", "a=b": "a=b", "a - b": "a - b", "a;b": "a;b",
		"=1": "'=1", " =1": "' =1", "\n=1": "'\n'=1", "\t@a": "'\t'@a", "\x00=1": "'\x00=1", "\u200b=1": "'\u200b=1", "\u00a0+1": "'\u00a0+1",
		"＝1": "'＝1", "＋1": "'＋1", "－1": "'－1", "＠a": "'＠a", "x;=1+1;": "x;'=1+1;", "x; -1": "x;' -1", "'=1": "''=1", "\xff=1": "\xff=1", "=\xff": "'=\xff",
	} {
		require.Equal(t, want, export.EscapeFormula(text), "%q", text)
	}
}

// A cell with a semicolon is quoted, and all rows read back as written.
func TestWrite_QuotesCells(t *testing.T) {
	t.Parallel()
	names := []string{"x;y", "a,b", `say "hi"`, "a\tb", "line\nline", " x", "", "plain"}
	for _, format := range []export.Format{export.CSV, export.Excel} {
		var out bytes.Buffer
		w := export.NewWriter(&out, format, columns)
		for _, n := range names {
			require.NoError(t, w.Write([]line{{n, 1}}))
		}
		require.NoError(t, w.Flush())
		require.Contains(t, out.String(), `"x;y",1`)
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(out.String(), "\uFEFF"))).ReadAll()
		require.NoError(t, err)
		for i, n := range names {
			require.Equal(t, n, rows[i+1][0])
		}
	}
}
