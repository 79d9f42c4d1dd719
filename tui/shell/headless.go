package shell

import (
	"slices"
	"time"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// A Headless drives a shell without painting it, for example in line mode: it reports the
// state and runs the same actions and dialogs. Only the goroutine that runs the shell's
// turns may use it, between turns, and it runs the returned commands like those of
// Model.Update.
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
type DialogState struct {
	Text    string
	Problem string // why it rejected the last answer
	Options []string
	Value   string // the initial text of a line of text
	Yes, No string // the labels of a question; otherwise empty
	dialog  *dialog
}

// Same reports whether both describe the same dialog.
func (d *DialogState) Same(other *DialogState) bool {
	return d != nil && other != nil && d.dialog == other.dialog
}

// Model returns the shell.
func (h *Headless) Model() *Model { return h.m }

// Protect runs fn as a turn of the shell: a panic saves the drafts and ends the session.
func (h *Headless) Protect(fn func() tea.Cmd) tea.Cmd { return h.m.protect(fn) }

// State returns the current state.
func (h *Headless) State() State {
	m := h.m
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

// dialogState describes the dialog on top, or returns nil.
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

// Ended reports whether the session is over.
func (h *Headless) Ended() bool { return h.m.ended }

// Busy reports whether the next input has to wait: for a scan in progress or for work
// that is being sent. Lists may still be refreshing.
func (h *Headless) Busy() bool {
	m := h.m
	top := m.top()
	if top == nil || !m.scans.empty() && !m.fault.active() && m.dialog == nil || m.pending.strongestCause() > causeNone {
		return true
	}
	w, ok := top.screen.(tui.Busy)
	return ok && w.Busy()
}

// Scan handles a scan.
func (h *Headless) Scan(s scan.Scan) tea.Cmd { return h.m.onScan(s) }

// Acknowledge removes the error that is shown.
func (h *Headless) Acknowledge() tea.Cmd {
	if !h.m.fault.active() {
		return nil
	}
	return h.m.acknowledge()
}

// DoFaultAction acknowledges the error and runs one of its actions.
func (h *Headless) DoFaultAction(a tui.Action) tea.Cmd {
	owner := h.m.frame(h.m.fault.screen)
	if owner == nil {
		owner = h.m.top()
	}
	return tea.Batch(h.m.acknowledge(), h.m.runAction(owner, a))
}

// Do runs an action, asks first if it is dangerous, or says why it cannot run.
func (h *Headless) Do(a tui.Action) tea.Cmd { return h.m.runAction(h.m.top(), a) }

// Now returns the time of screens.
func (h *Headless) Now() time.Time { return h.m.opts.screenClock().Now() }

// Run runs a command of the screen on top.
func (h *Headless) Run(cmd tea.Cmd) tea.Cmd {
	top := h.m.top()
	if top == nil {
		return nil
	}
	return h.m.run(top, cmd)
}

// Go opens a route above the present screen.
func (h *Headless) Go(route string) tea.Cmd { return h.m.openRoute(route, false) }

// HasRoute reports whether a screen has the route.
func (h *Headless) HasRoute(route string) bool {
	_, _, err := h.m.opts.Registry.Find(route)
	return err == nil
}

// Answer answers the open question.
func (h *Headless) Answer(yes bool) tea.Cmd {
	if yes {
		return h.m.questionKey(h.m.dialog, "enter")
	}
	return h.m.questionKey(h.m.dialog, "esc")
}

// Text answers the open prompt. A rejected text leaves the dialog open with its Problem.
func (h *Headless) Text(text string) tea.Cmd {
	if h.m.loginRequired() && !h.m.dialogTakesKeys() {
		h.m.login.input.Set(text)
		return h.m.loginEnter()
	}
	h.m.dialog.input.Set(text)
	return h.m.promptKey(h.m.dialog, tea.KeyMsg{Type: tea.KeyEnter}, "enter")
}

// Pick chooses an option of the open list.
func (h *Headless) Pick(option int) tea.Cmd {
	d := h.m.dialog
	if at := slices.Index(d.matches, option); at >= 0 {
		d.cursor = at
	}
	return h.m.runChosen(d)
}

// CloseDialog closes the dialog without an answer.
func (h *Headless) CloseDialog() tea.Cmd {
	if h.m.loginRequired() && !h.m.dialogTakesKeys() {
		return h.m.loginKey(tea.KeyMsg{Type: tea.KeyEsc}, "esc")
	}
	if h.m.dialog != nil && h.m.dialog.kind == questionKind {
		return h.Answer(false)
	}
	h.m.popDialog()
	return h.m.drain()
}

// Back closes the screen on top, unless it refuses.
func (h *Headless) Back() tea.Cmd { return h.m.back() }

// Type replaces the text of the screen's input, and presses enter if the input accepts it.
func (h *Headless) Type(text string) tea.Cmd {
	var cmds []tea.Cmd
	for _, k := range []tea.KeyMsg{{Type: tea.KeyEnd}, {Type: tea.KeyCtrlU}, pasted(text), {Type: tea.KeyEnter}} {
		top := h.m.top()
		t, ok := top.screen.(tui.TextInput)
		if !ok || k.Type == tea.KeyRunes && text == "" || !t.AcceptsKey(k) {
			continue
		}
		cmds = append(cmds, h.m.update(top, k))
	}
	return tea.Batch(cmds...)
}

// Key presses a key of the screen, such as the arrows that choose a row.
func (h *Headless) Key(k tea.KeyMsg) tea.Cmd { return h.m.screenKey(k) }

func pasted(text string) tea.KeyMsg {
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true}
}

// Hangup saves all drafts and ends the session.
func (h *Headless) Hangup() tea.Cmd { return h.m.hangup() }

// Resize sets the width of lines.
func (h *Headless) Resize(width int) { h.m.width, h.m.height = width, 24 }
