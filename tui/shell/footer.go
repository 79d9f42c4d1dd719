package shell

import (
	"slices"

	"bincard/tui"
	"bincard/tui/widget"
)

// layOutFooter fills the footer with the enabled actions. If they do not all fit, the
// last ones are in help and palette only, but the way out stays.
func (m *Model) layOutFooter(l *layout, lines int) {
	small := l.class < tui.Standard
	margin, gap := 1, 3
	switch l.class {
	case tui.Narrow:
		margin, gap = 0, 1
	case tui.Short:
		margin, gap = 0, 2
	}
	actions, exits := m.footerActions(small)
	if !small {
		gap = m.fitFooter(l.width-margin, actions, exits)
	}
	l.footer = []string{""}
	line, x := 0, margin
	put := func(it footerItem, reserve int) bool {
		start := x
		if x > margin {
			start += gap
		}
		room := l.width - reserve - start
		text := m.paintFooterItem(it, small)
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
		l.clickTargets = append(l.clickTargets, clickTarget{line: line, from: start, to: start + w, action: it.action})
		x = start + w
		return true
	}
	exitsWidth := 0
	for _, it := range exits {
		exitsWidth += gap + m.footerItemWidth(it, small)
	}
	for _, it := range actions {
		reserve := 0
		if line == lines-1 {
			reserve = exitsWidth
		}
		if put(it, reserve) {
			continue
		}
		if line+1 < lines {
			line, x = line+1, margin
			l.footer = append(l.footer, "")
			if put(it, exitsWidth) {
				continue
			}
		}
		break
	}
	for _, it := range exits {
		if !put(it, 0) && line+1 < lines {
			line, x = line+1, margin
			l.footer = append(l.footer, "")
			put(it, 0)
		}
	}
}

// fitFooter makes the actions of the screen fit on one line: first with smaller gaps,
// then with shorter labels from the last one on. The shell's actions get the remaining
// room. It returns the gap between two items.
func (m *Model) fitFooter(room int, actions, exits []footerItem) (gap int) {
	need, n := 0, 0
	for _, it := range slices.Concat(actions, exits) {
		if !it.optional() {
			need, n = need+m.footerItemWidth(it, false), n+1
		}
	}
	if need+3*(n-1) <= room {
		return 3
	}
	for i := len(actions) - 1; i >= 0 && need+2*(n-1) > room; i-- {
		if it := &actions[i]; !it.optional() {
			before := m.footerItemWidth(*it, false)
			it.label = shortLabel(it.action)
			need += m.footerItemWidth(*it, false) - before
		}
	}
	return 2
}

// footerItem is an action in the footer, with a label that fits.
type footerItem struct {
	action tui.Action
	label  string
}

// optional reports whether the footer may omit an action of the shell.
func (it footerItem) optional() bool { return it.action.Shell && it.action.NoFooter }

func footerItems(short bool, actions ...tui.Action) (items []footerItem) {
	for _, a := range actions {
		it := footerItem{a, a.Label}
		if short {
			it.label = shortLabel(a)
		}
		items = append(items, it)
	}
	return items
}

// footerActions returns the actions that the footer offers, and the ways out that it
// always shows.
func (m *Model) footerActions(small bool) (actions, exits []footerItem) {
	enabled, leaving := m.footerCandidates(small)
	return footerItems(small, enabled...), footerItems(small, leaving...)
}

func (m *Model) footerCandidates(small bool) (actions, exits []tui.Action) {
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
	global := m.globalActions()
	back := tui.Action{Keys: []string{"esc"}, Label: m.t.Get("back"), Run: m.back, Shell: true}
	_, leaves := m.actionFor(actions, "esc") // the screen has its own way back
	switch {
	case small && leaves:
		return actions, nil
	case leaves:
		return append(actions, global[2], global[0]), []tui.Action{m.helpAction()}
	case small && len(m.frames) > 1:
		back.Label, back.Short = "", ""
		return actions, []tui.Action{back}
	case small:
		return actions, nil
	case len(m.frames) > 1:
		return append(actions, global[2], global[0]), []tui.Action{m.helpAction(), back}
	}
	return append(actions, global[2], global[0]), []tui.Action{m.helpAction(), global[5]}
}

func (m *Model) helpAction() tui.Action {
	return tui.Action{Keys: []string{"?"}, Label: m.t.Get("help"), Run: m.showHelp, Shell: true}
}

func enabled(actions []tui.Action) []tui.Action {
	var list []tui.Action
	for _, a := range actions {
		if !a.NoFooter && a.DisabledReason() == "" {
			list = append(list, a)
		}
	}
	return list
}

func (m *Model) footerItemWidth(it footerItem, small bool) int {
	return widget.Width(footerKey(m.opts.Keys.KeysFor(it.action), small) + withSpace(it.label))
}

func (m *Model) paintFooterItem(it footerItem, small bool) string {
	return m.opts.Theme.Strong.Render(footerKey(m.opts.Keys.KeysFor(it.action), small)) + m.opts.Theme.Muted.Render(withSpace(it.label))
}

// footerKey formats the first key for the footer.
func footerKey(keys []string, small bool) string {
	if len(keys) == 0 {
		return "·"
	}
	if small && keys[0] == "enter" {
		return "ent"
	}
	return keyName(keys[0])
}

// withSpace formats a label after its key.
func withSpace(text string) string {
	if text == "" {
		return ""
	}
	return " " + widget.Clean(text)
}

// shortLabel returns the label for small screens.
func shortLabel(a tui.Action) string {
	if a.Short != "" {
		return a.Short
	}
	return a.Label
}
