package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"
)

// An Action is something that can be done on a screen. It is the one source of
// the footer, the help, the palette, the mouse targets and key remapping.
type Action struct {
	ID    string   // stable name for remapping: "receive.book"
	Keys  []string // as Bubble Tea names them: "f4", "enter", "+", "ctrl+e"
	Label string   // words for footer and palette: "book 48"
	Short string   // for small screens; Label if empty
	Help  string   // one sentence for the help page; Label if empty

	Dangerous bool   // the shell asks before it runs
	Ask       string // the question for a dangerous one: "Close PO-1 with 12 pieces missing?"
	NoFooter  bool   // in help and palette only, not in the footer

	Command    Command // the command barcode that does it, if any
	Supervisor bool    // only a supervisor may, where people log on

	Disabled func() string  // why it cannot be done now; nil or "" if it can
	Run      func() tea.Cmd // does it; nil only names the keys of others in the footer

	shell bool // the shell's own: its commands belong to no screen
}

// DisabledReason tells why the action cannot be done now, or "".
func (a Action) DisabledReason() string {
	if a.Disabled == nil {
		return ""
	}
	return a.Disabled()
}

// short is the label where there is little room.
func (a Action) short() string {
	if a.Short != "" {
		return a.Short
	}
	return a.Label
}

// Keymap gives actions other keys than their own: action ID to keys.
type Keymap map[string][]string

// KeysFor returns the keys of an action: those of the map, else its own.
func (k Keymap) KeysFor(a Action) []string {
	if keys, ok := k[a.ID]; ok {
		return keys
	}
	return a.Keys
}

// A Conflict is a key that several actions of one screen claim; the first wins.
type Conflict struct {
	Key     string
	Actions []string // their IDs, in order
}

// Conflicts finds the keys claimed more than once among actions that can all
// be done at the same time.
func (k Keymap) Conflicts(actions []Action) []Conflict {
	claimed := map[string][]string{}
	var order []string
	for _, a := range actions {
		if a.DisabledReason() != "" {
			continue
		}
		for _, key := range k.KeysFor(a) {
			if len(claimed[key]) == 0 {
				order = append(order, key)
			}
			if !slices.Contains(claimed[key], a.ID) {
				claimed[key] = append(claimed[key], a.ID)
			}
		}
	}
	var out []Conflict
	for _, key := range order {
		if len(claimed[key]) > 1 {
			out = append(out, Conflict{Key: key, Actions: claimed[key]})
		}
	}
	return out
}
