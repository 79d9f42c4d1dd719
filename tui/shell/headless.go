package shell

import (
	"slices"
	"time"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// A Headless works a shell that nobody sees, such as a dialogue of lines: it asks
// where one stands and does what one wants, by the same screens, actions and
// dialogs. It is for the one goroutine that runs the shell's turns, between
// them; what its methods return is run as what Update returns.
type Headless struct{ m *Model }

// NewHeadless makes a shell with a face to work it by. Options.Witness hears what it says.
func NewHeadless(opts Options) *Headless { return &Headless{New(opts)} }

// A State is where one stands, and what can be done there.
type State struct {
	Screen       int // another number is another screen
	Route        string
	Title        string
	Speech       tui.Speech
	Actions      []tui.Action // of the screen, then those that can be done everywhere
	Fault        string       // the error, or the doubt, that stands
	ConfirmScan  bool
	FaultActions []tui.Action // what can be done about the error
	Dialog       *DialogState
	Typing       bool // the screen has an input for text
}

// A DialogState is what is asked above the screen.
type DialogState struct {
	Text    string
	Problem string // why the answer before was refused
	Options []string
	Value   string // what stands there at first, for a line of text
	Yes, No string // of a question; both empty for the others
	dialog  *dialog
}

// Same tells whether two are the same dialog.
func (d *DialogState) Same(other *DialogState) bool {
	return d != nil && other != nil && d.dialog == other.dialog
}

// Model is the shell itself.
func (f *Headless) Model() *Model { return f.m }

// Protect does fn in a turn of the shell: a fault of the program ends the session sanely.
func (f *Headless) Protect(fn func() tea.Cmd) tea.Cmd { return f.m.protect(fn) }

// State tells where one stands.
func (f *Headless) State() State {
	m := f.m
	top := m.top()
	if top == nil {
		return State{}
	}
	s := State{Screen: top.id, Route: m.Route(), Title: widget.Clean(top.screen.Title()), Speech: m.speech(top),
		Actions: append(m.actions(top), m.globalActions()...),
		Fault:   m.fault.text, ConfirmScan: m.fault.confirmScan, FaultActions: enabled(m.fault.actions), Dialog: m.dialogState()}
	if m.loginRequired() {
		s.Speech, s.Fault, s.Actions, s.FaultActions = tui.Speech{}, "", m.globalActions()[5:6], nil
	}
	if s.Title == "" {
		s.Title = m.t.Get("home")
	}
	if t, ok := top.screen.(tui.TextInput); ok {
		s.Typing = t.AcceptsKey(pasted("x")) || t.AcceptsKey(pasted("1"))
	}
	return s
}

// dialogState is the dialog on top in words, or nil.
func (m *Model) dialogState() *DialogState {
	d := m.dialog
	switch {
	case m.loginRequired() && !m.dialogTakesKeys():
		return m.loginDialogState()
	case d == nil:
		return nil
	}
	out := &DialogState{Text: d.title, Problem: d.problem, dialog: d}
	switch d.kind {
	case questionKind:
		actions := m.dialogActions()
		out.Yes, out.No = actions[0].Label, actions[1].Label
	case promptKind:
		out.Value = d.request.Value
	case choiceKind:
		for _, it := range d.items {
			out.Options = append(out.Options, it.label)
		}
	case findKind, helpKind:
	}
	return out
}

// Ended tells whether the session is over.
func (f *Headless) Ended() bool { return f.m.ended }

// Busy tells what cannot be gone on without: a scan that is not finished
// with, or work that is being sent. Lists may still be read anew.
func (f *Headless) Busy() bool {
	m := f.m
	top := m.top()
	if top == nil || !m.scans.empty() && !m.fault.active() && m.dialog == nil || m.pending.strongestCause() > causeNone {
		return true
	}
	w, ok := top.screen.(tui.Busy)
	return ok && w.Busy()
}

// Scan hands over a scan.
func (f *Headless) Scan(s scan.Scan) tea.Cmd { return f.m.onScan(s) }

// Acknowledge takes the error that stands away.
func (f *Headless) Acknowledge() tea.Cmd {
	if !f.m.fault.active() {
		return nil
	}
	return f.m.acknowledge()
}

// DoFaultAction does one of the things that an error offers, and acknowledges it.
func (f *Headless) DoFaultAction(a tui.Action) tea.Cmd {
	owner := f.m.frame(f.m.fault.screen)
	if owner == nil {
		owner = f.m.top()
	}
	return tea.Batch(f.m.acknowledge(), f.m.runAction(owner, a))
}

// Do does an action, asks first when it is dangerous, or says why not.
func (f *Headless) Do(a tui.Action) tea.Cmd { return f.m.runAction(f.m.top(), a) }

// Now is the time that screens go by.
func (f *Headless) Now() time.Time { return f.m.opts.screenClock().Now() }

// Run runs a command of the screen.
func (f *Headless) Run(cmd tea.Cmd) tea.Cmd {
	top := f.m.top()
	if top == nil {
		return nil
	}
	return f.m.run(top, cmd)
}

// Go opens a route above the present screen.
func (f *Headless) Go(route string) tea.Cmd { return f.m.openRoute(route, false) }

// HasRoute tells whether a route leads to a screen.
func (f *Headless) HasRoute(route string) bool {
	_, _, err := f.m.opts.Registry.Find(route)
	return err == nil
}

// Answer gives a yes or a no to the question that stands.
func (f *Headless) Answer(yes bool) tea.Cmd {
	if yes {
		return f.m.questionKey(f.m.dialog, "enter")
	}
	return f.m.questionKey(f.m.dialog, "esc")
}

// Text gives the line of text that is asked for; one that cannot be used
// leaves the dialog standing with its problem.
func (f *Headless) Text(text string) tea.Cmd {
	if f.m.loginRequired() && !f.m.dialogTakesKeys() {
		f.m.login.input.Set(text)
		return f.m.loginEnter()
	}
	f.m.dialog.input.Set(text)
	return f.m.promptKey(f.m.dialog, tea.KeyMsg{Type: tea.KeyEnter}, "enter")
}

// Pick chooses an option of the list that stands.
func (f *Headless) Pick(option int) tea.Cmd {
	d := f.m.dialog
	if at := slices.Index(d.matches, option); at >= 0 {
		d.cursor = at
	}
	return f.m.runChosen(d)
}

// CloseDialog takes the dialog away without an answer.
func (f *Headless) CloseDialog() tea.Cmd {
	if f.m.loginRequired() && !f.m.dialogTakesKeys() {
		return f.m.loginKey(tea.KeyMsg{Type: tea.KeyEsc}, "esc")
	}
	if f.m.dialog != nil && f.m.dialog.kind == questionKind {
		return f.Answer(false)
	}
	f.m.popDialog()
	return f.m.drain()
}

// Back closes the screen, unless it will not be left.
func (f *Headless) Back() tea.Cmd { return f.m.back() }

// Type puts a line in the place of what stands in the screen's input, and
// enters it where the input wants that.
func (f *Headless) Type(text string) tea.Cmd {
	var cmds []tea.Cmd
	for _, k := range []tea.KeyMsg{{Type: tea.KeyEnd}, {Type: tea.KeyCtrlU}, pasted(text), {Type: tea.KeyEnter}} {
		top := f.m.top()
		t, ok := top.screen.(tui.TextInput)
		if !ok || k.Type == tea.KeyRunes && text == "" || !t.AcceptsKey(k) {
			continue
		}
		cmds = append(cmds, f.m.update(top, k))
	}
	return tea.Batch(cmds...)
}

// Key presses a key of the screen, such as the arrows that choose among its rows.
func (f *Headless) Key(k tea.KeyMsg) tea.Cmd { return f.m.screenKey(k) }

func pasted(text string) tea.KeyMsg {
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true}
}

// Hangup keeps every draft and ends the session, as when the line is gone.
func (f *Headless) Hangup() tea.Cmd { return f.m.hangup() }

// Resize tells the shell how wide the line is.
func (f *Headless) Resize(width int) { f.m.width, f.m.height = width, 24 }
