package input

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	"bincard/tui"
	"bincard/tui/i18n"

	tea "github.com/charmbracelet/bubbletea"
)

// keyList returns the names of all keys, as actions name them.
var keyList = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{"space": true}
	for k := tea.KeyType(-200); k < 130; k++ {
		if name := (tea.KeyMsg{Type: k}).String(); k != tea.KeyRunes && name != "" {
			names[name] = true
			names["alt+"+name] = true
		}
	}

	return names
})

// isKey reports whether a name is that of a key, such as "f6", "ctrl+e" or "+".
func isKey(name string) bool {
	if bare, ok := strings.CutPrefix(name, "alt+"); ok && len([]rune(bare)) == 1 {
		return true
	}
	return len([]rune(name)) == 1 || keyList()[name]
}

// KeymapProblems describes the mistakes in a keymap before any screen is open: unknown keys,
// characters that scanners send, and keys that an action shares with another of the same
// job or with the shell's actions.
func KeymapProblems(k tui.Keymap, shell []tui.Action, t *i18n.Translator) []string {
	var problems []string
	shared := func(key, first, second string) {
		problems = append(problems,
			t.Get("keys in config.toml: %s is assigned to %s and %s: %s wins", KeyLabel(t, key), first, second, first))
	}
	shellKeys := map[string]string{"ctrl+c": "shell.quit"}
	for _, a := range shell {
		for _, key := range k.KeysFor(a) {
			if other := shellKeys[key]; other != "" && other != a.ID {
				shared(key, other, a.ID)
				continue
			}
			shellKeys[key] = a.ID
		}
	}

	ids := slices.Sorted(maps.Keys(k))
	claimed := map[string]string{} // job and key: action
	for _, id := range ids {
		job, _, dotted := strings.Cut(id, ".")
		if !dotted || len(k[id]) == 0 {
			problems = append(
				problems,
				t.Get("keys in config.toml: %s is not an action with keys: use a line like \"panel.all\" = [\"f6\"]",
					id),
			)
			continue
		}

		for _, key := range k[id] {
			r := []rune(key)
			other := claimed[job+" "+key]
			switch {
			case !isKey(key):
				problems = append(problems,
					t.Get("keys in config.toml: unknown key %q for %s: use f6, ctrl+e, alt+e, pgdown or +", key, id))
			case len(r) == 1 && (unicode.IsLetter(r[0]) || unicode.IsDigit(r[0])):
				problems = append(
					problems,
					t.Get("keys in config.toml: %q for %s may come from a scanner: use an F-key or a ctrl key", key,
						id),
				)

			case job != "shell" && shellKeys[key] != "":
				shared(key, shellKeys[key], id)
			case job != "shell" && other != "":
				shared(key, other, id)
			}

			claimed[job+" "+key] = id
		}
	}

	return problems
}
