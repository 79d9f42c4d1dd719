package plain

import (
	"fmt"
	"strings"

	"bincard/tui"
)

// help says what can be said here.
func (t *talk) help(s tui.Standing) {
	t.out.line("", helpHead)
	t.actions(s)
	for _, l := range []string{helpBack, helpWhere, helpRow, helpGo, helpQuit} {
		t.out.line(" ", l)
	}
}

// actions says what can be done here, and why not.
func (t *talk) actions(s tui.Standing) {
	for _, a := range s.Actions {
		if hidden(a) || strings.HasPrefix(a.ID, "shell.") {
			continue
		}
		text := a.Help
		if text == "" {
			text = a.Label
		}
		if why := a.Off(); why != "" {
			text = fmt.Sprintf(helpNot, text, strings.TrimSuffix(why, "."))
		}
		t.out.line(" ", shortest(a)+": "+text)
	}
}

// shortest is the word by which an action is done.
func shortest(a tui.Action) string {
	if w := last(a.ID); w != "" {
		return w
	}
	return strings.ToLower(a.Label)
}
