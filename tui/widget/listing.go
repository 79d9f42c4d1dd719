package widget

import "strings"

// Line is row i in a line of text: the titles of the columns stand before the
// cells that need one, cells that hold nothing are left out.
func (l *List[T]) Line(i int) string {
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
