package widget

import (
	"bincard/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// A Column is one kind of value in a list of T.
type Column[T any] struct {
	Title string
	Width int  // cells; 0 takes what is left
	Right bool // numbers stand right
	Rank  int  // what goes first where it is narrow: the highest; 0 always stays
	Cell  func(row T) string
	Style func(row T, t theme.Theme, text string) string // paints the cell; nil leaves it plain
}

// List shows rows and lets one be chosen. It paints and asks only for what is
// in view, so that 100,000 rows cost what 20 do.
type List[T any] struct {
	Columns   []Column[T]
	EmptyText string // what to do when there is nothing
	More      bool   // there are more rows to fetch: NearEnd tells when
	NoTitles  bool   // without the line of titles

	rows   []T
	key    func(T) string
	cursor int
	top    int
	height int
}

// NewList makes a list; key names a row, so that the chosen one stays chosen
// when rows are replaced (nil keeps the position).
func NewList[T any](key func(T) string, columns ...Column[T]) List[T] {
	return List[T]{Columns: columns, key: key}
}

// SetRows replaces the rows. The chosen row stays chosen, if it is still there.
func (l *List[T]) SetRows(rows []T) {
	chosen, had := l.Selected()
	l.rows = rows
	if had && l.key != nil {
		l.Select(l.key(chosen))
	}
	l.clampCursor()
}

// Append adds rows at the end, as paging does.
func (l *List[T]) Append(rows ...T) { l.rows = append(l.rows, rows...); l.clampCursor() }

// Rows are all rows.
func (l *List[T]) Rows() []T { return l.rows }

// Len is the number of rows.
func (l *List[T]) Len() int { return len(l.rows) }

// Cursor is the position of the chosen row.
func (l *List[T]) Cursor() int { return l.cursor }

// Selected is the chosen row, if there is any row.
func (l *List[T]) Selected() (row T, ok bool) {
	if l.cursor < 0 || l.cursor >= len(l.rows) {
		return row, false
	}
	return l.rows[l.cursor], true
}

// Select chooses the row with this key and reports whether there is one.
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

// Move moves the choice by n rows and reports whether it moved.
func (l *List[T]) Move(n int) bool {
	before := l.cursor
	l.cursor += n
	l.clampCursor()
	return l.cursor != before
}

// MoveTo chooses row i, the last one if there is none.
func (l *List[T]) MoveTo(i int) { l.cursor = i; l.clampCursor() }

// NearEnd reports whether the choice is close enough to the end that the next
// page should be asked for now.
func (l *List[T]) NearEnd() bool {
	return l.More && l.cursor >= len(l.rows)-max(20, 2*l.height)
}

// Key handles the keys that move the choice and reports whether it was one.
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

// Click chooses the row painted at line y of the last View and reports whether
// there is one.
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
