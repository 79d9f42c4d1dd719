package shell

import (
	"fmt"
	"strings"

	"bincard/tui"
	"bincard/tui/widget"
)

// header says where one stands.
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
	switch {
	case l.class < tui.Standard:
		line = m.smallHeader(l.class, width)
	default:
		line = m.wideHeader(width)
	}
	if mark != "" {
		line = widget.Left(line, width) + " " + mark
	}
	return line
}

// wideHeader gives up what the company and the person are called before it gives
// up where one works: the environment and the place.
func (m *Model) wideHeader(width int) string {
	s := m.status
	company, person := widget.Clean(s.Company), widget.Clean(s.Operator)
	left, right := m.headerParts(company, person)
	for _, x := range []struct {
		name  *string
		least int
	}{{&company, 8}, {&person, 8}, {&company, 0}, {&person, 0}} {
		over := widget.Width(left) + widget.Width(right) + 1 - width
		if over <= 0 {
			break
		}
		if keep := max(x.least, widget.Width(*x.name)-over); keep < widget.Width(*x.name) {
			*x.name = widget.Clip(*x.name, keep)
		}
		left, right = m.headerParts(company, person)
	}
	return widget.Between(left, right, width)
}

func (m *Model) headerParts(company, person string) (left, right string) {
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
	if person != "" {
		right = person + "   "
	}
	return left, strings.TrimRight(right+m.connection(s.Connection), " ")
}

// environment is LIVE in the warning colour, anything else plain.
func (m *Model) environment() string {
	if m.status.Live {
		return m.opts.Theme.Warning.Render(widget.Clean(m.status.Environment))
	}
	return widget.Clean(m.status.Environment)
}

// connection is the link, the work under way and what waits.
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
	word, _, _ := strings.Cut(m.status.Connection, " ")
	right := m.connection(word)
	if class == tui.Narrow && width < 30 {
		right = strings.TrimSuffix(right, m.opts.Theme.Muted.Render(" ○0"))
	}
	if m.status.Live {
		right = m.environment() + " " + right
	}
	if n := m.scans.pendingScans(); n > 0 { // on larger screens it stands above the footer
		right = m.opts.Theme.Warning.Render(fmt.Sprintf("+%d", n)) + " " + right
	}
	return widget.Between(m.opts.Theme.Strong.Render(widget.Clip(title, width)), right, width)
}

// shortTitle is what a screen is called where there is little room.
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

// titleLine is the way from general to particular.
func (m *Model) titleLine(l layout) string {
	return " " + m.opts.Theme.Text.Render(widget.Clip(widget.Clean(m.top().screen.Title()), l.width-1))
}
