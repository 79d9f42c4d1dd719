package plain

import (
	"slices"
	"strings"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/shell"
	"bincard/tui/widget"
)

// help writes the commands and the actions of the screen.
func (t *dialog) help(s shell.State) {
	t.out.line("", t.T().Get("A line is a scan, a number, or one of these words:"))
	t.actions(s)
	leave := t.T().Get("back: leave this screen; home: leave all screens")
	if _, ok := onKey(s.Actions, "esc"); ok {
		leave = t.T().Get("home: leave all screens")
	}
	for _, l := range []string{leave, t.T().Get("where, or an empty line: repeat where you are; more: the rest of a list"), t.T().Get("#3: line 3 of a list; find TEXT: look up anything; =TEXT: a code that is also a word; = empties a field"), t.T().Get("receive PO-1, ship TR-1, receive-transfer TR-1, fulfill SO-1, explain SKU@LOCATION, stock, movements: open a screen"), t.T().Get("F7, enter, esc: the keys in messages"), t.T().Get("quit: leave; unsent drafts are saved")} {
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
			text = widget.Capitalize(a.Label)
		}
		if why := a.DisabledReason(); why != "" {
			text = t.T().Get("%s (not now: %s)", text, strings.TrimSuffix(why, "."))
		}

		t.out.line(" ", t.words(s.Actions, a)+": "+text)
	}
}

// words returns the words for an action in help: one of the session's language, and the
// English one. A word that runs another action is left out.
func (t *dialog) words(actions []tui.Action, a tui.Action) string {
	var words []string
	add := func(candidates ...string) {
		for _, w := range candidates {
			if found, _, ok := t.match(actions, w); w != "" && ok && found.ID == a.ID {
				if !slices.Contains(words, w) {
					words = append(words, w)
				}
				return
			}
		}
	}

	english := lastSegment(a.ID)
	if t.T().Language().Code != i18n.English {
		short := bare(a.Short)
		if strings.HasSuffix(a.Short, ".") {
			short = "" // an abbreviation
		}
		add(actionWord(t.T(), english), short, bare(a.Label))
	}

	add(english, bare(a.Label), strings.ToLower(a.ID))

	return strings.Join(words, ", ")
}
