package paint

import (
	"fmt"
	"strings"

	"bincard/tui"
	"bincard/tui/widget"
)

// A Header is the first line of the terminal.
type Header struct {
	Theme        widget.Theme
	Status       tui.Status
	Title        string // the short title, for small terminals
	Spinner      string // its current frame, or ""
	WaitingScans int    // shown on small terminals; larger ones show it above the footer
	Person       string // who is signed in, for small terminals
	Mark         string // for drivers, at the right end; or ""
}

// Line paints the header.
func (h Header) Line(class tui.Class, width int) string {
	if h.Mark != "" {
		width -= widget.Width(h.Mark) + 1
	}

	line := ""
	if class < tui.Standard {
		line = h.small(class, width)
	} else {
		line = h.wide(width)
	}

	if h.Mark != "" {
		line = widget.Left(line, width) + " " + h.Mark
	}

	return line
}

// wide shortens the names of the company and the operator first, so that the
// environment and the location stay readable.
func (h Header) wide(width int) string {
	s := h.Status
	company, operator := widget.Clean(s.Company), widget.Clean(s.Operator)
	left, right := h.parts(company, operator)
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
		left, right = h.parts(company, operator)
	}

	return widget.Between(left, right, width)
}

func (h Header) parts(company, operator string) (left, right string) {
	t, s := h.Theme, h.Status
	left = " " + t.Strong.Render("Bincard")
	if company != "" {
		left += "   " + company
	}
	if s.Environment != "" {
		left += "  " + h.environment()
	}
	if s.Location != "" {
		left += "    " + widget.Clean(s.Location)
	}
	if operator != "" {
		right = operator + "   "
	}

	return left, strings.TrimRight(right+h.connection(s.Connection), " ")
}

// environment paints a live environment as a warning.
func (h Header) environment() string {
	if h.Status.Live {
		return h.Theme.Warning.Render(widget.Clean(h.Status.Environment))
	}
	return widget.Clean(h.Status.Environment)
}

// connection paints the spinner, the connection, and how many operations are refused and
// pending.
func (h Header) connection(text string) string {
	t, s := h.Theme, h.Status
	text = widget.Clean(text)
	if s.Offline {
		text = t.Warning.Render(text)
	}
	if h.Spinner != "" {
		text = t.Accent.Render(h.Spinner) + " " + text
	}
	if s.Connection == "" {
		return text
	}
	if s.Refused > 0 {
		text += " " + t.Error.Render(fmt.Sprintf("!%d", s.Refused))
	}

	return text + t.Muted.Render(fmt.Sprintf(" ○%d", s.Pending))
}

func (h Header) small(class tui.Class, width int) string {
	state := h.Status.Short
	if state == "" {
		state, _, _ = strings.Cut(h.Status.Connection, " ")
	}

	right := h.connection(state)
	if class == tui.Narrow && width < 30 {
		right = strings.TrimSuffix(right, h.Theme.Muted.Render(" ○0"))
	}
	if h.Status.Live {
		right = h.environment() + " " + right
	}
	if h.WaitingScans > 0 {
		right = h.Theme.Warning.Render(fmt.Sprintf("+%d", h.WaitingScans)) + " " + right
	}

	room := max(0, width-widget.Width(right)-1)
	if person := widget.Clean(h.Person); person != "" && widget.Width(h.Title)+1+widget.Width(person) <= room {
		right = person + " " + right
		room -= widget.Width(person) + 1
	}

	return widget.Between(h.Theme.Strong.Render(clipTitle(h.Title, room)), right, width)
}

// clipTitle shortens a title to whole parts: to the first ones of "a · b", to the name
// after a number of rows.
func clipTitle(title string, width int) string {
	for widget.Width(title) > width {
		i := strings.LastIndex(title, " · ")
		if i < 0 {
			break
		}
		title = title[:i]
	}

	if last := strings.LastIndex(title, " "); widget.Width(title) > width && last > 0 && title[0] >= '0' &&
		title[0] <= '9' {
		title = title[last+1:]
	}

	return clipCode(title, width)
}

// clipCode clips a title. It keeps the end of a code, in which codes differ.
func clipCode(title string, width int) string {
	runes := []rune(title)
	if widget.Width(title) <= width || width < 2 || strings.Contains(title, " ") ||
		!strings.ContainsAny(title, "0123456789") {
		return widget.Clip(title, width)
	}
	for len(runes) > 0 && widget.Width(string(runes)) >= width {
		runes = runes[1:]
	}

	return "…" + string(runes)
}

// ShortTitle returns the title of a screen for small terminals.
func ShortTitle(screen tui.Screen) string {
	if s, ok := screen.(tui.ShortTitle); ok {
		return widget.Clean(s.ShortTitle())
	}

	title := widget.Clean(screen.Title())
	if i := strings.LastIndex(title, "›"); i >= 0 {
		title = strings.TrimSpace(title[i+len("›"):])
	}
	if title == "" {
		title = "Bincard"
	}

	return title
}
