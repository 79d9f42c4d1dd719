// Package keys names the keys of the terminal and checks keymaps.
package keys

import (
	"slices"
	"strings"

	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// Of returns the name of a key as actions name it.
func Of(k tea.KeyMsg) string {
	if k.Type == tea.KeySpace {
		return "space"
	}
	return k.String()
}

// ActionFor returns the action of a key: an enabled one if there is one, otherwise a
// disabled one for its reason.
func ActionFor(keymap tui.Keymap, actions []tui.Action, key string) (tui.Action, bool) {
	var disabled *tui.Action
	for i, a := range actions {
		if !slices.Contains(keymap.KeysFor(a), key) {
			continue
		}
		if a.DisabledReason() == "" {
			return a, true
		}
		if disabled == nil {
			disabled = &actions[i]
		}
	}
	if disabled != nil {
		return *disabled, true
	}
	return tui.Action{}, false
}

// Labels formats keys for the screen: "F4 enter ctrl+p".
func Labels(keys []string) string {
	labels := make([]string, len(keys))
	for i, k := range keys {
		labels[i] = Label(k)
	}
	return strings.Join(labels, " ")
}

// Label formats a key for the screen.
func Label(key string) string {
	switch key {
	case "up":
		return "↑"
	case "down":
		return "↓"
	case "left":
		return "←"
	case "right":
		return "→"
	case "pgdown":
		return "PgDn"
	case "pgup":
		return "PgUp"
	}
	if len(key) > 1 && key[0] == 'f' && key[1] >= '1' && key[1] <= '9' {
		return strings.ToUpper(key)
	}
	return key
}
