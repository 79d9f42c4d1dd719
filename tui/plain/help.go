package plain

import (
	"strings"

	"bincard/tui"
	"bincard/tui/shell"
)

// help writes the commands and the actions of the screen.
func (t *dialog) help(s shell.State) {
	t.out.line("", t.T().Get("A line is a scan, a number, or one of these words:"))
	t.actions(s)
	for _, l := range []string{t.T().Get("back: leave this screen; home: leave all screens"), t.T().Get("where, or an empty line: repeat where you are; more: the rest of a list"), t.T().Get("#3: line 3 of a list; find TEXT: look up anything; =TEXT: a code that is also a word"), t.T().Get("receive PO-1, ship TR-1, receive-transfer TR-1, fulfill SO-1, explain SKU@LOCATION, stock, movements: open a screen"), t.T().Get("F7, enter, esc: the keys that messages name"), t.T().Get("quit: leave; unsent work is saved")} {
		t.out.line(" ", l)
	}
}

// actions writes the actions of the screen, and why they are disabled.
func (t *dialog) actions(s shell.State) {
	for _, a := range s.Actions {
		if isHidden(a) || strings.HasPrefix(a.ID, "shell.") {
			continue
		}
		text := a.Help
		if text == "" {
			text = a.Label
		}
		if why := a.DisabledReason(); why != "" {
			text = t.T().Get("%s (not now: %s)", text, strings.TrimSuffix(why, "."))
		}
		t.out.line(" ", shortestName(a)+": "+text)
	}
}

// shortestName returns the word that runs an action.
func shortestName(a tui.Action) string {
	if w := lastSegment(a.ID); w != "" {
		return w
	}
	return strings.ToLower(a.Label)
}
