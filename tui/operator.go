package tui

import (
	"crypto/subtle"
	"strings"
	"time"

	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// An Operator is a person who may work at the terminal.
type Operator struct {
	Name  string
	Badge string // what the badge's code says; "" where there is none
	// Check tells whether a PIN is the operator's; nil where none is needed.
	Check func(pin string) bool
	// Proven is for whom the name alone is not enough: the badge or the PIN is.
	Proven bool
	// Supervisor may do what needs one: close short, cancel, correct stock.
	Supervisor bool
}

// LogOn is who may work at a terminal. The zero value lets anybody work.
type LogOn struct {
	Operators []Operator
	// Now is who works at the start and is not asked; "" asks, as does a name
	// that is none of the operators'.
	Now string
	// Lock locks the terminal after so long without a key or a scan; 0 is never.
	Lock time.Duration
	// Changed hears who works now, "" for nobody, before any action of theirs.
	Changed func(name string)
}

// gate is who works at the terminal, and whether it is locked.
type gate struct {
	operator *Operator // nil while nobody is logged on
	locked   bool      // somebody is, and must show it again
	asking   *Operator // whose PIN is asked for
	input    widget.Input
	problem  string
	touched  time.Time // the last key or scan
	tries    int       // wrong PINs in a row
	until    time.Time // no PIN is taken before
	spoken   *dialog   // stands for the question where it is spoken
}

const (
	pinTries = 3                // wrong ones before a pause
	pinPause = 30 * time.Second // for which none is taken
)

// shut tells that the terminal waits for a badge or a name.
func (m *Model) shut() bool {
	return len(m.opts.LogOn.Operators) > 0 && (m.gate.operator == nil || m.gate.locked)
}

// asked tells whether a dialog stands that hears keys: while the terminal is
// shut only the shell's own question does, whether to quit.
func (m *Model) asked() bool {
	return m.dialog != nil && (!m.shut() || m.dialog.screen == 0 && m.dialog.kind == askKind)
}

// openGate lets the operator of the start in, unless a PIN is needed.
func (m *Model) openGate() {
	m.gate.touched = m.opts.Clock.Now()
	for i, o := range m.opts.LogOn.Operators {
		if o.Name == m.opts.LogOn.Now {
			m.enter(&m.opts.LogOn.Operators[i])
			return
		}
	}
	if len(m.opts.LogOn.Operators) > 0 {
		m.changed("")
	}
}

func (m *Model) enter(o *Operator) {
	m.gate = gate{operator: o, touched: m.opts.Clock.Now()}
	m.changed(o.Name)
}

func (m *Model) changed(name string) {
	m.status.Operator = name
	if m.opts.LogOn.Changed != nil {
		m.opts.LogOn.Changed(name)
	}
}

// supervised tells whether who works here is a supervisor; where nobody logs
// on, everybody is.
func (m *Model) supervised() bool {
	return len(m.opts.LogOn.Operators) == 0 || m.gate.operator != nil && m.gate.operator.Supervisor
}

// badge finds whose badge a scan is.
func (m *Model) badge(code string) *Operator {
	for i, o := range m.opts.LogOn.Operators {
		if o.Badge != "" && strings.EqualFold(strings.TrimSpace(code), o.Badge) {
			return &m.opts.LogOn.Operators[i]
		}
	}
	return nil
}

// present lets a person in who showed a badge: at once, or after the PIN. The
// screens stay as they are, with what is counted on them.
func (m *Model) present(o *Operator) tea.Cmd {
	if m.busy() {
		return tea.Batch(m.ring(2), m.say(toastMsg{text: m.words.Say("leave.busy"), warn: true}))
	}
	if o == m.gate.operator && !m.gate.locked {
		return tea.Batch(m.ring(1), m.say(toastMsg{text: m.words.Say("logon.is", o.Name)}))
	}
	if o.Check != nil {
		m.gate.asking, m.gate.problem, m.gate.spoken = o, "", nil
		m.gate.input.Set("")
		m.gate.locked = true // nobody works on until the PIN is there, or esc
		return m.ring(1)
	}
	return m.welcome(o)
}

func (m *Model) welcome(o *Operator) tea.Cmd {
	m.enter(o)
	return tea.Batch(m.ring(1), m.say(toastMsg{text: m.words.Say("logon.is", o.Name)}), m.drain())
}

// busy tells whether something is being sent in somebody's name.
func (m *Model) busy() bool {
	for _, f := range m.frames {
		if w, ok := f.screen.(Worker); ok && w.Busy() {
			return true
		}
	}
	return false
}

// logOff lets nobody work any more; everything stays as it is.
func (m *Model) logOff() tea.Cmd {
	switch {
	case len(m.opts.LogOn.Operators) == 0:
		return m.cannot(DoLogOff)
	case m.busy():
		return tea.Batch(m.ring(2), m.say(toastMsg{text: m.words.Say("leave.busy"), warn: true}))
	}
	m.snapshot()
	m.gate = gate{touched: m.opts.Clock.Now()}
	m.changed("")
	return m.ring(1)
}

// idleLock locks the terminal when nobody touched it for long enough.
func (m *Model) idleLock() {
	limit := m.opts.LogOn.Lock
	if limit > 0 && m.gate.operator != nil && !m.gate.locked && !m.busy() && m.opts.Clock.Now().Sub(m.gate.touched) >= limit {
		m.snapshot()
		m.gate.locked = true
	}
}

// gateScan handles a scan while the terminal is shut: a badge opens it.
func (m *Model) gateScan(text string) tea.Cmd {
	o := m.badge(text)
	if o == nil {
		m.gate.problem = m.words.Say("logon.unknown")
		return m.ring(2)
	}
	return m.present(o)
}

// gateKey handles a key while the terminal is shut: a name or a PIN.
func (m *Model) gateKey(k tea.KeyMsg, key string) tea.Cmd {
	g := &m.gate
	switch key {
	case "ctrl+q":
		return m.askQuit()
	case "esc":
		if g.asking != nil && g.operator != nil && g.asking != g.operator {
			g.locked = false // the one who works here goes on
		}
		g.asking, g.problem = nil, ""
		g.input.Set("")
		return m.drain()
	case "enter":
		return m.gateEnter()
	}
	g.problem = ""
	g.input.Key(k)
	return nil
}

func (m *Model) gateEnter() tea.Cmd {
	g := &m.gate
	text := strings.TrimSpace(g.input.Value())
	if text == "" {
		return nil
	}
	g.input.Set("")
	now := m.opts.Clock.Now()
	switch {
	case g.asking == nil:
		for i, o := range m.opts.LogOn.Operators {
			named := strings.EqualFold(text, o.Name) && (!o.Proven || o.Check != nil)
			if named || o.Badge != "" && strings.EqualFold(text, o.Badge) {
				return m.present(&m.opts.LogOn.Operators[i])
			}
		}
		g.problem = m.words.Say("logon.unknown")
	case now.Before(g.until):
		g.problem = m.words.Say("logon.pause", int(g.until.Sub(now).Seconds())+1)
	case g.asking.Check(text):
		return m.welcome(g.asking)
	default:
		g.problem = m.words.Say("logon.pin.wrong")
		if g.tries++; g.tries%pinTries == 0 {
			g.until = now.Add(pinPause)
			g.problem = m.words.Say("logon.pause", int(pinPause.Seconds()))
		}
	}
	return m.ring(2)
}

// gateView is what stands in the body while the terminal is shut.
func (m *Model) gateView(size Size) []string {
	t, g := m.opts.Theme, &m.gate
	margin := ""
	if !size.Small() {
		margin = "  "
	}
	ask, head := m.words.Say("logon.ask"), m.words.Say("logon.title")
	if g.operator != nil {
		head = m.words.Say("logon.locked", widget.Clean(g.operator.Name))
	}
	if g.asking != nil {
		ask = m.words.Say("logon.pin", widget.Clean(g.asking.Name))
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
	if g.asking != nil {
		shown = g.input.Masked
	}
	lines = append(lines, margin+"  "+shown(max(1, width-2)))
	if g.problem != "" {
		lines = append(lines, "")
		add(g.problem, func(s string) string { return t.Refused(s) })
	}
	return lines
}

// gateDialogue is the question of a shut terminal, where nothing is painted.
func (m *Model) gateDialogue() *Dialogue {
	g := &m.gate
	if g.spoken == nil {
		g.spoken = &dialog{}
	}
	text := m.words.Say("logon.ask")
	switch {
	case g.asking != nil:
		text = m.words.Say("logon.pin", widget.Clean(g.asking.Name))
	case g.operator != nil:
		text = m.words.Say("logon.locked", widget.Clean(g.operator.Name)) + ". " + text
	}
	return &Dialogue{Text: text, Problem: g.problem, of: g.spoken}
}

// gateActions are what the footer offers while the terminal is shut.
func (m *Model) gateActions() []Action {
	actions := []Action{{Keys: []string{"enter"}, Label: m.words.Say("ok")}}
	if m.gate.asking != nil {
		actions = append(actions, Action{Keys: []string{"esc"}, Label: m.words.Say("back")})
	}
	return append(actions, Action{Keys: []string{"ctrl+q"}, Label: m.words.Say("quit")})
}

// SamePIN compares a PIN in a time that tells nothing of it.
func SamePIN(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// actions are what can be done on a screen, by who works here.
func (m *Model) actions(f *frame) []Action {
	actions := f.screen.Actions()
	if m.supervised() {
		return actions
	}
	for i, a := range actions {
		if a.Supervisor && a.Off() == "" {
			actions[i].Disabled = func() string { return m.words.Say("logon.supervisor") }
		}
	}
	return actions
}
