package shell

import (
	"bincard/tui"
)

// layout is the position of everything on the terminal.
type layout struct {
	class        tui.Class
	width        int
	height       int
	title        bool // a title line below the header
	rules        bool // lines between header, body and footer
	bodyAt       int
	body         tui.Size
	footerAt     int
	footer       []string
	clickTargets []clickTarget
}

// clickTarget is the area of an action that can be clicked.
type clickTarget struct {
	line, from, to int
	action         tui.Action
}

func (m *Model) layout() layout {
	l := layout{class: tui.ClassOf(m.width, m.height), width: max(0, m.width), height: max(0, m.height)}
	l.rules = l.class >= tui.Standard
	if f := m.top(); f != nil {
		l.title = l.rules && f.screen.Title() != ""
	}
	lines := 1
	if l.class == tui.Narrow && l.height >= 12 {
		lines = 2
	}
	m.layOutFooter(&l, lines)
	l.bodyAt = 1
	if l.title {
		l.bodyAt++
	}
	if l.rules {
		l.bodyAt++
	}
	room := l.height - l.bodyAt - len(l.footer)
	if l.rules {
		room--
	}
	l.body = tui.Size{Width: l.width, Height: max(0, room), Class: l.class}
	l.footerAt = l.height - len(l.footer)
	for i := range l.clickTargets {
		l.clickTargets[i].line += l.footerAt
	}
	return l
}
