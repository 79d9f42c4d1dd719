package tui

import "slices"

// A Keymap maps action IDs to the keys that replace the action's own.
type Keymap map[string][]string

// KeysFor returns the keys of an action: those of the map, or its own.
func (k Keymap) KeysFor(a Action) []string {
	if keys, ok := k[a.ID]; ok {
		return keys
	}
	return a.Keys()
}

// A Conflict is a key that several actions of one screen claim. The first one wins.
type Conflict struct {
	Key     string
	Actions []string // their IDs, in order
}

// Conflicts returns the keys that more than one enabled action claims.
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

	var conflicts []Conflict
	for _, key := range order {
		if len(claimed[key]) > 1 {
			conflicts = append(conflicts, Conflict{Key: key, Actions: claimed[key]})
		}
	}

	return conflicts
}
