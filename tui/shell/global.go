package shell

import (
	"strings"

	"bincard/tui"
	"bincard/tui/shell/internal/dialog"
	"bincard/tui/shell/internal/keys"
	"bincard/tui/shell/internal/login"
	"bincard/tui/shell/internal/pending"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// globalActions returns the actions of the shell, which can be remapped too.
func (m *Model) globalActions() []tui.Action {
	run := map[string]func() tea.Cmd{"shell.palette": m.showPalette, "shell.help": m.showHelp, "shell.find": m.showFind,
		"shell.home": m.screens.goHome, "shell.mouse": m.toggleMouse, "shell.quit": m.askQuit, "shell.logoff": m.logOut}
	actions := shellActions(m.t, m.login.Enabled())
	for i, a := range actions {
		actions[i].Run = run[a.ID]
	}
	return actions
}

// shellAction returns the shell's action of a key. While an error is shown, only help and
// quit are available.
func (m *Model) shellAction(key string) (tui.Action, bool) {
	a, ok := keys.ActionFor(m.opts.Keys, m.globalActions(), key)
	if m.alerts.fault.Active() && a.ID != "shell.help" && a.ID != "shell.quit" {
		return tui.Action{}, false
	}
	return a, ok
}

// showPalette lists all actions and all screens to open.
func (m *Model) showPalette() tea.Cmd {
	var items []dialog.Item
	s := m.screens.top()
	add := func(actions []tui.Action) {
		for _, a := range actions {
			if a.Run == nil || a.ID == "shell.palette" { // without Run, it only shows the keys of other actions
				continue
			}
			items = append(items, dialog.Item{Label: widget.Capitalize(widget.Clean(a.Label)), Keys: keys.Labels(m.opts.Keys.KeysFor(a)),
				Disabled: a.DisabledReason(), Shell: true, Run: func() tea.Cmd { return m.runAction(s, a) }})
		}
	}
	if s != nil {
		add(s.screen.Actions())
	}
	for _, e := range m.opts.Registry.Entries() {
		if e.Label == "" || strings.Contains(e.Pattern, "{") {
			continue
		}
		it := dialog.Item{Label: m.t.Get("Open: %s", m.t.Get(e.Label)), Shell: true, Run: func() tea.Cmd { return m.screens.open(tui.OpenMsg{Route: e.Pattern}) }}
		if e.Denied != nil && s != nil {
			it.Disabled = e.Denied(s.env)
		}
		items = append(items, it)
	}
	add(m.globalActions())
	m.dialogs.ShowList(m.screens.topID(), m.t.Get("Type an action or a screen"), items)
	return nil
}

// showHelp opens the help page: the actions of the screen and of the shell.
func (m *Model) showHelp() tea.Cmd {
	s := m.screens.top()
	if s == nil {
		return nil
	}
	var lines []dialog.HelpLine
	for _, problem := range m.screens.keyProblems() {
		lines = append(lines, dialog.HelpLine{Disabled: problem})
	}
	if len(lines) > 0 {
		lines = append(lines, dialog.HelpLine{})
	}
	lines = append(lines, dialog.HelpLines(m.opts.Keys, s.screen.Actions())...)
	lines = append(lines, dialog.HelpLine{}, dialog.HelpLine{Head: m.t.Get("Everywhere")})
	lines = append(lines, dialog.HelpLines(m.opts.Keys, m.globalActions())...)
	title := m.t.Get("help")
	if name := widget.Clean(s.screen.Title()); name != "" {
		title += ": " + name
	}
	m.dialogs.ShowHelp(s.id, title, lines)
	return nil
}

// toggleMouse turns mouse capture on or off. While it is on, the terminal itself cannot
// select text.
func (m *Model) toggleMouse() tea.Cmd {
	m.mouse = !m.mouse
	if m.mouse {
		return tea.Batch(tea.EnableMouseCellMotion, m.alerts.success(m.t.Get("Mouse on: hold shift to select text")))
	}
	return tea.Batch(tea.DisableMouse, m.alerts.success(m.t.Get("Mouse off: select text as usual")))
}

// askQuit ends the session, or asks first if work is unsent.
func (m *Model) askQuit() tea.Cmd {
	reasons := m.screens.quitReasons()
	if len(reasons) == 0 {
		return m.end()
	}
	return m.openDialog(0, tui.DialogMsg{Question: &tui.Question{Text: strings.Join(reasons, " "),
		Yes: m.t.Get("quit"), OnYes: func() tea.Cmd { return func() tea.Msg { return endMsg{} } }}})
}

// logOut signs the operator out. The screens stay.
func (m *Model) logOut() tea.Cmd {
	switch {
	case !m.login.Enabled():
		return m.commandUnavailable(tui.DoLogout)
	case m.screens.sending():
		return m.alerts.refuse(m.t.Get("Still sending. Wait a moment"))
	}
	m.screens.saveAll()
	m.login.SignOut()
	m.operatorChanged()
	return m.alerts.ring(1)
}

// afterLogin says what happened at a login.
func (m *Model) afterLogin(r login.Result) tea.Cmd {
	if r.AskEnd {
		return m.askQuit()
	}
	if r.SignIn {
		m.operatorChanged()
	}
	cmd := tea.Batch(m.alerts.ring(r.Bells), m.screens.openFirst())
	if a := r.Approval; a != nil && m.screens.byID(a.Screen) != nil {
		return tea.Batch(cmd, m.alerts.success(m.t.Get("Approved by %s", a.Supervisor)),
			m.pending.From(pending.Source{Screen: a.Screen, ApprovedBy: a.Supervisor}, func() tea.Cmd { return m.runAllowed(a.Screen, a.Action) }))
	}
	if r.Toast != "" {
		cmd = tea.Batch(cmd, m.alerts.show(tui.ToastMsg{Text: r.Toast, Warn: r.Warn}))
	}
	return cmd
}

// commandUnavailable says that the screen does not have a command.
func (m *Model) commandUnavailable(c tui.Command) tea.Cmd {
	return m.alerts.refuse(m.t.Get("The command \"%s\" does nothing here", c.Title(m.t)))
}

// operatorChanged shows the operator in the header and tells Login.OnChange. What belongs to
// another operator closes: openFirst opens the screens of the new one.
func (m *Model) operatorChanged() {
	name := m.login.Operator()
	if name != "" && name != m.screens.saved.operator {
		m.dialogs.Close() // they, and the right to answer them, are those of the operator
		m.screens.leave(name)
		if n := m.input.Discard(); n > 0 {
			m.opts.Log.Warn("scans discarded: another operator signed in", "count", n)
		}
		m.searching = false
	}
	m.status.Operator = name
	if m.opts.Login.OnChange != nil {
		m.opts.Login.OnChange(name)
	}
}
