package shell

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"
	"time"

	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// routedMsg carries the answer of a command back to its screen.
type routedMsg struct {
	screen  int // its ID; 0 is the shell
	command int // the pending command that this answers, or 0
	msg     tea.Msg
}

// result is the answer of work.
type result struct {
	work tui.WorkMsg
	msg  tea.Msg
}

// panicMsg says that a command panicked.
type panicMsg struct {
	cause any
	stack []byte
}

// commandGroup has the commands of a tea.Batch or tea.Sequence, which the shell routes one
// by one.
type commandGroup struct {
	cmds    []tea.Cmd
	ordered bool
}

// route wraps a command of a screen so that its answer comes back to the screen.
func (m *Model) route(screen int, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	id := m.pending.add(screen, m.opts.Clock.Now())
	slow := m.scheduleSlowCheck()
	run := func() (msg tea.Msg) {
		defer func() {
			if cause := recover(); cause != nil {
				msg = routedMsg{screen: screen, command: id, msg: panicMsg{cause: cause, stack: debug.Stack()}}
			}
		}()
		return routedMsg{screen: screen, command: id, msg: unpack(cmd())}
	}
	if slow == nil {
		return run
	}
	return tea.Batch(run, slow)
}

// unpack turns Bubble Tea's groups of commands into a commandGroup.
func unpack(msg tea.Msg) tea.Msg {
	if group, ok := msg.(tea.BatchMsg); ok {
		return commandGroup{cmds: group}
	}
	v := reflect.ValueOf(msg) // the type of tea.Sequence's message is unexported
	if v.IsValid() && v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		group := commandGroup{ordered: true}
		for i := range v.Len() {
			group.cmds = append(group.cmds, v.Index(i).Interface().(tea.Cmd))
		}
		return group
	}
	return msg
}

// deliver handles an answer and the scans that waited for it.
func (m *Model) deliver(r routedMsg) tea.Cmd {
	c := m.pending.commands[r.command].cause
	delete(m.pending.commands, r.command)
	f := m.frame(r.screen)
	cmd := m.pending.withCause(c, func() tea.Cmd { return m.dispatch(f, r) })
	return tea.Batch(cmd, m.drain())
}

// dispatch handles the message to a screen, or to the shell if f is nil.
func (m *Model) dispatch(f *frame, r routedMsg) tea.Cmd {
	if f == nil && r.screen != 0 {
		return m.deliverClosed(r)
	}
	switch msg := r.msg.(type) {
	case nil:
		return nil
	case commandGroup:
		return m.runGroup(r.screen, msg)
	case result:
		if msg.work.Stale != nil && msg.work.Stale() {
			m.opts.Log.Debug("answer discarded: replaced by newer work", "slot", msg.work.Slot)
			return nil
		}
		return m.dispatch(f, routedMsg{screen: r.screen, msg: unpack(msg.msg)})
	case panicMsg:
		return m.endAfterPanic(msg.cause, msg.stack)
	case tui.WorkMsg:
		return m.work(msg, nil)
	case workSequence:
		return m.work(msg.first, msg.rest)
	case tui.AfterMsg:
		return m.opts.Clock.Tick(msg.Delay, func(t time.Time) tea.Msg {
			return routedMsg{screen: r.screen, msg: unpack(msg.Msg(t))}
		})
	case tui.WatchMsg:
		return m.watch(f, msg)
	}
	if cmd, ok := m.command(r.screen, r.msg); ok {
		return cmd
	}
	if isTeaMsg(r.msg) {
		return func() tea.Msg { return r.msg }
	}
	if f == nil {
		return m.handle(r.msg)
	}
	return m.update(f, r.msg)
}

// deliverClosed handles a message to a closed screen: it shows errors and toasts and
// discards answers.
func (m *Model) deliverClosed(r routedMsg) tea.Cmd {
	switch msg := r.msg.(type) {
	case tui.FailMsg:
		if msg.ConfirmScan {
			return nil
		}
		msg.Actions = nil
		return m.showFault(0, msg)
	case sequence, commandGroup, tui.ToastMsg, tui.BellMsg, tui.CopyMsg, tui.OpenMsg, tui.HomeMsg, tui.StatusMsg:
		cmd, _ := m.command(r.screen, msg)
		return cmd
	case panicMsg:
		return m.endAfterPanic(msg.cause, msg.stack)
	case nil:
		return nil
	}
	m.opts.Log.Debug("answer discarded: its screen is closed", "message", fmt.Sprintf("%T", r.msg))
	return nil
}

// runGroup runs the commands of a group, at once or in order.
func (m *Model) runGroup(screen int, group commandGroup) tea.Cmd {
	if !group.ordered {
		var cmds []tea.Cmd
		for _, c := range group.cmds {
			cmds = append(cmds, m.route(screen, c))
		}
		return tea.Batch(cmds...)
	}
	for i, c := range group.cmds {
		if c == nil {
			continue
		}
		rest := group.cmds[i+1:]
		return m.route(screen, func() tea.Msg {
			first := unpack(c())
			return sequence{first: first, rest: rest}
		})
	}
	return nil
}

// sequence is a message and the commands that follow it.
type sequence struct {
	first tea.Msg
	rest  []tea.Cmd
}

// isTeaMsg reports whether a message is for Bubble Tea itself. Keys, the mouse and sizes
// are not.
func isTeaMsg(msg tea.Msg) bool {
	switch msg.(type) {
	case tea.KeyMsg, tea.MouseMsg, tea.WindowSizeMsg:
		return false
	}
	t := reflect.TypeOf(msg)
	return t != nil && strings.HasSuffix(t.PkgPath(), "charmbracelet/bubbletea")
}
