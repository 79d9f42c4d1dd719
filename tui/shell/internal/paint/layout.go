// Package paint paints the frame around the screens: the header, the footer, and how
// dialogs and errors cover the body.
package paint

import "bincard/tui"

// A Layout is the position of everything on the terminal.
type Layout struct {
	Class         tui.Class
	Width, Height int
	Title         bool // a title line below the header
	Rules         bool // lines between header, body and footer
	BodyAt        int
	Body          tui.Size
	FooterAt      int
	Footer        []string

	targets []clickTarget
}

// NewLayout lays out a terminal. title says that the screen has one.
func NewLayout(width, height int, title bool, f Footer) Layout {
	l := Layout{Class: tui.ClassOf(width, height), Width: max(0, width), Height: max(0, height)}
	l.Rules = l.Class >= tui.Standard
	l.Title = l.Rules && title
	lines := 1
	if l.Class == tui.Narrow && l.Height >= 12 {
		lines = 2
	}

	l.Footer, l.targets = f.layOut(l.Width, l.Class, lines)
	l.BodyAt = 1
	if l.Title {
		l.BodyAt++
	}
	if l.Rules {
		l.BodyAt++
	}

	room := l.Height - l.BodyAt - len(l.Footer)
	if l.Rules {
		room--
	}

	l.Body = tui.Size{Width: l.Width, Height: max(0, room), Class: l.Class}
	l.FooterAt = l.Height - len(l.Footer)

	return l
}

// Clicked returns the action of the footer at a cell of the terminal.
func (l Layout) Clicked(x, y int) (tui.Action, bool) {
	for _, t := range l.targets {
		if t.line == y-l.FooterAt && x >= t.from && x < t.to {
			return t.action, true
		}
	}

	return tui.Action{}, false
}
