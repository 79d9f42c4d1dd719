package shell

import (
	"time"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/shell/internal/input"

	tea "github.com/charmbracelet/bubbletea"
)

// scanTickMsg arrives after the Wait of a scan.Step.
type scanTickMsg struct{}

// handleStep handles the scans and keys of a step, each with everything that waited for it.
func (m *Model) handleStep(step scan.Step) tea.Cmd {
	var cmds []tea.Cmd
	if step.Wait > 0 {
		cmds = append(cmds, m.opts.after(step.Wait, scanTickMsg{}))
	}

	for _, e := range step.Events {
		m.handled++
		switch {
		case e.Late && !m.timing.Scanned.IsZero(): // the scan has been handled
		case e.Scan != nil:
			m.timing.Scanned, m.timing.Unterminated = m.opts.Clock.Now(), e.Scan.Unterminated
			cmds = append(cmds, m.onScan(m.opts.withScreenTime(*e.Scan)))
		case e.Key.Type == tea.KeyEnter && m.readingScan():
			cmds = append(cmds, m.alerts.warn(m.t.Get("Enter ignored. Press it again.")))
		default:
			m.timing.Scanned = time.Time{}
			cmds = append(cmds, m.handleKey(e.Key))
		}

		cmds = append(cmds, m.drain())
	}

	if m.opts.ShowIdle && !m.settles {
		cmds = append(cmds, m.settle())
	}

	return tea.Batch(cmds...)
}

// settleMsg arrives while the last scan settles.
type settleMsg struct{}

// settle paints the mark for drivers again as long as a key, or the same scan again, may have
// no effect because of the last scan.
func (m *Model) settle() tea.Cmd {
	m.settles = m.settling()
	if !m.settles {
		return nil
	}
	return m.opts.after(50*time.Millisecond, settleMsg{})
}

// handleKey handles a key that a person pressed. It goes to the first of these that
// wants it: the login, the dialog, the shell's actions, the error, the screen.
func (m *Model) handleKey(k tea.KeyMsg) tea.Cmd {
	key := input.KeyOf(k)
	quiet, quit := m.timing.Key(key)
	switch {
	case quit:
		return m.actions.quit()
	case key == "ctrl+c":
		return m.alerts.warn(m.t.Get("Press ctrl+c again to quit"))
	}

	m.login.Touch()
	if !m.hasFault() && !m.dialogs.Guarded() {
		m.alerts.toast.Clear() // it belongs to what was done before
	}
	if m.login.Required() && !m.dialogTakesKeys() {
		return m.actions.afterLogin(m.login.Key(k, key, m.screens.unfinished()))
	}
	if a, ok := m.actions.shellAction(key); ok && m.dialogs.ShowsList() &&
		(a.ID == "shell.home" || a.ID == "shell.help") {
		m.dialogs.Close()
		return m.actions.run(m.screens.topID(), a)
	}

	if m.dialogs.Open() {
		r := m.dialogs.Key(k, key, quiet)
		if r.Find != "" {
			return m.onScan(scan.Parse(r.Find, m.opts.screenClock().Now()))
		}
		if r.Search {
			return m.actions.search()
		}
		return m.actions.answer(r)
	}

	if a, ok := m.actions.shellAction(key); ok {
		return m.actions.run(m.screens.topID(), a)
	}
	if m.hasFault() && !m.keepsTyped(k, key) {
		return m.faultKey(key)
	}
	if m.keyMustWait(k) {
		m.input.Add(scan.Event{Key: k})
		return nil
	}

	return m.screenKey(k)
}

// keepsTyped reports whether a key is text of the screen that asks to confirm a scan. The screen
// shows it after the answer.
func (m *Model) keepsTyped(k tea.KeyMsg, key string) bool {
	top := m.screens.top()
	return m.alerts.fault.ConfirmScan && m.alerts.fault.Screen == top.id && key != "enter" && key != "esc" &&
		top.accepts(k)
}

// faultKey handles a key while an error is shown: enter, esc and the error's own actions.
// It ignores all others, so that nobody continues without reading the error.
func (m *Model) faultKey(key string) tea.Cmd {
	if a, ok := input.ActionFor(m.opts.Keys, m.alerts.fault.Actions, key); ok && a.DisabledReason() == "" {
		return m.runFaultAction(a)
	}
	if key == "enter" || key == "esc" {
		return m.alerts.acknowledge()
	}
	return nil
}

// runFaultAction acknowledges the error and runs one of its actions.
func (m *Model) runFaultAction(a tui.Action) tea.Cmd {
	owner := m.alerts.fault.Screen
	if m.screens.byID(owner) == nil {
		owner = m.screens.topID()
	}
	return tea.Batch(m.alerts.acknowledge(), m.drain(), m.actions.run(owner, a))
}

// onScan handles a scan: a badge, a command, an answer to what is above the screen, or a
// scan for the screen, now or later.
func (m *Model) onScan(s scan.Scan) tea.Cmd {
	m.login.Touch()
	if !m.hasFault() || m.alerts.fault.ConfirmScan {
		m.alerts.toast.Clear()
	}

	c, known, isCommand := input.ParseCommand(s.Text)
	o := m.login.ByBadge(s.Text)
	switch {
	case known:
		return m.runCommand(c)
	case m.login.Required():
		return m.actions.afterLogin(m.login.Scan(s, m.screens.unfinished()))
	case o != nil:
		return m.actions.afterLogin(m.login.Present(o, m.screens.unfinished()))
	case isCommand:
		return m.alerts.error(m.t.Get("Unknown command %s. Reprint the command sheet.", string(c)))
	}

	if m.dialogs.Open() {
		text, takes := m.dialogs.Input()
		if text == "" {
			m.timing.ClearBurst(dialogBurst) // it was typed into another dialog
		}
		if cmd, typed := m.typeBurst(dialogBurst, takes, s, m.handleKey); typed {
			return cmd
		}
		if bells, done := m.dialogs.Scan(s); done {
			return m.alerts.ring(bells)
		}
	}

	if m.hasFault() {
		if !m.alerts.fault.ConfirmScan {
			return m.alerts.refuseScan()
		}
		owner := m.screens.byID(m.alerts.fault.Screen)
		if onYes := m.alerts.fault.Answer(s.Raw); onYes != nil && owner != nil {
			return m.pending.WithCause(input.Scan, func() tea.Cmd { return m.screens.run(owner, onYes()) })
		}
	}

	if s.Kind == scan.KindRefused {
		return m.alerts.error(m.t.Get("Too long for a code. Nothing was counted."))
	}

	m.input.Add(scan.Event{Scan: &s})

	return m.drain()
}

// commandKeys are the keys that commands press where no action of the screen has them.
var commandKeys = map[tui.Command]tea.KeyMsg{
	tui.DoConfirm: {Type: tea.KeyEnter}, tui.DoBack: {Type: tea.KeyEsc}, tui.DoNext: {Type: tea.KeyDown},
}

// runCommand runs a command barcode, or says why the screen cannot run it now.
func (m *Model) runCommand(c tui.Command) tea.Cmd {
	if c == tui.DoLogout {
		return m.actions.signOut()
	}

	k, isKey := commandKeys[c]
	if m.login.Required() || m.dialogs.Open() || m.hasFault() {
		if c == tui.DoConfirm || c == tui.DoBack {
			return tea.Batch(m.alerts.ring(1), m.handleKey(k))
		}
		return m.alerts.unavailable(c)
	}

	top := m.screens.top()
	if top == nil {
		return nil
	}

	var disabled *tui.Action
	for _, a := range top.screen.Actions() {
		switch {
		case a.Command != c:
		case a.DisabledReason() == "":
			return tea.Batch(m.alerts.ring(1), m.actions.run(top.id, a))
		case disabled == nil:
			disabled = &a
		}
	}

	switch {
	case disabled != nil:
		return tea.Batch(m.alerts.ring(2), m.actions.run(top.id, *disabled))
	case !isKey:
		return m.alerts.unavailable(c)
	}

	if tab := (tea.KeyMsg{Type: tea.KeyTab}); c == tui.DoNext && top.accepts(tab) {
		k = tab
	}

	return tea.Batch(m.alerts.ring(1), m.handleKey(k))
}

// handleMouse runs the actions of the footer, treats the wheel as arrow keys, and sends
// everything else to the screen, relative to its body.
func (m *Model) handleMouse(msg tea.MouseMsg) tea.Cmd {
	top := m.screens.top()
	if !m.actions.mouse || top == nil || m.login.Required() {
		return nil
	}

	switch msg.Button {
	case tea.MouseButtonWheelUp:
		return m.handleKey(tea.KeyMsg{Type: tea.KeyUp})
	case tea.MouseButtonWheelDown:
		return m.handleKey(tea.KeyMsg{Type: tea.KeyDown})
	}

	if m.dialogs.Open() {
		return nil
	}

	l := m.frame.layout()
	if msg.Action == tea.MouseActionPress && msg.Y >= l.FooterAt {
		if a, ok := l.Clicked(msg.X, msg.Y); ok {
			m.alerts.toast.Clear()
			return m.actions.run(top.id, a)
		}
		return nil
	}

	if m.hasFault() || msg.Y < l.BodyAt || msg.Y >= l.BodyAt+l.Body.Height {
		return nil
	}

	msg.Y -= l.BodyAt

	return m.screens.update(top, msg)
}
