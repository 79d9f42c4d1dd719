package shell

import (
	"strings"

	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// parseCommand parses a command barcode. isCommand reports whether text is one, and known
// whether the command exists.
func parseCommand(text string) (c tui.Command, known, isCommand bool) {
	if len(text) < len(tui.CommandPrefix) || !strings.EqualFold(text[:len(tui.CommandPrefix)], tui.CommandPrefix) {
		return "", false, false
	}
	c = tui.Command(strings.ToUpper(strings.TrimSpace(text[len(tui.CommandPrefix):])))
	for _, have := range tui.Commands() {
		if c == have {
			return c, true, true
		}
	}
	return c, false, true
}

// commandKeys are the keys that commands press where no action of the screen has them.
var commandKeys = map[tui.Command]tea.KeyMsg{
	tui.DoConfirm: {Type: tea.KeyEnter}, tui.DoBack: {Type: tea.KeyEsc}, tui.DoNext: {Type: tea.KeyDown},
}

// runCommand runs a command barcode, or says why the screen cannot run it now.
func (m *Model) runCommand(c tui.Command) tea.Cmd {
	if c == tui.DoLogout {
		return m.logOut()
	}
	k, isKey := commandKeys[c]
	if m.dialog != nil || m.fault.active() {
		if c == tui.DoConfirm || c == tui.DoBack {
			return tea.Batch(m.ring(1), m.handleKey(k))
		}
		return m.commandUnavailable(c)
	}
	f := m.top()
	if f == nil {
		return nil
	}
	var disabled *tui.Action
	for _, a := range m.actions(f) {
		switch {
		case a.Command != c:
		case a.DisabledReason() == "":
			return tea.Batch(m.ring(1), m.runAction(f, a))
		case disabled == nil:
			disabled = &a
		}
	}
	switch {
	case disabled != nil:
		return tea.Batch(m.ring(2), m.runAction(f, *disabled))
	case !isKey:
		return m.commandUnavailable(c)
	}
	if tab := (tea.KeyMsg{Type: tea.KeyTab}); c == tui.DoNext {
		if t, ok := f.screen.(tui.TextInput); ok && t.AcceptsKey(tab) {
			k = tab
		}
	}
	return tea.Batch(m.ring(1), m.handleKey(k))
}

// commandUnavailable says that the screen does not have the command.
func (m *Model) commandUnavailable(c tui.Command) tea.Cmd {
	return tea.Batch(m.ring(2), m.showToast(tui.ToastMsg{Text: m.t.Get("The command \"%s\" does nothing here", c.Title(m.t)), Warn: true}))
}
