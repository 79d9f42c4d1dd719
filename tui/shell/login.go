package shell

import (
	"strings"
	"time"

	"bincard/tui"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// login is the operator of the terminal, and whether it is locked.
type login struct {
	operator     *tui.Operator // nil while nobody is signed in
	locked       bool          // the operator has to sign in again
	candidate    *tui.Operator // who has to enter a PIN
	input        widget.Input
	problem      string
	lastInput    time.Time // the last key or scan
	failures     int       // wrong PINs in a row
	blockedUntil time.Time // no PIN is accepted before
	dialog       *dialog   // identifies the question in DialogState
}

const (
	pinAttempts = 3                // wrong PINs before a pause
	pinPause    = 30 * time.Second // in which no PIN is accepted
)

// loginRequired reports whether the terminal waits for a badge or a name.
func (m *Model) loginRequired() bool {
	return len(m.opts.Login.Operators) > 0 && (m.login.operator == nil || m.login.locked)
}

// dialogTakesKeys reports whether a dialog is open that accepts keys. While a login is
// required, only the shell's question whether to quit does.
func (m *Model) dialogTakesKeys() bool {
	return m.dialog != nil && (!m.loginRequired() || m.dialog.screen == 0 && m.dialog.kind == questionKind)
}

// startLogin signs in Login.Current.
func (m *Model) startLogin() {
	m.login.lastInput = m.opts.Clock.Now()
	for i, o := range m.opts.Login.Operators {
		if o.Name == m.opts.Login.Current {
			m.setOperator(&m.opts.Login.Operators[i])
			return
		}
	}
	if len(m.opts.Login.Operators) > 0 {
		m.operatorChanged("")
	}
}

func (m *Model) setOperator(o *tui.Operator) {
	m.login = login{operator: o, lastInput: m.opts.Clock.Now()}
	m.operatorChanged(o.Name)
}

func (m *Model) operatorChanged(name string) {
	m.status.Operator = name
	if m.opts.Login.OnChange != nil {
		m.opts.Login.OnChange(name)
	}
}

// isSupervisor reports whether the operator is a supervisor. Without operators, everyone
// is.
func (m *Model) isSupervisor() bool {
	return len(m.opts.Login.Operators) == 0 || m.login.operator != nil && m.login.operator.Supervisor
}

// operatorByBadge returns the operator with a badge, or nil.
func (m *Model) operatorByBadge(code string) *tui.Operator {
	for i, o := range m.opts.Login.Operators {
		if o.Badge != "" && strings.EqualFold(strings.TrimSpace(code), o.Badge) {
			return &m.opts.Login.Operators[i]
		}
	}
	return nil
}

// presentBadge signs in an operator by badge or name, or asks for the PIN first. The
// screens and their counts stay.
func (m *Model) presentBadge(o *tui.Operator) tea.Cmd {
	if m.busy() {
		return tea.Batch(m.ring(2), m.showToast(tui.ToastMsg{Text: m.t.Get("Still sending. Wait a moment"), Warn: true}))
	}
	if o == m.login.operator && !m.login.locked {
		return tea.Batch(m.ring(1), m.showToast(tui.ToastMsg{Text: m.t.Get("Signed in as %s", o.Name)}))
	}
	if o.Check != nil {
		m.login.candidate, m.login.problem, m.login.dialog = o, "", nil
		m.login.input.Set("")
		m.login.locked = true // until the PIN or esc
		return m.ring(1)
	}
	return m.logIn(o)
}

func (m *Model) logIn(o *tui.Operator) tea.Cmd {
	m.setOperator(o)
	return tea.Batch(m.ring(1), m.showToast(tui.ToastMsg{Text: m.t.Get("Signed in as %s", o.Name)}), m.drain())
}

// busy reports whether a screen is sending in the operator's name.
func (m *Model) busy() bool {
	for _, f := range m.frames {
		if w, ok := f.screen.(tui.Busy); ok && w.Busy() {
			return true
		}
	}
	return false
}

// logOut signs the operator out. The screens stay.
func (m *Model) logOut() tea.Cmd {
	switch {
	case len(m.opts.Login.Operators) == 0:
		return m.commandUnavailable(tui.DoLogout)
	case m.busy():
		return tea.Batch(m.ring(2), m.showToast(tui.ToastMsg{Text: m.t.Get("Still sending. Wait a moment"), Warn: true}))
	}
	m.saveAll()
	m.login = login{lastInput: m.opts.Clock.Now()}
	m.operatorChanged("")
	return m.ring(1)
}

// idleLock locks the terminal after Login.LockAfter without input.
func (m *Model) idleLock() {
	limit := m.opts.Login.LockAfter
	if limit > 0 && m.login.operator != nil && !m.login.locked && !m.busy() && m.opts.Clock.Now().Sub(m.login.lastInput) >= limit {
		m.saveAll()
		m.login.locked = true
	}
}

// loginScan handles a scan while a login is required.
func (m *Model) loginScan(text string) tea.Cmd {
	o := m.operatorByBadge(text)
	if o == nil {
		m.login.problem = m.t.Get("Unknown badge or name. Try again, or ask your supervisor")
		return m.ring(2)
	}
	return m.presentBadge(o)
}

// loginKey handles a key while a login is required.
func (m *Model) loginKey(k tea.KeyMsg, key string) tea.Cmd {
	l := &m.login
	switch key {
	case "ctrl+q":
		return m.askQuit()
	case "esc":
		if l.candidate != nil && l.operator != nil && l.candidate != l.operator {
			l.locked = false // the signed-in operator continues
		}
		l.candidate, l.problem = nil, ""
		l.input.Set("")
		return m.drain()
	case "enter":
		return m.loginEnter()
	}
	l.problem = ""
	l.input.Key(k)
	return nil
}

func (m *Model) loginEnter() tea.Cmd {
	l := &m.login
	text := strings.TrimSpace(l.input.Value())
	if text == "" {
		return nil
	}
	l.input.Set("")
	now := m.opts.Clock.Now()
	switch {
	case l.candidate == nil:
		for i, o := range m.opts.Login.Operators {
			named := strings.EqualFold(text, o.Name) && (!o.RequireProof || o.Check != nil)
			if named || o.Badge != "" && strings.EqualFold(text, o.Badge) {
				return m.presentBadge(&m.opts.Login.Operators[i])
			}
		}
		l.problem = m.t.Get("Unknown badge or name. Try again, or ask your supervisor")
	case now.Before(l.blockedUntil):
		l.problem = m.t.Get("Too many wrong PINs. Wait %d s", int(l.blockedUntil.Sub(now).Seconds())+1)
	case l.candidate.Check(text):
		return m.logIn(l.candidate)
	default:
		l.problem = m.t.Get("Wrong PIN. Try again")
		if l.failures++; l.failures%pinAttempts == 0 {
			l.blockedUntil = now.Add(pinPause)
			l.problem = m.t.Get("Too many wrong PINs. Wait %d s", int(pinPause.Seconds()))
		}
	}
	return m.ring(2)
}

// loginView paints the body while a login is required.
func (m *Model) loginView(size tui.Size) []string {
	t, l := m.opts.Theme, &m.login
	margin := ""
	if !size.Small() {
		margin = "  "
	}
	ask, head := m.t.Get("Scan your badge or type your name"), m.t.Get("Nobody is signed in")
	if l.operator != nil {
		head = m.t.Get("Locked by %s. Nothing is lost", widget.Clean(l.operator.Name))
	}
	if l.candidate != nil {
		ask = m.t.Get("PIN of %s", widget.Clean(l.candidate.Name))
	}
	width := size.Width - len(margin)
	var lines []string
	if !size.Small() {
		lines = append(lines, "")
	}
	add := func(text string, paint func(string) string) {
		for _, line := range widget.Wrap(text, max(1, width-2)) {
			lines = append(lines, margin+paint(line))
		}
	}
	add(head, func(s string) string { return t.Strong.Render(s) })
	lines = append(lines, "")
	first := true
	add(ask, func(s string) string {
		if !first {
			return "  " + s
		}
		first = false
		return t.Ask(s)
	})
	shown := l.input.View
	if l.candidate != nil {
		shown = l.input.Masked
	}
	lines = append(lines, margin+"  "+shown(max(1, width-2)))
	if l.problem != "" {
		lines = append(lines, "")
		add(l.problem, func(s string) string { return t.Refused(s) })
	}
	return lines
}

// loginDialogState describes the login as a dialog.
func (m *Model) loginDialogState() *DialogState {
	l := &m.login
	if l.dialog == nil {
		l.dialog = &dialog{}
	}
	text := m.t.Get("Scan your badge or type your name")
	switch {
	case l.candidate != nil:
		text = m.t.Get("PIN of %s", widget.Clean(l.candidate.Name))
	case l.operator != nil:
		text = m.t.Get("Locked by %s. Nothing is lost", widget.Clean(l.operator.Name)) + ". " + text
	}
	return &DialogState{Text: text, Problem: l.problem, dialog: l.dialog}
}

// loginActions returns the actions in the footer while a login is required.
func (m *Model) loginActions() []tui.Action {
	actions := []tui.Action{{Keys: []string{"enter"}, Label: m.t.Get("ok")}}
	if m.login.candidate != nil {
		actions = append(actions, tui.Action{Keys: []string{"esc"}, Label: m.t.Get("back")})
	}
	return append(actions, tui.Action{Keys: []string{"ctrl+q"}, Label: m.t.Get("quit")})
}

// actions returns the actions of a screen and disables those that the operator may not
// run.
func (m *Model) actions(f *frame) []tui.Action {
	actions := f.screen.Actions()
	if m.isSupervisor() {
		return actions
	}
	for i, a := range actions {
		if a.Supervisor && a.DisabledReason() == "" {
			actions[i].Disabled = func() string { return m.t.Get("Only a supervisor may do that. Scan a supervisor's badge") }
		}
	}
	return actions
}
