package shell

import (
	"fmt"
	"slices"
	"time"

	"bincard/tui"
	"bincard/tui/shell/internal/input"

	tea "github.com/charmbracelet/bubbletea"
)

type secondMsg struct{}

// Init opens the first screens.
func (m *Model) Init() tea.Cmd {
	return m.turn(func() tea.Cmd {
		m.login.Start()
		if m.login.Enabled() {
			m.screens.changeOperator()
		}

		cmds := []tea.Cmd{m.screens.openFirst(), m.alerts.showNotes()}
		if m.opts.Greeting != "" {
			cmds = append(cmds, m.alerts.success(m.opts.Greeting))
		}

		return tea.Batch(append(cmds, m.everySecond())...)
	})
}

// Update handles one message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.unchanged = false
	return m, m.turn(func() tea.Cmd { return m.handle(msg) })
}

// turn runs fn, and then delivers the scans that waited for what fn did. A panic ends the
// session.
func (m *Model) turn(fn func() tea.Cmd) tea.Cmd {
	return m.protect(func() tea.Cmd {
		return tea.Batch(fn(), m.drain())
	})
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	if m.ended {
		return tea.Quit
	}

	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		return m.resize(msg)
	case tea.KeyMsg:
		return m.handleStep(m.input.Key(msg))
	case settleMsg:
		return m.settle()
	case scanTickMsg:
		return m.handleStep(m.input.Tick())
	case input.Answer:
		return m.pending.Answered(msg, func() tea.Cmd { return m.dispatch(msg.Screen, msg.Msg) })
	case tui.WorkMsg:
		return m.dispatch(msg.Screen, msg)
	case tea.MouseMsg:
		return m.handleMouse(msg)
	case input.CheckMsg:
		return m.checkSlow()
	case secondMsg:
		return m.everySecond()
	case guardEndMsg:
		return m.actions.unguard()
	case endMsg:
		return m.end()
	case tui.PresenceMsg:
		return tea.Batch(m.screens.warnShared(), m.broadcast(msg))
	case hangupMsg:
		m.opts.Log.Info("hung up: drafts and open screens are kept")
		return m.end()
	case captureMsg:
		msg.reply <- Capture{View: m.View(), Route: m.Route(), Idle: m.Idle(), Fault: m.Fault()}
		return nil
	}

	if cmd, ok := m.request(0, msg); ok {
		return cmd
	}

	return m.broadcast(msg)
}

// resize sets the size. The screen on top is painted first, so that it knows its new size.
func (m *Model) resize(msg tea.WindowSizeMsg) tea.Cmd {
	m.frame.width, m.frame.height = msg.Width, msg.Height
	top := m.screens.top()
	if top == nil || m.login.Required() {
		return nil
	}

	r, ok := top.screen.(tui.Resizer)
	if !ok {
		return nil
	}

	m.View()

	return m.screens.run(top, r.Resized())
}

// broadcast sends a message from outside to every open screen.
func (m *Model) broadcast(msg tea.Msg) tea.Cmd {
	if msg == nil || input.IsTeaMsg(msg) {
		return nil
	}
	var cmds []tea.Cmd
	for _, s := range slices.Clone(m.screens.list) {
		cmds = append(cmds, m.screens.update(s, msg), m.drain())
	}
	return tea.Batch(cmds...)
}

// request handles a message to the shell and reports whether it was one. screen is the
// sender, or 0.
func (m *Model) request(screen int, msg tea.Msg) (cmd tea.Cmd, ok bool) {
	switch msg := msg.(type) {
	case tui.HeaderChanger:
		m.frame.refreshHeader() // and the screen gets the message
	case input.Sequence:
		return m.continueSequence(screen, msg), true
	case foundMsg:
		return m.actions.found(msg), true
	case tui.OpenMsg:
		return m.screens.open(msg), true
	case takeOverMsg:
		return m.screens.takeOver(msg), true
	case tui.BackMsg:
		return m.screens.close(screen), true
	case tui.ScannedMsg:
		return m.onScan(msg.Scan), true
	case tui.DialogMsg:
		return m.actions.openDialog(screen, msg), true
	case tui.PerformMsg:
		return m.actions.run(screen, msg.Action), true
	case tui.StatusMsg:
		m.frame.status = tui.Status(msg)
		return nil, true
	}

	return m.alerts.handle(screen, msg)
}

// dispatch handles the message to the screen with an ID, or to the shell if it is 0.
func (m *Model) dispatch(screen int, msg tea.Msg) tea.Cmd {
	s, ctx := m.screens.byID(screen), m.ctx
	switch crash, crashed := msg.(input.Panicked); {
	case crashed:
		return m.endAfterPanic(crash.Cause, crash.Stack)
	case msg == nil:
		return nil
	case s != nil:
		ctx = s.env.Context()
	case screen != 0:
		return m.dispatchClosed(screen, msg)
	}

	if msg, ok := msg.(input.Worked); ok {
		if msg.Work.Stale != nil && msg.Work.Stale() {
			m.opts.Log.Debug("answer discarded: replaced by newer work", "slot", msg.Work.Slot)
			return nil
		}
		return m.dispatch(screen, input.Unpack(msg.Msg))
	}

	if cmd, ok := m.pending.Handle(ctx, screen, msg); ok {
		return cmd
	}
	if cmd, ok := m.request(screen, msg); ok {
		return cmd
	}
	if input.IsTeaMsg(msg) {
		return func() tea.Msg { return msg }
	}
	if s == nil {
		return m.handle(msg)
	}

	return m.screens.update(s, msg)
}

// dispatchClosed handles a message to a closed screen: it shows errors and toasts and
// discards answers.
func (m *Model) dispatchClosed(screen int, msg tea.Msg) tea.Cmd {
	if screen < m.screens.firstID {
		m.opts.Log.Debug("answer discarded: it is for another operator", "message", fmt.Sprintf("%T", msg))
		return nil
	}

	switch msg := msg.(type) {
	case tui.FailMsg:
		if msg.ConfirmScan {
			return nil
		}
		msg.Actions = nil
		return m.alerts.fail(0, msg)

	case input.Group:
		cmd, _ := m.pending.Handle(m.ctx, screen, msg)
		return cmd
	case input.Sequence, tui.ToastMsg, tui.BellMsg, tui.CopyMsg, tui.OpenMsg, tui.StatusMsg:
		cmd, _ := m.request(screen, msg)
		return cmd
	}

	m.opts.Log.Debug("answer discarded: its screen is closed", "message", fmt.Sprintf("%T", msg))

	return nil
}

// continueSequence handles the first message of a sequence and runs the rest.
func (m *Model) continueSequence(screen int, c input.Sequence) tea.Cmd {
	if w, ok := c.First.(tui.WorkMsg); ok {
		return m.dispatch(screen, input.WorkSequence{First: w, Rest: c.Rest})
	}
	return tea.Batch(m.dispatch(screen, c.First), m.dispatch(screen, input.Group{Commands: c.Rest, Ordered: true}))
}

// everySecond refreshes the header, locks an idle terminal and notices a clock that was
// set, once a second.
func (m *Model) everySecond() tea.Cmd {
	if m.opts.Header == nil && m.opts.Login.LockAfter == 0 {
		return nil
	}

	m.frame.refreshHeader()
	m.screens.sharePresence() // a document is read after its screen opens
	if m.login.Idle() && !m.screens.sending() {
		m.screens.saveAll()
		m.login.Lock()
	}

	var refresh tea.Cmd
	if m.clock.set() {
		refresh = m.screens.refresh() // it may show another day
	}

	return tea.Batch(refresh, m.opts.after(time.Second, secondMsg{}))
}

// checkSlow moves the spinner and reports commands without an answer.
func (m *Model) checkSlow() tea.Cmd {
	before := m.pending.Spinner()
	late, cmd := m.pending.Check()
	m.unchanged = len(late) == 0 && m.pending.Spinner() == before
	for _, screen := range late {
		cmd = tea.Batch(cmd, m.alerts.fail(screen, tui.FailMsg{Text: m.alerts.noAnswer()}))
	}
	return cmd
}
