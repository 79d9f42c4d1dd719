package dialog

import (
	"strings"

	"bincard/tui"
	"bincard/tui/widget"
)

// A Toast is a message that disappears.
type Toast struct {
	Text string
	warn bool
	id   int
}

// Set shows a text and returns the ID that ends it.
func (t *Toast) Set(text string, warn bool) (id int) {
	t.id++
	t.Text, t.warn = widget.Clean(text), warn
	return t.id
}

// End removes the text with an ID, if it is still shown.
func (t *Toast) End(id int) {
	if id == t.id {
		t.Text = ""
	}
}

// Line paints the toast on one line, or returns "".
func (t *Toast) Line(style widget.Theme, width int) string {
	if t.Text == "" {
		return ""
	}
	return t.paint(style, widget.Clip(t.Text, max(0, width-2)))
}

func (t *Toast) paint(style widget.Theme, text string) string {
	if t.warn {
		return style.Warn(text)
	}
	return style.OK(text)
}

// Clear removes the text.
func (t *Toast) Clear() { t.Text = "" }

// emptyLines counts the empty lines at the end.
func emptyLines(lines []string) (n int) {
	for n < len(lines) && strings.TrimSpace(lines[len(lines)-1-n]) == "" {
		n++
	}
	return n
}

// Over paints the toast over lines of a small terminal's body. It takes the last lines below
// the question, or the lines above it if there is more room, and no line from the question at from up to to.
// If there is no such line, nothing is painted.
func (t *Toast) Over(style widget.Theme, body []string, width int, class tui.Class, from, to int) {
	if t.Text == "" {
		return
	}

	most, at := 2, len(body)
	if class == tui.Narrow {
		most = 3
	}

	most = max(most, emptyLines(body[to:])) // these hide nothing
	lines := widget.Wrap(t.Text, max(1, width-2))
	if strings.Contains(t.Text, ". ") { // its end says what to do
		most = len(lines)
	}

	room := len(body) - to
	if above := from - 1; room <= 0 ||
		room < min(most, len(lines)) && above > room { // the first line names what the screen shows
		room, at = above, from
	}
	if room < 1 {
		return
	}
	n := min(room, most)
	for _, rest, more := strings.Cut(t.Text, ". "); more && len(lines) > n; _, rest, more = strings.Cut(rest, ". ") {
		lines = widget.Wrap(rest, max(1, width-2))
	}
	if len(lines) > n {
		rest := strings.Join(lines[n-1:], " ")
		lines = append(lines[:n-1], widget.Clip(rest, max(0, width-2)))
	}

	for i, line := range lines {
		if i > 0 {
			lines[i] = "  " + line
		} else {
			lines[i] = t.paint(style, line)
		}
	}

	copy(body[at-len(lines):], lines)
}
