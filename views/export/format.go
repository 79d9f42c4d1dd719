package export

import (
	"io"

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

// Text returns a column of texts, which are escaped.
func Text[T any](name string, value func(*T) string) Column[T] { return Column[T]{name, value, false} }

// Literal returns a column of times or IDs.
func Literal[T any](name string, value func(*T) string) Column[T] {
	return Column[T]{name, value, true}
}

// Number returns a column of numbers.
func Number[T any](name string, value func(*T) int64) Column[T] {
	return Literal(name, func(row *T) string { return formatInt(value(row)) })
}

// A Writer writes rows in one format.
type Writer[T any] struct {
	out           io.Writer
	format        Format
	columns       []Column[T]
	csv           *csvWriter
	cells         []string
	headerWritten bool
}

// NewWriter returns a writer to out. The columns apply to CSV; JSON lines contain
// the whole row. CSV has a header even if there are no rows.
func NewWriter[T any](out io.Writer, format Format, columns []Column[T]) *Writer[T] {
	return &Writer[T]{
		out:     out,
		format:  format,
		columns: columns,
		csv:     newCSVWriter(out, format == Excel),
		cells:   make([]string, len(columns)),
	}
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
	return w.csv.out.Flush()
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

	return w.csv.write(w.cells)
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

	return w.csv.write(w.cells)
}
