package plain

import (
	"regexp"
	"slices"
	"strings"

	"bincard/tui"
	"bincard/tui/shell"

	tea "github.com/charmbracelet/bubbletea"
)

// keyName matches the names of the keys that messages mention. In line mode an operator
// types them as words.
var keyName = regexp.MustCompile(`(?i)^(f[1-9]|f1[0-2]|enter|esc)$`)

// key does what the named key does on the terminal. done is false if text names no key.
func (t *dialog) key(s shell.State, text string) (cmd tea.Cmd, done bool) {
	key := strings.ToLower(text)
	if !keyName.MatchString(key) {
		return nil, false
	}

	switch {
	case key == "esc":
		return t.back(s), true
	case s.Fault != "" && key == "enter":
		return t.headless.Acknowledge(), true
	case s.Dialog != nil && key == "enter":
		return t.answer(s.Dialog, "", false), true
	case s.Dialog != nil:
		t.out.line("no", t.T().Get("Answer the question first."))
		return nil, true
	case s.Fault != "":
		if a, ok := onKey(s.FaultActions, key); ok {
			return t.headless.DoFaultAction(a), true
		}
		if !s.ConfirmScan {
			t.out.line("no", t.T().Get("Not done. Press enter to clear the message first."))
			return nil, true
		}
		return tea.Batch(t.headless.Acknowledge(), t.doKey(t.headless.State().Actions, key)), true

	case key == "enter" && s.Speech.Form != nil:
		return t.field(s, ""), true
	}

	return t.doKey(s.Actions, key), true
}

// doKey runs the action on a key. A disabled action says why it cannot run.
func (t *dialog) doKey(actions []tui.Action, key string) tea.Cmd {
	if a, ok := onKey(actions, key); ok {
		return t.headless.Do(a)
	}
	if i := slices.IndexFunc(actions, func(a tui.Action) bool { return slices.Contains(a.Keys(), key) }); i >= 0 {
		return t.headless.Do(actions[i])
	}
	t.out.line("no", t.T().Get(`%s does nothing here. Type "help".`, strings.ToUpper(key)))
	return nil
}
