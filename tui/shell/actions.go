package shell

import (
	"cmp"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/shell/internal/dialog"
	"bincard/tui/shell/internal/keys"
	"bincard/tui/shell/internal/pending"

	tea "github.com/charmbracelet/bubbletea"
)

type guardEndMsg struct{}

// KeymapProblems describes the mistakes in a keymap before any screen is open.
func KeymapProblems(k tui.Keymap, t *i18n.Translator) []string {
	return keys.Problems(k, shellActions(t, true), t)
}

// shellActions returns the actions of the shell without what they run.
func shellActions(t *i18n.Translator, signOut bool) []tui.Action {
	action := func(id, label, key string) tui.Action {
		return tui.Action{ID: "shell." + id, Label: label, Keys: []string{key}, NoFooter: true, Shell: true}
	}
	actions := []tui.Action{
		action("palette", t.Get("all actions"), "ctrl+p"),
		action("help", t.Get("help"), "f1"),
		action("find", t.Get("find"), "f2"),
		action("home", t.Get("home"), "ctrl+g"),
		action("mouse", t.Get("mouse on/off"), "f12"),
		action("quit", t.Get("quit"), "ctrl+q"),
	}
	if signOut {
		actions = append(actions, action("logoff", t.Get("sign out"), "ctrl+l"))
	}
	return actions
}

// runAction runs an action, asks first if it is dangerous, or says why it cannot run. A
// supervisor has to approve what the operator's role does not allow.
func (m *Model) runAction(s *openScreen, a tui.Action) tea.Cmd {
	if reason := a.DisabledReason(); reason != "" {
		return m.alerts.warn(reason)
	}
	if a.Run == nil {
		return nil
	}
	id := 0
	if s != nil {
		id = s.id
	}
	if !m.login.Allowed(a) {
		m.login.AskApproval(id, a)
		return nil
	}
	return m.runAllowed(id, a)
}

// perform runs an action that a screen asked for. Within an approved action it is approved.
func (m *Model) perform(screen int, a tui.Action) tea.Cmd {
	s := m.screens.byID(screen)
	switch {
	case s == nil:
		return nil
	case m.pending.ApprovedBy(screen) != "":
		return m.runAllowed(screen, a)
	}
	return m.runAction(s, a)
}

// runAllowed runs an action that the operator may run.
func (m *Model) runAllowed(id int, a tui.Action) tea.Cmd {
	s := m.screens.byID(id)
	if a.Dangerous {
		question := a.Ask
		if question == "" {
			question = a.Label + "?"
		}
		q := tui.Question{Text: question, Yes: a.Label, No: a.No, OnYes: a.Run}
		if a.Yes != "" {
			q.Yes, q.YesShort = a.Yes, cmp.Or(a.Short, a.Label)
		}
		return m.openDialog(id, tui.DialogMsg{Question: &q})
	}
	switch {
	case a.Shell:
		return a.Run()
	case s == nil:
		return m.pending.Start(0, a.Run())
	}
	return m.screens.run(s, a.Run())
}

// openDialog opens a dialog that a screen asked for. A dialog long after the last key did
// not respond to that key, so it ignores what the operator is typing meanwhile.
func (m *Model) openDialog(screen int, msg tui.DialogMsg) tea.Cmd {
	guarded := m.timing.DialogIsLate()
	m.dialogs.Push(pending.Source{Screen: screen, ApprovedBy: m.pending.ApprovedBy(screen)}, msg, guarded)
	if !guarded {
		return nil
	}
	m.input.DiscardKeys()
	return m.unguardAfter(dialog.QuietPeriod)
}

func (m *Model) unguardAfter(d time.Duration) tea.Cmd {
	return m.opts.after(d, guardEndMsg{})
}

// unguard lets a late dialog accept keys once input has paused.
func (m *Model) unguard() tea.Cmd {
	if !m.dialogs.Guarded() {
		return nil
	}
	if left := dialog.QuietPeriod - m.timing.Quiet(); left > 0 {
		return m.unguardAfter(left)
	}
	m.dialogs.Unguard()
	return nil
}

// runAnswer runs a dialog's answer as a command of the screen that opened it.
func (m *Model) runAnswer(r dialog.Result) tea.Cmd {
	switch {
	case r.Bells > 0:
		return m.alerts.ring(r.Bells)
	case r.Run == nil:
		return nil
	case r.Shell:
		return r.Run()
	}
	return m.pending.From(r.Source, func() tea.Cmd {
		if s := m.screens.byID(r.Source.Screen); s != nil {
			return m.screens.run(s, r.Run())
		}
		return m.pending.Start(0, r.Run())
	})
}
