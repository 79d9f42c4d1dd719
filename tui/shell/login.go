package shell

import (
	"strings"
	"time"

	"bincard/tui"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// login is who works at the terminal, and whether it is locked.
type login struct {
	operator     *tui.Operator // nil while nobody is logged on
	locked       bool          // somebody is, and must show it again
	candidate    *tui.Operator // whose PIN is asked for
	input        widget.Input
	problem      string
	lastInput    time.Time // the last key or scan
	failures     int       // wrong PINs in a row
	blockedUntil time.Time // no PIN is taken before
	dialog       *dialog   // stands for the question where it is spoken
}

const (
	pinAttempts = 3                // wrong ones before a pause
	pinPause    = 30 * time.Second // for which none is taken
)

// loginRequired tells that the terminal waits for a badge or a name.
func (m *Model) loginRequired() bool {
	return len(m.opts.Login.Operators) > 0 && (m.login.operator == nil || m.login.locked)
}

// dialogTakesKeys tells whether a dialog stands that hears keys: while the terminal is
// shut only the shell's own question does, whether to quit.
func (m *Model) dialogTakesKeys() bool {
	return m.dialog != nil && (!m.loginRequired() || m.dialog.screen == 0 && m.dialog.kind == questionKind)
}

// startLogin lets the operator of the start in, unless a PIN is needed.
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

// isSupervisor tells whether who works here is a supervisor; where nobody logs
// on, everybody is.
func (m *Model) isSupervisor() bool {
	return len(m.opts.Login.Operators) == 0 || m.login.operator != nil && m.login.operator.Supervisor
}

// operatorByBadge finds whose badge a scan is.
func (m *Model) operatorByBadge(code string) *tui.Operator {
	for i, o := range m.opts.Login.Operators {
		if o.Badge != "" && strings.EqualFold(strings.TrimSpace(code), o.Badge) {
			return &m.opts.Login.Operators[i]
		}
	}
	return nil
}

// presentBadge lets a person in who showed a badge: at once, or after the PIN. The
// screens stay as they are, with what is counted on them.
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
		m.login.locked = true // nobody works on until the PIN is there, or esc
		return m.ring(1)
	}
	return m.logIn(o)
}

func (m *Model) logIn(o *tui.Operator) tea.Cmd {
	m.setOperator(o)
	return tea.Batch(m.ring(1), m.showToast(tui.ToastMsg{Text: m.t.Get("Signed in as %s", o.Name)}), m.drain())
}

// busy tells whether something is being sent in somebody's name.
func (m *Model) busy() bool {
	for _, f := range m.frames {
		if w, ok := f.screen.(tui.Busy); ok && w.Busy() {
			return true
		}
	}
	return false
}

// logOut lets nobody work any more; everything stays as it is.
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

// idleLock locks the terminal when nobody touched it for long enough.
func (m *Model) idleLock() {
	limit := m.opts.Login.LockAfter
	if limit > 0 && m.login.operator != nil && !m.login.locked && !m.busy() && m.opts.Clock.Now().Sub(m.login.lastInput) >= limit {
		m.saveAll()
		m.login.locked = true
	}
}

// loginScan handles a scan while the terminal is shut: a badge opens it.
func (m *Model) loginScan(text string) tea.Cmd {
	o := m.operatorByBadge(text)
	if o == nil {
		m.login.problem = m.t.Get("Unknown badge or name. Try again, or ask your supervisor")
		return m.ring(2)
	}
	return m.presentBadge(o)
}

// loginKey handles a key while the terminal is shut: a name or a PIN.
func (m *Model) loginKey(k tea.KeyMsg, key string) tea.Cmd {
	g := &m.login
	switch key {
	case "ctrl+q":
		return m.askQuit()
	case "esc":
		if g.candidate != nil && g.operator != nil && g.candidate != g.operator {
			g.locked = false // the one who works here goes on
		}
		g.candidate, g.problem = nil, ""
		g.input.Set("")
		return m.drain()
	case "enter":
		return m.loginEnter()
	}
	g.problem = ""
	g.input.Key(k)
	return nil
}

func (m *Model) loginEnter() tea.Cmd {
	g := &m.login
	text := strings.TrimSpace(g.input.Value())
	if text == "" {
		return nil
	}
	g.input.Set("")
	now := m.opts.Clock.Now()
	switch {
	case g.candidate == nil:
		for i, o := range m.opts.Login.Operators {
			named := strings.EqualFold(text, o.Name) && (!o.RequireProof || o.Check != nil)
			if named || o.Badge != "" && strings.EqualFold(text, o.Badge) {
				return m.presentBadge(&m.opts.Login.Operators[i])
			}
		}
		g.problem = m.t.Get("Unknown badge or name. Try again, or ask your supervisor")
	case now.Before(g.blockedUntil):
		g.problem = m.t.Get("Too many wrong PINs. Wait %d s", int(g.blockedUntil.Sub(now).Seconds())+1)
	case g.candidate.Check(text):
		return m.logIn(g.candidate)
	default:
		g.problem = m.t.Get("Wrong PIN. Try again")
		if g.failures++; g.failures%pinAttempts == 0 {
			g.blockedUntil = now.Add(pinPause)
			g.problem = m.t.Get("Too many wrong PINs. Wait %d s", int(pinPause.Seconds()))
		}
	}
	return m.ring(2)
}

// loginView is what stands in the body while the terminal is shut.
func (m *Model) loginView(size tui.Size) []string {
	t, g := m.opts.Theme, &m.login
	margin := ""
	if !size.Small() {
		margin = "  "
	}
	ask, head := m.t.Get("Scan your badge or type your name"), m.t.Get("Nobody is signed in")
	if g.operator != nil {
		head = m.t.Get("Locked by %s. Nothing is lost", widget.Clean(g.operator.Name))
	}
	if g.candidate != nil {
		ask = m.t.Get("PIN of %s", widget.Clean(g.candidate.Name))
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
	shown := g.input.View
	if g.candidate != nil {
		shown = g.input.Masked
	}
	lines = append(lines, margin+"  "+shown(max(1, width-2)))
	if g.problem != "" {
		lines = append(lines, "")
		add(g.problem, func(s string) string { return t.Refused(s) })
	}
	return lines
}

// loginDialogState is the question of a shut terminal, where nothing is painted.
func (m *Model) loginDialogState() *DialogState {
	g := &m.login
	if g.dialog == nil {
		g.dialog = &dialog{}
	}
	text := m.t.Get("Scan your badge or type your name")
	switch {
	case g.candidate != nil:
		text = m.t.Get("PIN of %s", widget.Clean(g.candidate.Name))
	case g.operator != nil:
		text = m.t.Get("Locked by %s. Nothing is lost", widget.Clean(g.operator.Name)) + ". " + text
	}
	return &DialogState{Text: text, Problem: g.problem, dialog: g.dialog}
}

// loginActions are what the footer offers while the terminal is shut.
func (m *Model) loginActions() []tui.Action {
	actions := []tui.Action{{Keys: []string{"enter"}, Label: m.t.Get("ok")}}
	if m.login.candidate != nil {
		actions = append(actions, tui.Action{Keys: []string{"esc"}, Label: m.t.Get("back")})
	}
	return append(actions, tui.Action{Keys: []string{"ctrl+q"}, Label: m.t.Get("quit")})
}

// actions are what can be done on a screen, by who works here.
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
