package sheet

import (
	"encoding/csv"
	"io"
	"strings"
)

// A Writer writes a table as CSV.
type Writer struct {
	csv   *csv.Writer
	out   io.Writer
	excel bool
	begun bool
}

// NewWriter writes to out. For Excel the file begins with the mark by which it
// knows UTF-8, and its lines end as it ends them.
func NewWriter(out io.Writer, excel bool) *Writer {
	w := &Writer{csv: csv.NewWriter(out), out: out, excel: excel}
	w.csv.UseCRLF = excel
	return w
}

// Write writes a row. Texts are to be guarded (see Guard); numbers need not be.
func (w *Writer) Write(cells []string) error {
	if !w.begun && w.excel {
		if _, err := io.WriteString(w.out, "\uFEFF"); err != nil {
			return err
		}
	}
	w.begun = true
	return w.csv.Write(cells)
}

// Flush writes what is held back, and tells why something could not be written.
func (w *Writer) Flush() error {
	w.csv.Flush()
	return w.csv.Error()
}

// formula begins a cell that a spreadsheet would calculate.
const formula = "=+-@\t\r"

// Guard puts an apostrophe before a text that a spreadsheet would take for a
// formula. Read takes it off again.
func Guard(text string) string {
	if text != "" && strings.ContainsRune(formula, rune(text[0])) {
		return "'" + text
	}
	return text
}

// unguard takes the apostrophe off that Guard put on.
func unguard(text string) string {
	if len(text) > 1 && text[0] == '\'' && strings.ContainsRune(formula, rune(text[1])) {
		return text[1:]
	}
	return text
}
