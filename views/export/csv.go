package export

import (
	"bufio"
	"io"
	"strings"
	"unicode"
)

// A csvWriter writes rows as package csv does, but also quotes cells with a semicolon or a
// tab, which separate cells where the comma is the decimal point.
type csvWriter struct{ out *bufio.Writer }

func newCSVWriter(out io.Writer) *csvWriter { return &csvWriter{out: bufio.NewWriter(out)} }

// write writes a row. The writer keeps its first error.
func (w *csvWriter) write(cells []string) error {
	for i, cell := range cells {
		if i > 0 {
			_ = w.out.WriteByte(',')
		}

		if cell == `\.` || strings.ContainsAny(cell, ",;\t\"\r\n") || strings.HasPrefix(cell, " ") {
			cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
		}

		_, _ = w.out.WriteString(cell)
	}

	_, err := w.out.WriteString("\n")

	return err
}

// formulaPrefixes are the characters that start a formula in a spreadsheet, and their wide
// forms, which some turn into them.
const formulaPrefixes = "=+-@＝＋－＠"

// EscapeFormula puts an apostrophe before text that a spreadsheet would read as a formula,
// at the start or after a character that may separate cells or rows. Import removes it.
func EscapeFormula(text string) string {
	if !strings.ContainsAny(text, formulaPrefixes) {
		return text
	}

	var b strings.Builder
	start := true
	for i := range len(text) {
		if start && startsFormula(text[i:]) {
			b.WriteByte('\'')
		}
		b.WriteByte(text[i])
		start = strings.IndexByte(";\t\r\n", text[i]) >= 0
	}

	return b.String()
}

// startsFormula reports whether a spreadsheet may read text as a formula: after blanks and
// characters that it does not show. An apostrophe counts as one, so that an import can tell
// the one that was added.
func startsFormula(text string) bool {
	text = strings.TrimLeftFunc(text, func(r rune) bool {
		return r == '\'' || unicode.In(r, unicode.C, unicode.Z, unicode.Other_Default_Ignorable_Code_Point)
	})
	return text != "" && strings.IndexAny(text, formulaPrefixes) == 0
}
