package widget

import (
	"strings"

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
	Columns []Column[T]
	Empty   string // what to do when there is nothing
	More    bool   // there are more rows to fetch: NearEnd tells when
	Bare    bool   // without the line of titles

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
	l.clip()
}

// Append adds rows at the end, as paging does.
func (l *List[T]) Append(rows ...T) { l.rows = append(l.rows, rows...); l.clip() }

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
	l.clip()
	return l.cursor != before
}

// Go chooses row i, the last one if there is none.
func (l *List[T]) Go(i int) { l.cursor = i; l.clip() }

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
		l.Go(0)
	case tea.KeyEnd:
		l.Go(len(l.rows) - 1)
	default:
		return false
	}
	return true
}

// Click chooses the row painted at line y of the last View and reports whether
// there is one.
func (l *List[T]) Click(y int) bool {
	if !l.Bare {
		y--
	}
	if y < 0 || y >= l.height || l.top+y >= len(l.rows) {
		return false
	}
	l.cursor = l.top + y
	return true
}

func (l *List[T]) clip() { l.cursor = max(0, min(l.cursor, len(l.rows)-1)) }

// View paints the titles and the rows in view: exactly height lines of width cells.
func (l *List[T]) View(t theme.Theme, width, height int) string {
	if height <= 0 || width <= 0 {
		return ""
	}
	cols := l.fit(width - 2)
	var lines []string
	if !l.Bare && height > 2 {
		lines = append(lines, t.Muted.Render(Clip("  "+l.titles(cols), width)))
	}
	l.height = height - len(lines)
	if len(l.rows) == 0 {
		for _, line := range Wrap(l.Empty, width-2) {
			lines = append(lines, Clip("  "+t.Muted.Render(line), width))
		}
		return strings.Join(pad(lines, height), "\n")
	}
	l.clip()
	l.top = max(0, min(l.top, l.cursor, len(l.rows)-l.height))
	l.top = max(l.top, l.cursor-l.height+1)
	for i := l.top; i < min(len(l.rows), l.top+l.height); i++ {
		lines = append(lines, Clip(l.line(t, cols, width-2, l.rows[i], i == l.cursor), width))
	}
	return strings.Join(pad(lines, height), "\n")
}

// fitted is a column with the width it gets.
type fitted[T any] struct {
	Column[T]
	width int
}

// fit drops the least wanted columns until the rest has room, and gives what is
// left to the columns without a width.
func (l *List[T]) fit(width int) []fitted[T] {
	cols := make([]fitted[T], len(l.Columns))
	for i, c := range l.Columns {
		cols[i] = fitted[T]{c, c.Width}
	}
	for {
		need, open := 2*(len(cols)-1), 0
		worst := -1
		for i, c := range cols {
			need += c.Width
			if c.Width == 0 {
				need += 8
				open++
			}
			if c.Rank > 0 && (worst < 0 || c.Rank >= cols[worst].Rank) {
				worst = i
			}
		}
		if need > width && worst >= 0 {
			cols = append(cols[:worst:worst], cols[worst+1:]...)
			continue
		}
		left := max(0, width-need+8*open)
		for i := range cols {
			if cols[i].Width == 0 {
				cols[i].width = left / open
				left -= cols[i].width
				open--
			}
		}
		return cols
	}
}

func (l *List[T]) titles(cols []fitted[T]) string {
	cells := make([]string, len(cols))
	for i, c := range cols {
		cells[i] = side(c.Title, c.width, c.Right)
	}
	return strings.Join(cells, "  ")
}

func (l *List[T]) line(t theme.Theme, cols []fitted[T], width int, row T, chosen bool) string {
	cells := make([]string, len(cols))
	for i, c := range cols {
		cells[i] = side(Clean(c.Cell(row)), c.width, c.Right)
		if c.Style != nil && !chosen {
			cells[i] = c.Style(row, t, cells[i])
		}
	}
	text := Clip(strings.Join(cells, "  "), width)
	if chosen {
		return t.Accent.Render(theme.GlyphAsk) + " " + t.Selected.Render(text)
	}
	return "  " + text
}

func side(text string, width int, right bool) string {
	if right {
		return Right(text, width)
	}
	return Left(text, width)
}

func pad(lines []string, height int) []string {
	for len(lines) < height {
		lines = append(lines, "")
	}
	return lines[:height]
}
