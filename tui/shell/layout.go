package shell

import (
	"slices"

	"bincard/tui"
	"bincard/tui/widget"
)

// layout says where everything stands on the screen.
type layout struct {
	class        tui.Class
	width        int
	height       int
	title        bool // a line with the title below the header
	rules        bool // lines between header, body and footer
	bodyAt       int
	body         tui.Size
	footerAt     int
	footer       []string
	clickTargets []clickTarget
}

// clickTarget is where an action can be clicked.
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

// layOutFooter fills the footer with what can be done now; where there is no room
// for all, the last ones are left to help and palette, but the way out stays.
func (m *Model) layOutFooter(l *layout, lines int) {
	small := l.class < tui.Standard
	margin, gap := 1, 3
	switch l.class {
	case tui.Narrow:
		margin, gap = 0, 1
	case tui.Short:
		margin, gap = 0, 2
	}
	actions, out := m.footerActions(small)
	if !small {
		gap = m.fitFooter(l.width-margin, actions, out)
	}
	l.footer = []string{""}
	line, x := 0, margin
	put := func(o footerItem, reserve int) bool {
		start := x
		if x > margin {
			start += gap
		}
		room := l.width - reserve - start
		text := m.paintFooterItem(o, small)
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
		l.clickTargets = append(l.clickTargets, clickTarget{line: line, from: start, to: start + w, action: o.action})
		x = start + w
		return true
	}
	outWidth := 0
	for _, o := range out {
		outWidth += gap + m.footerItemWidth(o, small)
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

// fitFooter makes room on one line for all that the screen offers: first between
// the words, then by shorter words, those of the last first. The shell's own,
// at the end, have what is left. It returns the gap between two.
func (m *Model) fitFooter(room int, actions, out []footerItem) (gap int) {
	need, n := 0, 0
	for _, o := range slices.Concat(actions, out) {
		if !o.optional() {
			need, n = need+m.footerItemWidth(o, false), n+1
		}
	}
	if need+3*(n-1) <= room {
		return 3
	}
	for i := len(actions) - 1; i >= 0 && need+2*(n-1) > room; i-- {
		if o := &actions[i]; !o.optional() {
			before := m.footerItemWidth(*o, false)
			o.label = shortLabel(o.action)
			need += m.footerItemWidth(*o, false) - before
		}
	}
	return 2
}

// footerItem is an action in the footer, with the words that there is room for.
type footerItem struct {
	action tui.Action
	label  string
}

// optional are the shell's own actions that have other ways to be found.
func (o footerItem) optional() bool { return o.action.Shell && o.action.NoFooter }

func footerItems(short bool, actions ...tui.Action) (out []footerItem) {
	for _, a := range actions {
		o := footerItem{a, a.Label}
		if short {
			o.label = shortLabel(a)
		}
		out = append(out, o)
	}
	return out
}

// footerActions are what the footer offers now, and the ways out that stay.
func (m *Model) footerActions(small bool) (actions, out []footerItem) {
	doing, leaving := m.footerCandidates(small)
	return footerItems(small, doing...), footerItems(small, leaving...)
}

func (m *Model) footerCandidates(small bool) (actions, out []tui.Action) {
	if m.dialogTakesKeys() {
		return m.dialogActions(), nil
	}
	if m.loginRequired() {
		return m.loginActions(), nil
	}
	if m.fault.active() {
		next := tui.Action{Keys: []string{"enter"}, Label: m.t.Get("continue"), Run: m.acknowledge, Shell: true}
		return append([]tui.Action{next}, enabled(m.fault.actions)...), nil
	}
	f := m.top()
	if f == nil {
		return nil, nil
	}
	actions = enabled(m.actions(f))
	everywhere := m.globalActions()
	back := tui.Action{Keys: []string{"esc"}, Label: m.t.Get("back"), Run: m.back, Shell: true}
	_, leaves := m.actionFor(actions, "esc") // the screen has a way back of its own
	switch {
	case small && leaves:
		return actions, nil
	case leaves:
		return append(actions, everywhere[2], everywhere[0]), []tui.Action{m.helpAction()}
	case small && len(m.frames) > 1:
		back.Label, back.Short = "", ""
		return actions, []tui.Action{back}
	case small:
		return actions, nil
	case len(m.frames) > 1:
		return append(actions, everywhere[2], everywhere[0]), []tui.Action{m.helpAction(), back}
	}
	return append(actions, everywhere[2], everywhere[0]), []tui.Action{m.helpAction(), everywhere[5]}
}

func (m *Model) helpAction() tui.Action {
	return tui.Action{Keys: []string{"?"}, Label: m.t.Get("help"), Run: m.showHelp, Shell: true}
}

func enabled(actions []tui.Action) []tui.Action {
	var out []tui.Action
	for _, a := range actions {
		if !a.NoFooter && a.DisabledReason() == "" {
			out = append(out, a)
		}
	}
	return out
}

func (m *Model) footerItemWidth(o footerItem, small bool) int {
	return widget.Width(footerKey(m.opts.Keys.KeysFor(o.action), small) + withSpace(o.label))
}

func (m *Model) paintFooterItem(o footerItem, small bool) string {
	return m.opts.Theme.Strong.Render(footerKey(m.opts.Keys.KeysFor(o.action), small)) + m.opts.Theme.Muted.Render(withSpace(o.label))
}

// footerKey is the first key as the footer writes it.
func footerKey(keys []string, small bool) string {
	if len(keys) == 0 {
		return "·"
	}
	if small && keys[0] == "enter" {
		return "ent"
	}
	return keyName(keys[0])
}

// withSpace is a text behind a key.
func withSpace(text string) string {
	if text == "" {
		return ""
	}
	return " " + widget.Clean(text)
}

// shortLabel is the label for small screens.
func shortLabel(a tui.Action) string {
	if a.Short != "" {
		return a.Short
	}
	return a.Label
}
