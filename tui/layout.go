package tui

import (
	"slices"

	"bincard/tui/widget"
)

// layout says where everything stands on the screen.
type layout struct {
	class    Class
	width    int
	height   int
	title    bool // a line with the title below the header
	rules    bool // lines between header, body and footer
	bodyAt   int
	body     Size
	footerAt int
	footer   []string
	targets  []target
}

// target is where an action can be clicked.
type target struct {
	line, from, to int
	action         Action
}

func (m *Model) layout() layout {
	l := layout{class: ClassOf(m.width, m.height), width: max(0, m.width), height: max(0, m.height)}
	l.rules = l.class >= Desk
	if f := m.top(); f != nil {
		l.title = l.rules && f.screen.Title() != ""
	}
	lines := 1
	if l.class == Wrist && l.height >= 12 {
		lines = 2
	}
	m.layFooter(&l, lines)
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
	l.body = Size{Width: l.width, Height: max(0, room), Class: l.class}
	l.footerAt = l.height - len(l.footer)
	for i := range l.targets {
		l.targets[i].line += l.footerAt
	}
	return l
}

// layFooter fills the footer with what can be done now; where there is no room
// for all, the last ones are left to help and palette, but the way out stays.
func (m *Model) layFooter(l *layout, lines int) {
	small := l.class < Desk
	margin, gap := 1, 3
	switch l.class {
	case Wrist:
		margin, gap = 0, 1
	case Strip:
		margin, gap = 0, 2
	}
	actions, out := m.footerActions(small)
	if !small {
		gap = m.tighten(l.width-margin, actions, out)
	}
	l.footer = []string{""}
	line, x := 0, margin
	put := func(o offer, reserve int) bool {
		start := x
		if x > margin {
			start += gap
		}
		room := l.width - reserve - start
		text := m.footerPaint(o, small)
		w := widget.Width(text)
		if w > room && small && room >= 6 && (reserve > 0 || line == lines-1) {
			text = widget.Clip(text, room)
			w = widget.Width(text)
		}
		if w > room {
			return false
		}
		pad := start - widget.Width(l.footer[line])
		l.footer[line] += spaces(pad) + text
		l.targets = append(l.targets, target{line: line, from: start, to: start + w, action: o.action})
		x = start + w
		return true
	}
	outWidth := 0
	for _, o := range out {
		outWidth += gap + m.footerWidth(o, small)
	}
	for _, o := range actions {
		reserve := 0
		if line == lines-1 {
			reserve = outWidth
		}
		if put(o, reserve) {
			continue
		}
		if line+1 < lines {
			line, x = line+1, margin
			l.footer = append(l.footer, "")
			if put(o, outWidth) {
				continue
			}
		}
		break
	}
	for _, o := range out {
		if !put(o, 0) && line+1 < lines {
			line, x = line+1, margin
			l.footer = append(l.footer, "")
			put(o, 0)
		}
	}
}

// tighten makes room on one line for all that the screen offers: first between
// the words, then by shorter words, those of the last first. The shell's own,
// at the end, have what is left. It returns the gap between two.
func (m *Model) tighten(room int, actions, out []offer) (gap int) {
	need, n := 0, 0
	for _, o := range slices.Concat(actions, out) {
		if !o.optional() {
			need, n = need+m.footerWidth(o, false), n+1
		}
	}
	if need+3*(n-1) <= room {
		return 3
	}
	for i := len(actions) - 1; i >= 0 && need+2*(n-1) > room; i-- {
		if o := &actions[i]; !o.optional() {
			before := m.footerWidth(*o, false)
			o.words = o.action.short()
			need += m.footerWidth(*o, false) - before
		}
	}
	return 2
}

// offer is an action in the footer, with the words that there is room for.
type offer struct {
	action Action
	words  string
}

// optional are the shell's own actions that have other ways to be found.
func (o offer) optional() bool { return o.action.shell && o.action.Quiet }

func offers(short bool, actions ...Action) (out []offer) {
	for _, a := range actions {
		o := offer{a, a.Label}
		if short {
			o.words = a.short()
		}
		out = append(out, o)
	}
	return out
}

// footerActions are what the footer offers now, and the ways out that stay.
func (m *Model) footerActions(small bool) (actions, out []offer) {
	doing, leaving := m.offered(small)
	return offers(small, doing...), offers(small, leaving...)
}

func (m *Model) offered(small bool) (actions, out []Action) {
	if m.asked() {
		return m.dialogActions(), nil
	}
	if m.shut() {
		return m.gateActions(), nil
	}
	if m.faults.standing() {
		next := Action{Keys: []string{"enter"}, Label: m.words.Say("go on"), Run: m.acknowledge, shell: true}
		return append([]Action{next}, doable(m.faults.actions)...), nil
	}
	f := m.top()
	if f == nil {
		return nil, nil
	}
	actions = doable(m.actions(f))
	everywhere := m.everywhere()
	back := Action{Keys: []string{"esc"}, Label: m.words.Say("back"), Run: m.back, shell: true}
	_, leaves := m.claimed(actions, "esc") // the screen has a way back of its own
	switch {
	case small && leaves:
		return actions, nil
	case leaves:
		return append(actions, everywhere[2], everywhere[0]), []Action{m.helpAction()}
	case small && len(m.frames) > 1:
		back.Label, back.Short = "", ""
		return actions, []Action{back}
	case small:
		return actions, nil
	case len(m.frames) > 1:
		return append(actions, everywhere[2], everywhere[0]), []Action{m.helpAction(), back}
	}
	return append(actions, everywhere[2], everywhere[0]), []Action{m.helpAction(), everywhere[5]}
}

func (m *Model) helpAction() Action {
	return Action{Keys: []string{"?"}, Label: m.words.Say("help"), Run: m.showHelp, shell: true}
}

func doable(actions []Action) []Action {
	var out []Action
	for _, a := range actions {
		if !a.Quiet && a.Off() == "" {
			out = append(out, a)
		}
	}
	return out
}

func (m *Model) footerWidth(o offer, small bool) int {
	return widget.Width(keyOf(m.opts.Keys.Of(o.action), small) + spaced(o.words))
}

func (m *Model) footerPaint(o offer, small bool) string {
	return m.opts.Theme.Strong.Render(keyOf(m.opts.Keys.Of(o.action), small)) + m.opts.Theme.Muted.Render(spaced(o.words))
}

// keyOf is the first key as the footer writes it.
func keyOf(keys []string, small bool) string {
	if len(keys) == 0 {
		return "·"
	}
	if small && keys[0] == "enter" {
		return "ent"
	}
	return keyName(keys[0])
}

// spaced is a text behind a key.
func spaced(text string) string {
	if text == "" {
		return ""
	}
	return " " + widget.Clean(text)
}
