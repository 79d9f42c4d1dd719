package shell

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"

	tea "github.com/charmbracelet/bubbletea"
)

// Model is the shell: a stack of screens with everything around them. It is a tea.Model
// that Run runs on a terminal and tuitest drives without one.
type Model struct {
	opts   Options
	ctx    context.Context
	cancel context.CancelFunc
	t      *i18n.Translator

	width, height int
	status        tui.Status
	frames        []*frame // the last is on top
	nextID        int

	pending      pendingCommands
	slowCheckDue bool // a slowCheckMsg is on its way
	spinnerStep  int  // 0 without a spinner

	begun time.Time     // by the shell's clock
	drift time.Duration // of the screens' time from the shell's clock, when last checked

	scans  scanner
	fault  fault
	dialog *dialog
	toast  toast

	login        login
	mouse        bool
	lastCtrlC    time.Time
	lastKey      time.Time
	lastLetter   time.Time // when a letter without a meaning was typed
	ended        bool
	panicErr     error
	keyConflicts string        // describes the keys with two actions on the screen on top
	savedSession string        // the contents of the session file
	send         func(tea.Msg) // to the running program; nil without one
}

// frame is an open screen.
type frame struct {
	id       int // the address of its answers
	cancel   context.CancelFunc
	env      tui.Env
	screen   tui.Screen
	draft    string // the draft on disk
	hasDraft bool   // whether there is one
}

// New returns a shell. Init opens its screens.
func New(opts Options) *Model {
	m := &Model{opts: opts.filled(), width: 80, height: 24}
	if m.opts.Width > 0 && m.opts.Height > 0 {
		m.width, m.height = m.opts.Width, m.opts.Height
	}
	m.ctx, m.cancel = context.WithCancel(context.Background())
	m.t = m.opts.Translator
	m.status = m.opts.Status
	m.pending.commands = map[int]pendingCommand{}
	m.scans = newScanner(m.opts.Clock.Now)
	m.begun = m.opts.Clock.Now()
	m.drift = m.screenDrift()
	return m
}

// Init opens the first screens.
func (m *Model) Init() tea.Cmd {
	return m.protect(func() tea.Cmd {
		var cmds []tea.Cmd
		m.startLogin()
		for _, route := range m.startRoutes() {
			cmds = append(cmds, m.openRoute(route, false))
		}
		cmds = append(cmds, m.showNotes())
		return tea.Batch(append(cmds, m.everySecond())...)
	})
}

// Update handles one message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.protect(func() tea.Cmd { return m.handle(msg) })
	return m, cmd
}

// protect runs fn and ends the session after a panic.
func (m *Model) protect(fn func() tea.Cmd) (cmd tea.Cmd) {
	defer func() {
		if cause := recover(); cause != nil {
			cmd = m.endAfterPanic(cause, debug.Stack())
		}
	}()
	return fn()
}

// endAfterPaintPanic ends the session after a panic in View, which cannot return a
// command.
func (m *Model) endAfterPaintPanic(cause any, stack []byte) {
	m.endAfterPanic(cause, stack)
	if m.send != nil {
		go m.send(endMsg{})
	}
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	if m.ended {
		return tea.Quit
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		return nil
	case tea.KeyMsg:
		return m.collectKey(msg)
	case scanTickMsg:
		return m.collectTick()
	case routedMsg:
		return m.deliver(msg)
	case tui.WorkMsg:
		return m.dispatch(m.frame(msg.Screen), routedMsg{screen: msg.Screen, msg: msg})
	case tea.MouseMsg:
		return m.handleMouse(msg)
	case slowCheckMsg:
		return m.checkSlow()
	case secondMsg:
		return m.everySecond()
	case toastEndMsg:
		m.toast.end(msg.id)
		return nil
	case guardEndMsg:
		return m.unguard()
	case endMsg:
		return m.end()
	case hangupMsg:
		return m.hangup()
	case captureMsg:
		msg.reply <- m.capture()
		return nil
	}
	if cmd, ok := m.command(0, msg); ok {
		return cmd
	}
	return m.broadcast(msg)
}

// broadcast sends a message from outside to every open screen.
func (m *Model) broadcast(msg tea.Msg) tea.Cmd {
	if msg == nil || isTeaMsg(msg) {
		return nil
	}
	var cmds []tea.Cmd
	for _, f := range slices.Clone(m.frames) {
		cmds = append(cmds, m.update(f, msg))
	}
	return tea.Batch(cmds...)
}

// command handles a message to the shell and reports whether it was one. screen is the
// sender, or 0.
func (m *Model) command(screen int, msg tea.Msg) (cmd tea.Cmd, ok bool) {
	switch msg := msg.(type) {
	case sequence:
		return m.continueSequence(screen, msg), true
	case commandGroup:
		return m.runGroup(screen, msg), true
	case tui.OpenMsg:
		return m.openRoute(msg.Route, msg.Replace), true
	case tui.HomeMsg:
		return m.goHome(), true
	case tui.BackMsg:
		return m.closeScreen(screen), true
	case tui.QuitMsg:
		return m.askQuit(), true
	case tui.ToastMsg:
		return m.showToast(msg), true
	case tui.FailMsg:
		return m.showFault(screen, msg), true
	case tui.BellMsg:
		return m.ring(msg.N), true
	case nextBellMsg:
		return m.ring(msg.n), true
	case tui.CopyMsg:
		return m.copy(msg.Text), true
	case copiedMsg:
		return m.copied(msg), true
	case tui.ScannedMsg:
		return m.onScan(msg.Scan), true
	case tui.DialogMsg:
		return m.openDialog(screen, msg), true
	case tui.StatusMsg:
		m.status = tui.Status(msg)
		return nil, true
	}
	return nil, false
}

// frame returns the open screen with an ID, or nil.
func (m *Model) frame(id int) *frame {
	for _, f := range m.frames {
		if f.id == id {
			return f
		}
	}
	return nil
}

// top returns the screen on top, or nil before the first one.
func (m *Model) top() *frame {
	if len(m.frames) == 0 {
		return nil
	}
	return m.frames[len(m.frames)-1]
}

// update sends a message to a screen and saves its draft.
func (m *Model) update(f *frame, msg tea.Msg) tea.Cmd {
	if _, ok := msg.(tui.HeaderChanger); ok {
		m.refreshHeader()
	}
	screen, cmd := f.screen.Update(msg)
	f.screen = screen
	m.saveDraft(f)
	return tea.Batch(m.route(f.id, cmd), m.drain())
}

// run routes the command of a screen whose state has changed, and saves its draft.
func (m *Model) run(f *frame, cmd tea.Cmd) tea.Cmd {
	m.saveDraft(f)
	return m.route(f.id, cmd)
}

func (m *Model) endAfterPanic(cause any, stack []byte) tea.Cmd {
	m.opts.Log.Error("the terminal stopped", "cause", fmt.Sprint(cause), "stack", string(stack))
	m.panicErr = fmt.Errorf("the terminal crashed: %v; drafts are saved and the log file has the details", cause)
	return m.end()
}
