package widget

import (
	"strings"
	"time"
)

// A Column is a column of a List.
type Column[T any] struct {
	Title string
	Width int  // cells; 0 takes the remaining width
	Right bool // right-align, as for numbers
	Rank  int  // the column with the highest rank is dropped first on narrow screens; 0 is never dropped
	Cell  func(row T) string
	Style func(row T, t Theme, text string) string // paints the cell; may be nil
	Warn  func(row T) bool                         // without Style: paint it as a warning; may be nil
	Muted func(row T) bool                         // without Style: paint it muted; may be nil

	// Sort is the name of the order of the list by this column. It is empty if the list is
	// not sorted by it.
	Sort string
	// Number, Time and By return what the list is sorted by, if that is not the cell. A
	// column without Cell shows its Number.
	Number func(row T) int64
	Time   func(row T) *time.Time
	By     func(row T) string
}

// A List is a Table whose rows have one type.
type List[T any] struct {
	Table
	Columns []Column[T]
}

// NewList returns a list. key identifies a row, so that it stays selected when rows are
// replaced; if it is nil, the position stays selected.
func NewList[T any](key func(T) string, columns ...Column[T]) List[T] {
	return List[T]{Table: Table{KeyOf: BoxedFunc(key)}, Columns: columns}
}

// SetRows replaces the rows. The selected row stays selected if it still exists.
func (l *List[T]) SetRows(rows []T) { l.Table.SetRows(Boxed(rows)) }

// Rows returns all rows.
func (l *List[T]) Rows() []T { return Unboxed[T](l.Table.Rows()) }

// Selected returns the selected row; ok is false if the list is empty.
func (l *List[T]) Selected() (row T, ok bool) {
	row, ok = l.Table.Selected().(T)
	return row, ok
}

// View paints the list; see Table.View.
func (l *List[T]) View(t Theme, width, height int) string {
	l.Table.Columns = BoxedColumns(l.Columns, nil)
	return l.Table.View(t, width, height)
}

// Pointers returns pointers to rows.
func Pointers[E any](rows []E) []*E {
	out := make([]*E, len(rows))
	for i := range rows {
		out[i] = &rows[i]
	}
	return out
}

// Boxed returns rows for a Table. Each is copied, unless it is a pointer.
func Boxed[T any](rows []T) []any {
	out := make([]any, len(rows))
	for i := range rows {
		out[i] = rows[i]
	}
	return out
}

// Unboxed returns rows of a Table.
func Unboxed[T any](rows []any) []T {
	out := make([]T, len(rows))
	for i := range rows {
		out[i] = rows[i].(T)
	}
	return out
}

// Values returns what rows of a Table point to.
func Values[E any](rows []any) []E {
	out := make([]E, len(rows))
	for i := range rows {
		out[i] = *rows[i].(*E)
	}
	return out
}

// BoxedFunc returns f for rows of a Table; nil if f is nil.
func BoxedFunc[T, V any](f func(T) V) func(any) V {
	if f == nil {
		return nil
	}
	return func(row any) V { return f(row.(T)) }
}

// BoxedColumns returns columns for a Table. count formats the numbers of those without Cell.
func BoxedColumns[T any](columns []Column[T], count func(n int64) string) []Column[any] {
	out := make([]Column[any], len(columns))
	for i, c := range columns {
		out[i] = Column[any]{
			Title:  c.Title,
			Width:  c.Width,
			Right:  c.Right,
			Rank:   c.Rank,
			Cell:   BoxedFunc(c.Cell),
			Warn:   BoxedFunc(c.Warn),
			Muted:  BoxedFunc(c.Muted),
			Sort:   c.Sort,
			Number: BoxedFunc(c.Number),
			Time:   BoxedFunc(c.Time),
			By:     BoxedFunc(c.By),
		}

		if c.Cell == nil {
			out[i].Right, out[i].Cell = true, func(row any) string { return count(c.Number(row.(T))) }
		}
		if c.Style != nil {
			out[i].Style = func(row any, t Theme, text string) string { return c.Style(row.(T), t, text) }
		}
	}

	return out
}

// Line returns row i as one line of text, without empty cells. Right-aligned cells follow
// the title of their column.
func (l *Table) Line(i int) string {
	if i < 0 || i >= len(l.rows) {
		return ""
	}

	var cells []string
	for _, c := range l.Columns {
		text := strings.TrimSpace(Clean(c.Cell(l.rows[i])))
		switch {
		case text == "":
		case c.Right && c.Title != "":
			cells = append(cells, c.Title+" "+text)
		default:
			cells = append(cells, text)
		}
	}

	return strings.Join(cells, "  ")
}
