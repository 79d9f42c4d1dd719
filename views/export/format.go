package export

import (
	"fmt"
	"io"
	"time"

	"github.com/go-json-experiment/json"

	"bincard/tui/i18n"
)

// A Format is a file format.
type Format string

// The formats.
const (
	CSV       Format = "csv"
	Excel     Format = "excel" // a workbook with one sheet
	JSONLines Format = "jsonl" // one JSON object per line
)

// Formats lists all formats in display order.
var Formats = []Format{Excel, CSV, JSONLines}

// Extension returns the file name extension of the format.
func (f Format) Extension() string {
	switch f {
	case Excel:
		return ".xlsx"
	case JSONLines:
		return ".jsonl"
	}
	return ".csv"
}

// A Column is a name and a value: a string, which CSV escapes against formula injection; a Code,
// which it does not; an int64; a time.Time, which may be zero; or a Day.
type Column[T any] struct {
	Name  string
	Value func(*T) any
	Total bool // a workbook has the sum of the column below the rows
}

// A Code is a text that is never a formula: an ID, or a word of the program.
type Code string

// A Day is a date in ISO form, or "".
type Day string

// Text returns a column of texts.
func Text[T any](name string, value func(*T) string) Column[T] {
	return Column[T]{Name: name, Value: func(row *T) any { return value(row) }}
}

// Literal returns a column of codes.
func Literal[T any](name string, value func(*T) string) Column[T] {
	return Column[T]{Name: name, Value: func(row *T) any { return Code(value(row)) }}
}

// Number returns a column of numbers.
func Number[T any](name string, value func(*T) int64) Column[T] {
	return Column[T]{Name: name, Value: func(row *T) any { return value(row) }}
}

// Quantity returns a column of numbers that have a total.
func Quantity[T any](name string, value func(*T) int64) Column[T] {
	c := Number(name, value)
	c.Total = true
	return c
}

// Time returns a column of times.
func Time[T any](name string, value func(*T) time.Time) Column[T] {
	return Column[T]{Name: name, Value: func(row *T) any { return value(row) }}
}

// Cell returns the value of a row as plain text. A time is ISO.
func (c Column[T]) Cell(row *T) string {
	switch v := c.Value(row).(type) {
	case time.Time:
		if v.IsZero() {
			return ""
		}
		return v.Format(time.RFC3339Nano)
	case nil:
		return ""
	default:
		return fmt.Sprint(v)
	}
}

// A Writer writes rows in one format.
type Writer[T any] struct {
	t             *i18n.Translator
	out           io.Writer
	format        Format
	columns       []Column[T]
	csv           *csvWriter
	book          *workbook
	cells         []string
	headerWritten bool
}

// NewWriter returns a writer to out. The columns apply to CSV, where they have their names, and to
// a workbook, where they have titles in the language of t; JSON lines contain the whole row. There
// is a header even if there are no rows.
func NewWriter[T any](t *i18n.Translator, out io.Writer, format Format, columns []Column[T]) *Writer[T] {
	return &Writer[T]{
		t:       t,
		out:     out,
		format:  format,
		columns: columns,
		csv:     newCSVWriter(out),
		cells:   make([]string, len(columns)),
	}
}

// Write writes rows.
func (w *Writer[T]) Write(rows []T) error {
	if err := w.writeHeader(rows); err != nil {
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
	if err := w.writeHeader(nil); err != nil {
		return err
	}
	if w.book != nil {
		return w.book.end(w.out)
	}
	return w.csv.out.Flush()
}

// Discard removes the temporary files of a workbook, which may be unfinished.
func (w *Writer[T]) Discard() {
	if w.book != nil {
		_ = w.book.book.Close()
	}
}

// writeHeader writes the names of the columns, once. The columns of a workbook are as wide as the
// first rows need.
func (w *Writer[T]) writeHeader(rows []T) (err error) {
	if w.headerWritten || w.format == JSONLines {
		return nil
	}

	w.headerWritten = true
	for i, c := range w.columns {
		w.cells[i] = c.Name
	}
	if w.format != Excel {
		return w.csv.write(w.cells)
	}

	heads := make([]head, len(w.columns))
	for i, c := range w.columns {
		heads[i] = head{title: title(w.t, c.Name), total: c.Total}
		for j := range min(len(rows), 100) {
			heads[i].width = max(heads[i].width, len([]rune(c.Cell(&rows[j]))))
		}
	}

	w.book, err = newWorkbook(w.t, heads)

	return err
}

func (w *Writer[T]) writeRow(row *T) error {
	switch w.format {
	case JSONLines:
		text, err := json.Marshal(row)
		if err != nil {
			return err
		}
		_, err = w.out.Write(append(text, '\n'))
		return err
	case Excel:
		values := make([]any, len(w.columns))
		for i, c := range w.columns {
			values[i] = c.Value(row)
		}
		return w.book.write(values)
	}

	for i, c := range w.columns {
		w.cells[i] = c.Cell(row)
		if _, isText := c.Value(row).(string); isText {
			w.cells[i] = EscapeFormula(w.cells[i])
		}
	}

	return w.csv.write(w.cells)
}
