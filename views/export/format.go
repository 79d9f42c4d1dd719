package export

import (
	"encoding/csv"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
)

// A Format is how rows are written.
type Format string

// The formats.
const (
	CSV       Format = "csv"
	Excel     Format = "excel" // CSV with a mark at its beginning, lines ended by CR LF
	JSONLines Format = "jsonl" // JSON, one object a line
)

// Formats are all formats in the order they are offered.
var Formats = []Format{CSV, Excel, JSONLines}

// Extension is what file names of the format end in.
func (f Format) Extension() string {
	if f == JSONLines {
		return ".jsonl"
	}
	return ".csv"
}

// A Column is a name with what stands under it. Text is guarded for CSV; where
// Plain is set the value is a number, an instant or an id, which needs no guard.
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

// NewWriter writes to out. The columns are those of CSV; JSON lines have the
// whole row. They begin with the row of names, also where no rows follow.
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

// Flush writes what is held back, and tells why something could not be written.
func (w *Writer[T]) Flush() error {
	if err := w.writeHeader(); err != nil {
		return err
	}
	w.csv.Flush()
	return w.csv.Error()
}

// writeHeader writes the mark and the names of the columns, once.
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

// formulaPrefixes begins a cell that a spreadsheet would calculate.
const formulaPrefixes = "=+-@\t\r"

// EscapeFormula puts an apostrophe before a text that a spreadsheet would take for a
// formula; importing takes it off again.
func EscapeFormula(text string) string {
	if text != "" && strings.ContainsRune(formulaPrefixes, rune(text[0])) {
		return "'" + text
	}
	return text
}
