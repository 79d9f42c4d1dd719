package widget

import tea "github.com/charmbracelet/bubbletea"

// A Table shows rows of any type, one of which is selected. It renders only the visible
// rows, so that 100,000 rows cost no more than 20.
type Table struct {
	// KeyOf identifies a row, so that it stays selected when rows are replaced. If it is nil,
	// the position stays selected.
	KeyOf     func(row any) string
	Columns   []Column[any]
	EmptyText string // painted when there are no rows: what to do
	More      bool   // there are rows that are not loaded; see NearEnd
	NoTitles  bool   // omit the line of titles
	NoCursor  bool   // paint no row as selected

	rows   []any
	cursor int
	top    int
	height int
}

// SetRows replaces the rows. The selected row stays selected if it still exists.
func (l *Table) SetRows(rows []any) {
	selected := l.Selected()
	l.rows = rows
	l.clampCursor()
	if selected != nil && l.KeyOf != nil {
		l.Select(l.KeyOf(selected))
	}
}

// Append adds rows at the end.
func (l *Table) Append(rows ...any) { l.rows = append(l.rows, rows...); l.clampCursor() }

// Rows returns all rows.
func (l *Table) Rows() []any { return l.rows }

// Len returns the number of rows.
func (l *Table) Len() int { return len(l.rows) }

// Cursor returns the index of the selected row.
func (l *Table) Cursor() int { return l.cursor }

// Selected returns the selected row, or nil if there are none.
func (l *Table) Selected() any {
	if len(l.rows) == 0 {
		return nil
	}
	return l.rows[l.cursor]
}

// Select selects the row with this key and reports whether it exists.
func (l *Table) Select(key string) bool {
	if l.KeyOf == nil {
		return false
	}
	if row := l.Selected(); row != nil && l.KeyOf(row) == key {
		return true
	}

	for i, r := range l.rows {
		if l.KeyOf(r) == key {
			l.cursor = i
			return true
		}
	}

	return false
}

// Move moves the cursor by n rows and reports whether it moved.
func (l *Table) Move(n int) bool {
	before := l.cursor
	l.cursor += n
	l.clampCursor()
	return l.cursor != before
}

// MoveTo selects row i, or the nearest row that exists.
func (l *Table) MoveTo(i int) { l.cursor = i; l.clampCursor() }

// NearEnd reports whether there are more rows and the cursor is so close to the end that
// the next page should be loaded.
func (l *Table) NearEnd() bool {
	return l.More && l.cursor >= len(l.rows)-max(20, 2*l.height)
}

// Key handles a key that moves the cursor and reports whether it is one.
func (l *Table) Key(k tea.KeyMsg) bool {
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
func (l *Table) Click(y int) bool {
	if !l.NoTitles {
		y--
	}
	if y < 0 || y >= l.height || l.top+y >= len(l.rows) {
		return false
	}
	l.cursor = l.top + y
	return true
}

func (l *Table) clampCursor() { l.cursor = max(0, min(l.cursor, len(l.rows)-1)) }
