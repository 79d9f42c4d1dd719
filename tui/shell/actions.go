package shell

import (
	"cmp"
	"strings"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/shell/internal/dialog"
	"bincard/tui/shell/internal/input"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

type guardEndMsg struct{}

// KeymapProblems describes the mistakes in a keymap before any screen is open.
func KeymapProblems(k tui.Keymap, t *i18n.Translator) []string {
	return input.KeymapProblems(k, shellActions(t, true), t)
}

// shellActions returns the actions of the shell without what they run.
func shellActions(t *i18n.Translator, signOut bool) []tui.Action {
	action := func(id, label, key string) tui.Action {
		return tui.Action{ID: "shell." + id, Label: label, Key: key, NoFooter: true, Shell: true}
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

// actions run the actions of screens and of the shell. They ask a supervisor or for a
// confirmation first, and have the shell's dialogs.
type actions struct {
	parts
	screens   *screens
	mouse     bool // the shell gets the mouse
	searching bool // the finder is running
}

// run runs an action of a screen, asks first if it is dangerous, or says why it cannot run. A
// supervisor has to approve what the operator's role does not allow. Within an approved
// action everything is approved.
func (r *actions) run(screen int, a tui.Action) tea.Cmd {
	reason := a.DisabledReason()
	switch {
	case reason != "":
		return r.alerts.warn(reason)
	case a.Run == nil:
		return nil
	case r.pending.ApprovedBy(screen) == "" && !r.login.Allowed(a):
		r.login.AskApproval(screen, a)
		return nil
	case a.Dangerous:
		q := tui.Question{Text: cmp.Or(a.Ask, a.Label+"?"), Yes: a.Label, No: a.No, OnYes: a.Run}
		if a.Yes != "" {
			q.Yes, q.YesShort = a.Yes, cmp.Or(a.Short, a.Label)
		}
		return r.openDialog(screen, tui.DialogMsg{Question: &q})

	case a.Shell:
		return a.Run()
	}

	return r.screens.start(screen, a.Run)
}

// openDialog opens a dialog that a screen asked for. A dialog long after the last key did
// not respond to that key, so it ignores what the operator is typing meanwhile.
func (r *actions) openDialog(screen int, msg tui.DialogMsg) tea.Cmd {
	guarded := r.timing.DialogIsLate()
	r.dialogs.Push(input.Source{Screen: screen, ApprovedBy: r.pending.ApprovedBy(screen)}, msg, guarded)
	if !guarded {
		return nil
	}
	r.input.DiscardKeys()
	return r.unguardAfter(dialog.QuietPeriod)
}

func (r *actions) unguardAfter(d time.Duration) tea.Cmd {
	return r.opts.after(d, guardEndMsg{})
}

// unguard lets a late dialog accept keys once input has paused.
func (r *actions) unguard() tea.Cmd {
	if !r.dialogs.Guarded() {
		return nil
	}
	if left := dialog.QuietPeriod - r.timing.Quiet(); left > 0 {
		return r.unguardAfter(left)
	}
	r.dialogs.Unguard()
	return nil
}

// answer runs a dialog's answer as a command of the screen that opened it.
func (r *actions) answer(result dialog.Result) tea.Cmd {
	switch {
	case result.Bells > 0:
		return r.alerts.ring(result.Bells)
	case result.Run == nil:
		return nil
	case result.Shell:
		return result.Run()
	}

	return r.pending.From(result.Source, func() tea.Cmd { return r.screens.start(result.Source.Screen, result.Run) })
}

// afterLogin says what happened at a login, and runs what a supervisor approved.
func (r *actions) afterLogin(result dialog.LoginResult) tea.Cmd {
	if result.AskEnd {
		return r.quit()
	}
	if result.SignIn {
		r.screens.changeOperator()
	}

	cmd := tea.Batch(r.alerts.ring(result.Bells), r.screens.openFirst())
	if a := result.Approval; a != nil && r.screens.byID(a.Screen) != nil {
		source := input.Source{Screen: a.Screen, ApprovedBy: a.Supervisor}
		return tea.Batch(cmd, r.alerts.success(r.t.Get("Approved by %s", a.Supervisor)),
			r.pending.From(source, func() tea.Cmd { return r.run(a.Screen, a.Action) }))
	}

	if result.Toast != "" {
		cmd = tea.Batch(cmd, r.alerts.show(tui.ToastMsg{Text: result.Toast, Warn: result.Warn}))
	}

	return cmd
}

// shell returns the actions of the shell, which can be remapped too.
func (r *actions) shell() []tui.Action {
	run := map[string]func() tea.Cmd{"shell.palette": r.palette, "shell.help": r.help, "shell.find": r.showFind,
		"shell.home": r.screens.goHome, "shell.mouse": r.toggleMouse, "shell.quit": r.quit, "shell.logoff": r.signOut}
	actions := shellActions(r.t, r.login.Enabled())
	for i, a := range actions {
		actions[i].Run = run[a.ID]
	}
	return actions
}

// shellAction returns the shell's action of a key. While an error is shown, only help and
// quit are available.
func (r *actions) shellAction(key string) (tui.Action, bool) {
	a, ok := input.ActionFor(r.opts.Keys, r.shell(), key)
	if r.hasFault() && a.ID != "shell.help" && a.ID != "shell.quit" {
		return tui.Action{}, false
	}
	return a, ok
}

// palette lists all actions and all screens to open.
func (r *actions) palette() tea.Cmd {
	var all []tui.Action
	var items []dialog.Item
	s, id := r.screens.top(), r.screens.topID()
	if s != nil {
		all = s.screen.Actions()
	}

	for _, e := range r.opts.Registry.Entries() {
		if e.Label == "" || strings.Contains(e.Pattern, "{") {
			continue
		}

		a := tui.Action{
			Label: r.t.Get("Open: %s", r.t.Get(e.Label)),
			Shell: true,
			Run:   func() tea.Cmd { return r.screens.open(tui.OpenMsg{Route: e.Pattern}) },
		}
		if e.Denied != nil && s != nil {
			a.Disabled = func() string { return e.Denied(s.env) }
		}

		all = append(all, a)
	}

	for _, a := range append(all, r.shell()...) {
		if a.Run == nil || a.ID == "shell.palette" { // without Run, it only shows the keys of other actions
			continue
		}
		items = append(
			items,
			dialog.Item{
				Label:    widget.Capitalize(widget.Clean(a.Label)),
				Keys:     input.KeyLabels(r.opts.Translator, r.opts.Keys.KeysFor(a)),
				Disabled: a.DisabledReason(),
				Shell:    true,
				Run:      func() tea.Cmd { return r.run(id, a) },
			},
		)
	}

	r.dialogs.ShowList(id, r.t.Get("Type an action or a screen"), items)

	return nil
}

// help opens the help page: the actions of the screen and of the shell.
func (r *actions) help() tea.Cmd {
	s := r.screens.top()
	if s == nil {
		return nil
	}

	var lines []dialog.HelpLine
	for _, problem := range r.screens.keyProblems() {
		lines = append(lines, dialog.HelpLine{Disabled: problem})
	}
	if len(lines) > 0 {
		lines = append(lines, dialog.HelpLine{})
	}

	lines = append(lines, dialog.HelpLines(r.opts.Translator, r.opts.Keys, s.screen.Actions())...)
	lines = append(lines, dialog.HelpLine{}, dialog.HelpLine{Head: r.t.Get("Everywhere")})
	lines = append(lines, dialog.HelpLines(r.opts.Translator, r.opts.Keys, r.shell())...)
	title := r.t.Get("help")
	if name := widget.Clean(s.screen.Title()); name != "" {
		title += ": " + name
	}

	r.dialogs.ShowHelp(s.id, title, lines)

	return nil
}

// toggleMouse turns mouse capture on or off. While it is on, the terminal itself cannot
// select text.
func (r *actions) toggleMouse() tea.Cmd {
	r.mouse = !r.mouse
	if r.mouse {
		return tea.Batch(tea.EnableMouseCellMotion, r.alerts.success(r.t.Get("Mouse on: hold shift to select text")))
	}
	return tea.Batch(tea.DisableMouse, r.alerts.success(r.t.Get("Mouse off: select text as usual")))
}

// quit ends the session, or asks first if work is unsent.
func (r *actions) quit() tea.Cmd {
	end := func() tea.Cmd { return func() tea.Msg { return endMsg{} } }
	reasons := r.screens.quitReasons()
	if len(reasons) == 0 {
		return end()
	}
	return r.openDialog(0,
		tui.DialogMsg{Question: &tui.Question{Text: strings.Join(reasons, " "), Yes: r.t.Get("quit"), OnYes: end}})
}

// signOut signs the operator out. The screens stay.
func (r *actions) signOut() tea.Cmd {
	switch {
	case !r.login.Enabled():
		return r.alerts.unavailable(tui.DoLogout)
	case r.screens.sending():
		return r.alerts.refuse(r.t.Get("Still sending. Wait a moment."))
	}

	r.screens.saveAll()
	r.login.SignOut()
	r.screens.changeOperator()

	return r.alerts.ring(1)
}
