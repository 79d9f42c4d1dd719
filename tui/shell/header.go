package shell

import (
	"fmt"
	"strings"

	"bincard/tui"
	"bincard/tui/widget"
)

// header paints the first line.
func (m *Model) header(l layout) string {
	width := l.width
	mark := ""
	if m.opts.ShowIdle {
		mark = IdleMark
		if !m.Idle() {
			mark = BusyMark
		}
		width -= widget.Width(mark) + 1
	}
	line := ""
	if l.class < tui.Standard {
		line = m.smallHeader(l.class, width)
	} else {
		line = m.wideHeader(width)
	}
	if mark != "" {
		line = widget.Left(line, width) + " " + mark
	}
	return line
}

// wideHeader shortens the names of the company and the operator first, so that the
// environment and the location stay readable.
func (m *Model) wideHeader(width int) string {
	s := m.status
	company, operator := widget.Clean(s.Company), widget.Clean(s.Operator)
	left, right := m.headerParts(company, operator)
	for _, part := range []struct {
		name  *string
		least int
	}{{&company, 8}, {&operator, 8}, {&company, 0}, {&operator, 0}} {
		over := widget.Width(left) + widget.Width(right) + 1 - width
		if over <= 0 {
			break
		}
		if keep := max(part.least, widget.Width(*part.name)-over); keep < widget.Width(*part.name) {
			*part.name = widget.Clip(*part.name, keep)
		}
		left, right = m.headerParts(company, operator)
	}
	return widget.Between(left, right, width)
}

func (m *Model) headerParts(company, operator string) (left, right string) {
	t, s := m.opts.Theme, m.status
	left = " " + t.Strong.Render("Bincard")
	if company != "" {
		left += "   " + company
	}
	if s.Environment != "" {
		left += "  " + m.environment()
	}
	if s.Location != "" {
		left += "    " + widget.Clean(s.Location)
	}
	if operator != "" {
		right = operator + "   "
	}
	return left, strings.TrimRight(right+m.connection(s.Connection), " ")
}

// environment paints a live environment as a warning.
func (m *Model) environment() string {
	if m.status.Live {
		return m.opts.Theme.Warning.Render(widget.Clean(m.status.Environment))
	}
	return widget.Clean(m.status.Environment)
}

// connection paints the spinner, the connection, and how many operations are refused and
// pending.
func (m *Model) connection(text string) string {
	t, s := m.opts.Theme, m.status
	text = widget.Clean(text)
	if s.Offline {
		text = t.Warning.Render(text)
	}
	if spin := m.spinner(); spin != "" {
		text = t.Accent.Render(spin) + " " + text
	}
	if s.Connection == "" {
		return text
	}
	if s.Refused > 0 {
		text += " " + t.Error.Render(fmt.Sprintf("!%d", s.Refused))
	}
	return text + t.Muted.Render(fmt.Sprintf(" ○%d", s.Pending))
}

func (m *Model) smallHeader(class tui.Class, width int) string {
	title := ""
	if f := m.top(); f != nil {
		title = m.shortTitle(f)
	}
	state, _, _ := strings.Cut(m.status.Connection, " ")
	right := m.connection(state)
	if class == tui.Narrow && width < 30 {
		right = strings.TrimSuffix(right, m.opts.Theme.Muted.Render(" ○0"))
	}
	if m.status.Live {
		right = m.environment() + " " + right
	}
	if n := m.scans.pendingScans(); n > 0 { // larger screens show it above the footer
		right = m.opts.Theme.Warning.Render(fmt.Sprintf("+%d", n)) + " " + right
	}
	return widget.Between(m.opts.Theme.Strong.Render(widget.Clip(title, width)), right, width)
}

// shortTitle returns the title of a screen for small terminals.
func (m *Model) shortTitle(f *frame) string {
	if s, ok := f.screen.(tui.ShortTitle); ok {
		return widget.Clean(s.ShortTitle())
	}
	title := widget.Clean(f.screen.Title())
	if i := strings.LastIndex(title, "›"); i >= 0 {
		title = strings.TrimSpace(title[i+len("›"):])
	}
	if title == "" {
		title = "Bincard"
	}
	return title
}

// titleLine paints the full title.
func (m *Model) titleLine(l layout) string {
	return " " + m.opts.Theme.Text.Render(widget.Clip(widget.Clean(m.top().screen.Title()), l.width-1))
}
