// Package alert has what the shell shows unasked: errors, and messages that disappear.
package alert

import (
	"strings"

	"bincard/tui"
	"bincard/tui/theme"
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
func (t *Toast) Line(style theme.Theme, width int) string {
	if t.Text == "" {
		return ""
	}
	return t.paint(style, widget.Clip(t.Text, max(0, width-2)))
}

func (t *Toast) paint(style theme.Theme, text string) string {
	if t.warn {
		return style.Warn(text)
	}
	return style.OK(text)
}

// Over paints the toast over the last lines of a small terminal's body, below the
// question. If there is no such line, or the body is covered, it replaces the header,
// which Over returns.
func (t *Toast) Over(style theme.Theme, body []string, header string, width int, class tui.Class, covered bool) string {
	if t.Text == "" {
		return header
	}
	free := 0
	for i := len(body) - 1; i >= 0 && !strings.Contains(body[i], theme.GlyphAsk); i-- {
		free++
	}
	most := 1
	if class == tui.Narrow {
		most = 3
	}
	lines := widget.Wrap(t.Text, max(1, width-2))
	if covered || free == 0 {
		free, most = 0, 1
	}
	if n := min(max(free, 1), most); len(lines) > n {
		lines = append(lines[:n-1], widget.Clip(strings.Join(lines[n-1:], " "), max(0, width-2)))
	}
	for i, line := range lines {
		if i > 0 {
			lines[i] = "  " + line
		} else {
			lines[i] = t.paint(style, line)
		}
	}
	if free == 0 {
		return lines[0]
	}
	copy(body[len(body)-len(lines):], lines)
	return header
}
