package plain

import (
	"fmt"
	"strings"

	"bincard/tui"
)

// help says what can be said here.
func (t *dialog) help(s tui.State) {
	t.out.line("", helpHead)
	t.actions(s)
	for _, l := range []string{helpBack, helpWhere, helpRow, helpGo, helpQuit} {
		t.out.line(" ", l)
	}
}

// actions says what can be done here, and why not.
func (t *dialog) actions(s tui.State) {
	for _, a := range s.Actions {
		if isHidden(a) || strings.HasPrefix(a.ID, "shell.") {
			continue
		}
		text := a.Help
		if text == "" {
			text = a.Label
		}
		if why := a.DisabledReason(); why != "" {
			text = fmt.Sprintf(helpNot, text, strings.TrimSuffix(why, "."))
		}
		t.out.line(" ", shortestName(a)+": "+text)
	}
}

// shortestName is the word by which an action is done.
func shortestName(a tui.Action) string {
	if w := lastSegment(a.ID); w != "" {
		return w
	}
	return strings.ToLower(a.Label)
}
