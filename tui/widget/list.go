package widget

import (
	"bincard/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// A Column is a column of a List.
type Column[T any] struct {
	Title string
	Width int  // cells; 0 takes the remaining width
	Right bool // right-align, as for numbers
	Rank  int  // the column with the highest rank is dropped first on narrow screens; 0 is never dropped
	Cell  func(row T) string
	Style func(row T, t theme.Theme, text string) string // paints the cell; may be nil
	Sort  string                                         // the order of the list that sorts by this column; may be empty
}

// List shows rows, one of which is selected. It renders only the visible rows, so that
// 100,000 rows cost no more than 20.
type List[T any] struct {
	Columns   []Column[T]
	EmptyText string // painted when there are no rows: what to do
	More      bool   // there are rows that are not loaded; see NearEnd
	NoTitles  bool   // omit the line of titles
	NoCursor  bool   // paint no row as selected

	rows   []T
	key    func(T) string
	cursor int
	top    int
	height int
}

// NewList returns a list. key identifies a row, so that it stays selected when rows are
// replaced; if it is nil, the position stays selected.
func NewList[T any](key func(T) string, columns ...Column[T]) List[T] {
	return List[T]{Columns: columns, key: key}
}

// SetRows replaces the rows. The selected row stays selected if it still exists.
func (l *List[T]) SetRows(rows []T) {
	selected, ok := l.Selected()
	l.rows = rows
	if ok && l.key != nil {
		l.Select(l.key(selected))
	}
	l.clampCursor()
}

// Append adds rows at the end.
func (l *List[T]) Append(rows ...T) { l.rows = append(l.rows, rows...); l.clampCursor() }

// Rows returns all rows.
func (l *List[T]) Rows() []T { return l.rows }

// Len returns the number of rows.
func (l *List[T]) Len() int { return len(l.rows) }

// Cursor returns the index of the selected row.
func (l *List[T]) Cursor() int { return l.cursor }

// Selected returns the selected row; ok is false if the list is empty.
func (l *List[T]) Selected() (row T, ok bool) {
	if l.cursor < 0 || l.cursor >= len(l.rows) {
		return row, false
	}
	return l.rows[l.cursor], true
}

// Select selects the row with this key and reports whether it exists.
func (l *List[T]) Select(key string) bool {
	if l.key == nil {
		return false
	}
	if l.cursor < len(l.rows) && l.cursor >= 0 && l.key(l.rows[l.cursor]) == key {
		return true
	}
	for i, r := range l.rows {
		if l.key(r) == key {
			l.cursor = i
			return true
		}
	}
	return false
}

// Move moves the cursor by n rows and reports whether it moved.
func (l *List[T]) Move(n int) bool {
	before := l.cursor
	l.cursor += n
	l.clampCursor()
	return l.cursor != before
}

// MoveTo selects row i, or the nearest row that exists.
func (l *List[T]) MoveTo(i int) { l.cursor = i; l.clampCursor() }

// NearEnd reports whether there are more rows and the cursor is so close to the end that
// the next page should be loaded.
func (l *List[T]) NearEnd() bool {
	return l.More && l.cursor >= len(l.rows)-max(20, 2*l.height)
}

// Key handles a key that moves the cursor and reports whether it is one.
func (l *List[T]) Key(k tea.KeyMsg) bool {
	page := max(1, l.height-1)
	switch k.Type {
	case tea.KeyUp:
		l.Move(-1)
	case tea.KeyDown:
		l.Move(1)
	case tea.KeyPgUp:
		l.Move(-page)
	case tea.KeyPgDown:
		l.Move(page)
	case tea.KeyHome:
		l.MoveTo(0)
	case tea.KeyEnd:
		l.MoveTo(len(l.rows) - 1)
	default:
		return false
	}
	return true
}

// Click selects the row at line y of the last View and reports whether it exists.
func (l *List[T]) Click(y int) bool {
	if !l.NoTitles {
		y--
	}
	if y < 0 || y >= l.height || l.top+y >= len(l.rows) {
		return false
	}
	l.cursor = l.top + y
	return true
}

func (l *List[T]) clampCursor() { l.cursor = max(0, min(l.cursor, len(l.rows)-1)) }
