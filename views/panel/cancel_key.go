package panel

import (
	"slices"

	"bincard/tui"
)

// CancelKey is the key of the action that cancels a document.
const CancelKey = "ctrl+x"

// oldCancelKey canceled a document in earlier versions.
const oldCancelKey = "f9"

// CancelActions returns the action that cancels a document on its key. The key of earlier
// versions says where the action went, because it sorts lists.
func CancelActions(env tui.Env, cancel tui.Action) []tui.Action {
	t := env.T

	cancel.Keys = []string{CancelKey}
	keys := env.Keys.KeysFor(cancel)
	if len(keys) == 0 || slices.Contains(keys, oldCancelKey) {
		return []tui.Action{cancel}
	}
	return []tui.Action{cancel, {ID: "panel.moved", Keys: []string{oldCancelKey}, Label: t.Get("cancel (earlier versions)"), NoFooter: true,
		Disabled: func() string { return t.Get("Press %s to cancel", keys[0]) }}}
}
