package export

import (
	"encoding/csv"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
)

// A Format is a file format.
type Format string

// The formats.
const (
	CSV       Format = "csv"
	Excel     Format = "excel" // CSV with a byte order mark and CR LF line ends
	JSONLines Format = "jsonl" // one JSON object per line
)

// Formats lists all formats in display order.
var Formats = []Format{CSV, Excel, JSONLines}

// Extension returns the file name extension of the format.
func (f Format) Extension() string {
	if f == JSONLines {
		return ".jsonl"
	}
	return ".csv"
}

// A Column is a name and a value. Values are escaped against formula injection in
// CSV unless Literal is set, for numbers, times and IDs.
type Column[T any] struct {
	Name    string
	Value   func(*T) string
	Literal bool
}

// A Writer writes rows in one format.
type Writer[T any] struct {
	out           io.Writer
	format        Format
	columns       []Column[T]
	csv           *csv.Writer
	cells         []string
	headerWritten bool
}

// NewWriter returns a writer to out. The columns apply to CSV; JSON lines contain
// the whole row. CSV has a header even if there are no rows.
func NewWriter[T any](out io.Writer, format Format, columns []Column[T]) *Writer[T] {
	w := &Writer[T]{out: out, format: format, columns: columns, csv: csv.NewWriter(out), cells: make([]string, len(columns))}
	w.csv.UseCRLF = format == Excel
	return w
}

// Write writes rows.
func (w *Writer[T]) Write(rows []T) error {
	if err := w.writeHeader(); err != nil {
		return err
	}
	for i := range rows {
		if err := w.writeRow(&rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// Flush writes buffered data and returns the first error of any write.
func (w *Writer[T]) Flush() error {
	if err := w.writeHeader(); err != nil {
		return err
	}
	w.csv.Flush()
	return w.csv.Error()
}

// writeHeader writes the byte order mark and the column names, once.
func (w *Writer[T]) writeHeader() error {
	if w.headerWritten || w.format == JSONLines {
		return nil
	}
	w.headerWritten = true
	if w.format == Excel {
		if _, err := io.WriteString(w.out, "\uFEFF"); err != nil {
			return err
		}
	}
	for i, c := range w.columns {
		w.cells[i] = c.Name
	}
	return w.csv.Write(w.cells)
}

func (w *Writer[T]) writeRow(row *T) error {
	if w.format == JSONLines {
		text, err := json.Marshal(row)
		if err != nil {
			return err
		}
		_, err = w.out.Write(append(text, '\n'))
		return err
	}
	for i, c := range w.columns {
		w.cells[i] = c.Value(row)
		if !c.Literal {
			w.cells[i] = EscapeFormula(w.cells[i])
		}
	}
	return w.csv.Write(w.cells)
}

// formulaPrefixes are the characters that start a formula in a spreadsheet.
const formulaPrefixes = "=+-@\t\r"

// EscapeFormula prefixes text that a spreadsheet would read as a formula with an
// apostrophe. Import removes it.
func EscapeFormula(text string) string {
	if text != "" && strings.ContainsRune(formulaPrefixes, rune(text[0])) {
		return "'" + text
	}
	return text
}
