package shell

import (
	"time"
	"unicode/utf8"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/shell/internal/dialog"
	"bincard/tui/shell/internal/input"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// A Headless drives a shell without painting it, for example in line mode: it reports the
// state and runs the same actions and dialogs. Only the goroutine that runs the shell's
// turns may use it. What changes the shell runs within Protect, whose command runs like
// those of Model.Update.
type Headless struct{ m *Model }

// NewHeadless makes a shell. Options.OnNotice receives what it says.
func NewHeadless(opts Options) *Headless { return &Headless{New(opts)} }

// A State describes the screen on top and what is above it.
type State struct {
	Screen       int // its ID
	Route        string
	Title        string
	Speech       tui.Speech
	Actions      []tui.Action // of the screen, then of the shell
	Fault        string       // the error that is shown
	ConfirmScan  bool         // the same scan again confirms it
	FaultActions []tui.Action // of the error
	Dialog       *DialogState
	Typing       bool // the screen accepts text
}

// A DialogState describes the dialog on top.
type DialogState = dialog.State

// Model returns the shell.
func (h *Headless) Model() *Model { return h.m }

// Protect runs fn as a turn of the shell: waiting scans are delivered after it, and a panic
// saves the drafts and ends the session.
func (h *Headless) Protect(fn func() tea.Cmd) tea.Cmd { return h.m.turn(fn) }

// State returns the current state.
func (h *Headless) State() State {
	m := h.m
	top := m.screens.top()
	if top == nil {
		return State{}
	}

	s := State{
		Screen:       top.id,
		Route:        m.Route(),
		Title:        widget.Clean(top.screen.Title()),
		Speech:       top.speech(m.frame.width),
		Actions:      append(top.screen.Actions(), m.actions.shell()...),
		Fault:        m.alerts.fault.Text,
		ConfirmScan:  m.alerts.fault.ConfirmScan,
		FaultActions: enabled(m.alerts.fault.Actions),
		Dialog:       m.dialogs.State(),
	}

	if m.login.Required() {
		s.Speech, s.Fault, s.Actions, s.FaultActions = tui.Speech{}, "", m.actions.shell()[5:6], nil
	}
	if h.loggingIn() {
		s.Dialog = m.login.State()
	}
	if s.Title == "" {
		s.Title = m.t.Get("home")
	}

	s.Typing = top.accepts(input.Text("x")) || top.accepts(input.Text("1"))

	return s
}

// loggingIn reports whether the next text is a badge, a name or a PIN.
func (h *Headless) loggingIn() bool { return h.m.login.Required() && !h.m.dialogTakesKeys() }

// Ended reports whether the session is over.
func (h *Headless) Ended() bool { return h.m.ended }

// Busy reports whether the next input has to wait: for a scan in progress or for work
// that is being sent. Lists may still be refreshing.
func (h *Headless) Busy() bool {
	m := h.m
	top := m.screens.top()
	return top == nil || !m.input.Empty() && !m.hasFault() && !m.dialogs.Open() ||
		m.pending.StrongestCause() > input.None || top.busy()
}

// Now returns the time of screens.
func (h *Headless) Now() time.Time { return h.m.opts.screenClock().Now() }

// HasRoute reports whether a screen has the route.
func (h *Headless) HasRoute(route string) bool {
	_, _, err := h.m.opts.Registry.Find(route)
	return err == nil
}

// Resize sets the width of lines.
func (h *Headless) Resize(width int) { h.m.frame.width, h.m.frame.height = width, 24 }

// Scan handles a scan.
func (h *Headless) Scan(s scan.Scan) tea.Cmd { return h.m.onScan(s) }

// Acknowledge removes the error that is shown.
func (h *Headless) Acknowledge() tea.Cmd {
	if !h.m.hasFault() {
		return nil
	}
	return tea.Batch(h.m.alerts.acknowledge(), h.m.drain())
}

// DoFaultAction acknowledges the error and runs one of its actions.
func (h *Headless) DoFaultAction(a tui.Action) tea.Cmd { return h.m.runFaultAction(a) }

// Find looks for a text like the find dialog, and asks which of several results is meant.
func (h *Headless) Find(text string) tea.Cmd {
	if h.m.opts.Registry.Finder == nil || utf8.RuneCountInString(text) < minFindRunes {
		return h.m.onScan(scan.Parse(text, h.m.opts.screenClock().Now()))
	}
	return h.m.actions.find(text, true)
}

// Do runs an action, asks first if it is dangerous, or says why it cannot run.
func (h *Headless) Do(a tui.Action) tea.Cmd { return h.m.actions.run(h.m.screens.topID(), a) }

// Run runs a command of the screen on top.
func (h *Headless) Run(cmd tea.Cmd) tea.Cmd {
	top := h.m.screens.top()
	if top == nil {
		return nil
	}
	return h.m.screens.run(top, cmd)
}

// Go opens a route above the present screen.
func (h *Headless) Go(route string) tea.Cmd { return h.m.screens.open(tui.OpenMsg{Route: route}) }

// ClearProblem removes what the dialog said of the input before.
func (h *Headless) ClearProblem() { h.m.dialogs.ClearProblem() }

// Answer answers the open question.
func (h *Headless) Answer(yes bool) tea.Cmd { return h.m.actions.answer(h.m.dialogs.Answer(yes)) }

// Text answers the open prompt. A rejected text leaves the dialog open with its Problem.
func (h *Headless) Text(text string) tea.Cmd {
	m := h.m
	if h.loggingIn() {
		return m.actions.afterLogin(m.login.Enter(text, m.screens.unfinished()))
	}
	return m.actions.answer(m.dialogs.Enter(text))
}

// Pick chooses an option of the open list.
func (h *Headless) Pick(option int) tea.Cmd { return h.m.actions.answer(h.m.dialogs.Pick(option)) }

// CloseDialog closes the dialog without an answer.
func (h *Headless) CloseDialog() tea.Cmd {
	if h.loggingIn() {
		h.m.login.Cancel()
		return h.m.actions.afterLogin(dialog.LoginResult{})
	}
	return h.m.actions.answer(h.m.dialogs.Cancel())
}

// Back closes the screen on top, unless it refuses.
func (h *Headless) Back() tea.Cmd { return h.m.screens.back() }

// Type replaces the text of the screen's input, and presses enter if the input accepts it.
func (h *Headless) Type(text string) tea.Cmd {
	var cmds []tea.Cmd
	for _, k := range []tea.KeyMsg{{Type: tea.KeyEnd}, {Type: tea.KeyCtrlU}, input.Text(text), {Type: tea.KeyEnter}} {
		top := h.m.screens.top()
		if k.Type == tea.KeyRunes && text == "" || !top.accepts(k) {
			continue
		}
		cmds = append(cmds, h.m.screens.update(top, k), h.m.drain())
	}

	return tea.Batch(cmds...)
}

// Hangup saves all drafts and ends the session.
func (h *Headless) Hangup() tea.Cmd { return h.m.handle(hangupMsg{}) }
