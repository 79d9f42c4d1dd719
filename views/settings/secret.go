package settings

import (
	"strings"

	"bincard/tui/theme"
	"bincard/tui/widget"
)

// veil paints a form with the line of one field replaced: what stands in it is
// shown as dots, so that nobody reads a key over a shoulder.
func veil(t theme.Theme, form *widget.Form, fields []widget.Field, name, kept string, width int) string {
	lines := strings.Split(form.View(t, width), "\n")
	label := 0
	for _, f := range fields {
		label = max(label, widget.Width(f.Label))
	}
	label = min(label, max(4, width/2-3))
	for i, f := range fields {
		if f.Name != name || i >= len(lines) {
			continue
		}
		room := max(1, width-label-4)
		typed := len([]rune(form.Value(name)))
		focused := form.Focused() == name
		value := strings.Repeat("•", min(typed, room-1))
		switch {
		case typed == 0 && focused:
			value = widget.Clip("█ "+t.Muted.Render(kept), room)
		case typed == 0:
			value = t.Muted.Render(widget.Clip(kept, room))
		case focused:
			value += "█"
		}
		title := widget.Left(f.Label, label)
		if focused {
			lines[i] = widget.Mark + t.Accent.Render(theme.GlyphAsk) + " " + t.Strong.Render(title) + "  " + value
		} else {
			lines[i] = "  " + t.Muted.Render(title) + "  " + value
		}
	}
	return strings.Join(lines, "\n")
}
