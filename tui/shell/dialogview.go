package shell

import (
	"strings"

	"bincard/tui"
	"bincard/tui/widget"
)

// coversBody reports whether a dialog takes the whole body. Questions take the place of
// the screen's own question.
func (d *dialog) coversBody() bool { return d.kind == choiceKind || d.kind == helpKind }

func (m *Model) dialogView(size tui.Size) []string {
	d, t := m.dialog, m.opts.Theme
	margin := spaces(1)
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
		return append(lines, m.pageView(d, inner, size.Height-len(lines), margin)...)
	case promptKind, findKind, choiceKind:
		lines = append(lines, margin+"  "+d.input.View(inner-2))
	case questionKind:
		lines = append(lines, margin+"  "+t.Muted.Render(m.questionHint(d)))
	}
	if d.problem != "" {
		for _, line := range widget.Wrap(d.problem, inner-4) {
			lines = append(lines, margin+"  "+t.Refused(line))
		}
	}
	if d.kind == choiceKind {
		lines = append(lines, m.choiceView(d, size.Height-len(lines), inner, margin)...)
	}
	return lines
}

func (m *Model) questionHint(d *dialog) string {
	yes, no := d.question.Yes, d.question.No
	if yes == "" {
		yes = m.t.Get("yes")
	}
	if no == "" {
		no = m.t.Get("no")
	}
	return "enter " + widget.Clean(yes) + "   esc " + widget.Clean(no)
}

// pageView paints the visible part of the help.
func (m *Model) pageView(d *dialog, width, height int, margin string) []string {
	if d.page.Width != max(0, width) || d.page.TotalLineCount() == 0 {
		d.page.SetContent(m.helpText(d.help, width))
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
func (m *Model) choiceView(d *dialog, height, width int, margin string) []string {
	t := m.opts.Theme
	if len(d.matches) == 0 {
		return []string{margin + "  " + t.Muted.Render(m.t.Get("No match. Shorten the text, or press esc"))}
	}
	if height <= 0 {
		return nil
	}
	d.scroll = min(max(d.scroll, d.cursor-height+1), d.cursor)
	var lines []string
	for i := d.scroll; i < min(len(d.matches), d.scroll+height); i++ {
		it := d.items[d.matches[i]]
		right := it.keys
		if it.disabled != "" {
			right = widget.Clip(widget.Clean(it.disabled), width/2)
		}
		text := widget.Between(it.label, right, width-2)
		switch {
		case i == d.cursor:
			text = t.Accent.Render("▸") + " " + t.Selected.Render(text)
		case it.disabled != "":
			text = "  " + t.Muted.Render(text)
		default:
			text = "  " + text
		}
		lines = append(lines, margin+text)
	}
	return lines
}

// dialogActions returns the actions in the footer while a dialog is open.
func (m *Model) dialogActions() []tui.Action {
	d := m.dialog
	enter := tui.Action{Keys: []string{"enter"}, Label: m.t.Get("choose")}
	esc := tui.Action{Keys: []string{"esc"}, Label: m.t.Get("back")}
	switch d.kind {
	case questionKind:
		enter.Label, esc.Label = d.question.Yes, d.question.No
		if enter.Label == "" {
			enter.Label = m.t.Get("yes")
		}
		if esc.Label == "" {
			esc.Label = m.t.Get("no")
		}
	case helpKind:
		return []tui.Action{esc}
	case promptKind, findKind:
		enter.Label = m.t.Get("ok")
	}
	return []tui.Action{enter, esc}
}
