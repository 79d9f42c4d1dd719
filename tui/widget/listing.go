package widget

import "strings"

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
