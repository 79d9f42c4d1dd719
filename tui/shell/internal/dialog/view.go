package dialog

import (
	"strings"

	"bincard/tui"
	"bincard/tui/widget"
)

// View paints the dialog on top.
func (s *Stack) View(t widget.Theme, size tui.Size) []string {
	d := s.top
	margin := " "
	if size.Small() {
		margin = ""
	}

	inner := size.Width - len(margin)
	var lines []string
	for i, line := range widget.Wrap(d.title, inner-2) {
		if i == 0 {
			line = t.Ask(t.Strong.Render(line))
		} else {
			line = "  " + t.Strong.Render(line)
		}

		lines = append(lines, margin+line)
	}

	switch d.kind {
	case helpKind:
		return append(lines, d.pageView(t, inner, size.Height-len(lines), margin)...)
	case promptKind, findKind, choiceKind:
		lines = append(lines, margin+"  "+d.input.View(inner-2))
	case questionKind:
		if !size.Small() { // the footer says it
			lines = append(lines, margin+"  "+t.Muted.Render(s.questionHint(d)))
		}
	}

	if d.problem != "" {
		for i, line := range widget.Wrap(d.problem, inner-4) {
			if i > 0 {
				line = "  " + t.Error.Render(line)
			} else {
				line = t.Refused(line)
			}

			lines = append(lines, margin+"  "+line)
		}
	}

	if d.kind == findKind && d.searched && len(d.matches) == 0 && d.problem == "" && d.input.Value() != "" {
		for _, line := range widget.Wrap(s.t.Get("No match. Press enter to use it as a code."), max(8, inner-3)) {
			lines = append(lines, margin+"  "+t.Muted.Render(line))
		}
	}

	if d.kind == choiceKind || d.kind == findKind && len(d.matches) > 0 {
		lines = append(lines, s.choiceView(t, d, size.Height-len(lines), inner, margin)...)
	}

	return lines
}

func (s *Stack) questionHint(d *dialog) string {
	yes, no := s.answers(d)
	return "enter " + widget.Clean(yes) + "   esc " + widget.Clean(no)
}

// pageView paints the visible part of the help.
func (d *dialog) pageView(t widget.Theme, width, height int, margin string) []string {
	if d.page.Width != max(0, width) || d.page.TotalLineCount() == 0 {
		d.page.SetContent(helpText(t, d.help, width))
	}

	d.page.Width, d.page.Height = max(0, width), max(0, height)
	d.page.SetYOffset(d.page.YOffset) // the page may be taller than before
	lines := strings.Split(d.page.View(), "\n")
	for i, line := range lines {
		lines[i] = margin + strings.TrimRight(line, " ")
	}

	return lines
}

// choiceView paints the visible part of the list and marks the chosen line.
func (s *Stack) choiceView(t widget.Theme, d *dialog, height, width int, margin string) []string {
	if len(d.matches) == 0 {
		var lines []string
		text := s.noMatch()
		switch {
		case d.problem != "":
			return nil
		case d.takesText():
			text = s.t.Get("Press enter to use this text")
		}

		for _, line := range widget.Wrap(text, max(8, width-3)) {
			lines = append(lines, margin+"  "+t.Muted.Render(line))
		}

		return lines
	}

	if height <= 0 {
		return nil
	}

	rows := make([][]string, len(d.matches))
	for i, match := range d.matches {
		rows[i] = d.itemLines(t, d.items[match], width, i == d.cursor)
	}

	total := lineCount(rows)
	more := total > height && height > 2
	if more {
		height--
	}

	d.scroll = min(d.scroll, d.cursor)
	for d.scroll < d.cursor && lineCount(rows[d.scroll:d.cursor+1]) > height {
		d.scroll++
	}

	var lines []string
	next := d.scroll
	for ; next < len(rows) && len(lines) < height && (next == d.scroll || len(lines)+len(rows[next]) <= height); next++ {
		for _, line := range rows[next] {
			lines = append(lines, margin+line)
		}
	}

	lines = lines[:min(len(lines), height)]
	if below := len(rows) - next; more && below > 0 {
		lines = append(lines, margin+"  "+t.Muted.Render(s.t.Get("↓ %d more", below)))
	} else if more {
		lines = append(lines, margin+"  "+t.Muted.Render(s.t.Get("↑ %d more", d.scroll)))
	}

	return lines
}

func lineCount(rows [][]string) (n int) {
	for _, row := range rows {
		n += len(row)
	}
	return n
}

// itemLines paints an item. A label that is too wide continues on the next line.
func (d *dialog) itemLines(t widget.Theme, it Item, width int, selected bool) []string {
	right := it.Keys
	if it.Disabled != "" {
		right = widget.Clip(widget.Clean(it.Disabled), max(width/2, width-5-widget.Width(it.Label)))
	}
	if room := width - 3 - widget.Width(it.Label); (width < 40 || d.kind == findKind) && widget.Width(right) > room {
		right = "" // the label says more
	}

	texts := []string{widget.Between(it.Label, right, width-2)}
	if right == "" && d.kind == choiceKind && widget.Width(it.Label) > width-2 {
		texts = widget.Wrap(strings.Join(strings.Fields(it.Label), " "), max(1, width-2)) // without its columns
	}

	for i, text := range texts {
		text = widget.Left(text, width-2)
		switch {
		case selected && i == 0:
			text = t.Accent.Render("▸") + " " + t.Selected.Render(text)
		case selected:
			text = "  " + t.Selected.Render(text)
		case it.Disabled != "":
			text = "  " + t.Muted.Render(text)
		default:
			text = "  " + text
		}

		texts[i] = text
	}

	return texts
}

// helpText wraps the help to a width. The reason of a disabled action is below its text.
func helpText(t widget.Theme, help []HelpLine, width int) string {
	keys := 10
	if width < 40 {
		keys = 6
	}

	var out []string
	for _, h := range help {
		switch {
		case h.Head != "":
			out = append(out, t.Muted.Render(h.Head))
		case h.Text != "":
			lead := t.Strong.Render(h.Keys)
			if widget.Width(h.Keys) > keys {
				out, lead = append(out, lead), ""
			}

			for _, line := range widget.Wrap(h.Text, width-keys-1) {
				if h.Disabled != "" {
					line = t.Muted.Render(line)
				}
				out, lead = append(out, widget.Left(lead, keys)+" "+line), ""
			}

		case h.Disabled == "":
			out = append(out, "")
		}

		if h.Disabled != "" {
			for i, line := range widget.Wrap(h.Disabled, width-keys-3) {
				if i == 0 {
					line = t.Warn(line)
				} else {
					line = "  " + t.Warning.Render(line)
				}

				out = append(out, strings.Repeat(" ", keys+1)+line)
			}
		}
	}

	return strings.Join(out, "\n")
}
