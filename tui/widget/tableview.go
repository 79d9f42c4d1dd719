package widget

import (
	"strings"
)

// View paints the titles and the visible rows: exactly height lines of at most width cells.
// Arrows in the left margin mark that rows precede the first visible one or follow the last.
func (l *Table) View(t Theme, width, height int) string {
	if height <= 0 || width <= 0 {
		return ""
	}

	cols := l.fit(width - 2)
	var lines []string
	if !l.NoTitles && height > 2 {
		lines = append(lines, t.Muted.Render(Clip("  "+l.titles(cols), width)))
	}

	l.height = height - len(lines)
	if len(l.rows) == 0 {
		for _, line := range Wrap(l.EmptyText, width-2) {
			lines = append(lines, Clip("  "+t.Muted.Render(line), width))
		}
		return strings.Join(pad(lines, height), "\n")
	}

	l.scroll()
	for i := l.top; i < min(len(l.rows), l.top+l.height); i++ {
		lines = append(lines, Clip(l.line(t, cols, width-2, i), width))
	}

	return strings.Join(pad(lines, height), "\n")
}

// scroll moves the visible rows to the cursor. If three or more are visible, the rows beside
// the cursor are too, so that the arrows of the margin have a row of their own.
func (l *Table) scroll() {
	l.clampCursor()
	beside := 0
	if l.height > 2 {
		beside = 1
	}
	l.top = min(l.top, l.cursor-beside)
	l.top = max(l.top, l.cursor+beside-l.height+1)
	l.top = max(0, min(l.top, len(l.rows)-l.height))
}

// arrow returns the mark of row i for rows that are not visible, or a space.
func (l *Table) arrow(i int) string {
	above := i == l.top && l.top > 0
	below := i == min(len(l.rows), l.top+l.height)-1 && (i < len(l.rows)-1 || l.More)
	switch {
	case above && below:
		return "↕"
	case above:
		return "↑"
	case below:
		return "↓"
	}

	return " "
}

// fitted is a column with its painted width.
type fitted struct {
	Column[any]
	width int
}

// fit drops columns by rank until the rest fits, and divides the remaining width among the
// columns without a width.
func (l *Table) fit(width int) []fitted {
	cols := make([]fitted, len(l.Columns))
	for i, c := range l.Columns {
		cols[i] = fitted{c, c.Width}
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

// titles paints the titles. A right-aligned one that is longer than its column starts in the
// room that the title before it leaves.
func (l *Table) titles(cols []fitted) string {
	text, end := "", 0
	for i, c := range cols {
		if i > 0 {
			end += 2
		}

		end += c.width
		switch {
		case c.Right && i > 0:
			text += " " + Right(c.Title, end-Width(text)-1)
		case c.Right:
			text = Right(c.Title, c.width)
		default:
			text = Left(text, end-c.width) + Clip(c.Title, c.width)
		}
	}

	return text
}

func (l *Table) line(t Theme, cols []fitted, width, i int) string {
	row, selected := l.rows[i], i == l.cursor && !l.NoCursor
	arrow := l.arrow(i)
	if arrow != " " {
		arrow = t.Muted.Render(arrow)
	}

	cells := make([]string, len(cols))
	for i, c := range cols {
		cells[i] = align(Clean(c.Cell(row)), c.width, c.Right)
		switch {
		case selected:
		case c.Style != nil:
			cells[i] = c.Style(row, t, cells[i])
		case c.Warn != nil && c.Warn(row):
			cells[i] = t.Warning.Render(cells[i])
		case c.Muted != nil && c.Muted(row):
			cells[i] = t.Muted.Render(cells[i])
		}
	}

	text := Clip(strings.Join(cells, "  "), width)
	if selected {
		return t.Accent.Render(GlyphAsk) + arrow + t.Selected.Render(text)
	}

	return arrow + " " + text
}

func align(text string, width int, right bool) string {
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
