package paint

import (
	"slices"
	"strings"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/shell/internal/input"
	"bincard/tui/widget"
)

// A Footer offers actions. If they do not all fit, the last ones are in help and palette
// only, but the exits stay.
type Footer struct {
	T              *i18n.Translator
	Theme          widget.Theme
	Keys           tui.Keymap
	Actions, Exits []tui.Action
	Help           tui.Action // offered last on small terminals, where there is room
	HelpLine       bool       // Help may take another line

	shortEnter bool // "ent" for enter
}

// clickTarget is the area in the footer of an action that can be clicked.
type clickTarget struct {
	line, from, to int
	action         tui.Action
	label          int // the width of its label on the screen
}

// layOut paints the footer on at most this many lines. Small terminals shorten the name of
// the enter key if it takes the room of something else.
func (f Footer) layOut(width int, class tui.Class, most int) (footer []string, targets []clickTarget) {
	footer, targets = f.arrange(width, class, most)
	if class >= tui.Standard {
		return footer, targets
	}

	f.shortEnter = true
	shortFooter, shortTargets := f.arrange(width, class, most)
	if len(targets) != len(shortTargets) || len(footer) > len(shortFooter) {
		return shortFooter, shortTargets
	}

	for i, t := range targets {
		help := f.Help.Run != nil && i == len(targets)-1 // its key alone will do
		if !help && t.label != shortTargets[i].label {
			return shortFooter, shortTargets
		}
	}

	return footer, targets
}

func (f Footer) arrange(width int, class tui.Class, most int) (footer []string, targets []clickTarget) {
	small := class < tui.Standard
	margin, gap := 1, 3
	switch class {
	case tui.Narrow:
		margin, gap = 0, 1
	case tui.Short:
		margin, gap = 0, 2
	}

	actions, exits := footerItems(small, f.Actions), footerItems(small, f.Exits)
	if !small {
		gap = f.fit(width-margin, actions, exits)
	}

	footer = []string{""}
	line, x := 0, margin
	put := func(it footerItem, reserve int) bool {
		start := x
		if x > margin {
			start += gap
		}

		room := width - reserve - start
		text := f.paint(it)
		w := widget.Width(text)
		if small && w > room && line == most-1 && slices.Contains(f.Keys.KeysFor(it.action), "esc") {
			text = f.paint(footerItem{action: it.action}) // the key alone says how to leave
			w = widget.Width(text)
		}

		if w > room && small && (reserve > 0 || line == most-1 || x == margin) {
			if it.label = clipWords(it.label, room-f.width(footerItem{action: it.action})-1); it.label == "" &&
				x > margin {
				return false
			}
			text = widget.Clip(f.paint(it), room)
			w = widget.Width(text)
		}

		if w > room {
			return false
		}

		pad := start - widget.Width(footer[line])
		footer[line] += strings.Repeat(" ", max(0, pad)) + text
		key := widget.Width(f.key(it.action))
		targets = append(targets,
			clickTarget{line: line, from: start, to: start + w, action: it.action, label: max(0, w-key)})
		x = start + w

		return true
	}

	exitsWidth := 0
	for _, it := range exits {
		exitsWidth += gap + f.width(it)
	}

	for _, it := range actions {
		reserve := 0
		if line == most-1 {
			reserve = exitsWidth
		}
		if put(it, reserve) {
			continue
		}

		if line+1 < most {
			line, x = line+1, margin
			footer = append(footer, "")
			if put(it, exitsWidth) {
				continue
			}
		}

		break
	}

	for _, it := range exits {
		if !put(it, 0) && line+1 < most {
			line, x = line+1, margin
			footer = append(footer, "")
			put(it, 0)
		}
	}

	if f.Help.Run == nil {
		return footer, targets
	}

	full, key := footerItem{f.Help, shortLabel(f.Help)}, footerItem{action: f.Help}
	switch {
	case x+gap+f.width(full) <= width:
		put(full, 0)
	case f.HelpLine && line+1 < most:
		line, x = line+1, margin
		footer = append(footer, "")
		put(full, 0)
	case x+gap+f.width(key) <= width:
		put(key, 0)
	}

	return footer, targets
}

// clipWords clips a label after a whole word, or returns "".
func clipWords(label string, width int) string {
	for widget.Width(label)+1 > width {
		i := strings.LastIndex(label, " ")
		if i < 0 {
			return ""
		}
		label = label[:i]
	}

	return label + "…"
}

// fit makes the actions of the screen fit on one line: first with smaller gaps, then with
// shorter labels from the last one on. The shell's actions get the remaining room. It
// returns the gap between two items.
func (f Footer) fit(room int, actions, exits []footerItem) (gap int) {
	need, n := 0, 0
	for _, it := range actions {
		if !it.optional() {
			need, n = need+f.width(it), n+1
		}
	}

	for _, it := range exits {
		need, n = need+f.width(it), n+1
	}
	if need+3*(n-1) <= room {
		return 3
	}

	for i := len(actions) - 1; i >= 0 && need+2*(n-1) > room; i-- {
		if it := &actions[i]; !it.optional() {
			before := f.width(*it)
			it.label = shortLabel(it.action)
			need += f.width(*it) - before
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

func footerItems(short bool, actions []tui.Action) (items []footerItem) {
	for _, a := range actions {
		it := footerItem{a, a.Label}
		if short {
			it.label = shortLabel(a)
		}
		items = append(items, it)
	}

	return items
}

func (f Footer) width(it footerItem) int {
	return widget.Width(f.key(it.action) + withSpace(it.label))
}

func (f Footer) paint(it footerItem) string {
	return f.Theme.Strong.Render(f.key(it.action)) + f.Theme.Muted.Render(withSpace(it.label))
}

// Hint formats an action and its first key, without colors.
func Hint(t *i18n.Translator, keymap tui.Keymap, a tui.Action) string {
	return Footer{T: t, Keys: keymap}.key(a) + withSpace(a.Label)
}

// key formats the first key of an action.
func (f Footer) key(a tui.Action) string {
	names := f.Keys.KeysFor(a)
	if len(names) == 0 {
		return "·"
	}
	if f.shortEnter && names[0] == "enter" {
		return "ent"
	}
	return input.KeyLabel(f.T, names[0])
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
