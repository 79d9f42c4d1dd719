package input

import (
	"cmp"
	"slices"
	"strings"

	"bincard/tui"
	"bincard/tui/i18n"

	tea "github.com/charmbracelet/bubbletea"
)

// KeyOf returns the name of a key as actions name it.
func KeyOf(k tea.KeyMsg) string {
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

// KeyLabels formats keys for the screen: "F4 enter ctrl+p".
func KeyLabels(t *i18n.Translator, keys []string) string {
	texts := make([]string, len(keys))
	for i, k := range keys {
		texts[i] = KeyLabel(t, k)
	}
	return strings.Join(texts, " ")
}

var (
	arrows   = map[string]string{"up": "↑", "down": "↓", "left": "←", "right": "→"}
	keyNames = i18n.TableOf(
		"key",
		map[string]string{"pgdown": "PgDn", "pgup": "PgUp", "home": "home", "end": "end", "ctrl": "ctrl"},
	)
)

// KeyLabel formats a key for the screen, as it is labeled on keyboards of the language.
func KeyLabel(t *i18n.Translator, key string) string {
	if label := cmp.Or(arrows[key], keyNames.Get(t, key)); label != "" {
		return label
	}
	if name, ok := strings.CutPrefix(key, "ctrl+"); ok {
		return keyNames.Get(t, "ctrl") + "+" + name
	}
	if len(key) > 1 && key[0] == 'f' && key[1] >= '1' && key[1] <= '9' {
		return strings.ToUpper(key)
	}
	return key
}
