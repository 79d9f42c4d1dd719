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

// routedMsg brings what a command answered back to the screen that asked.
type routedMsg struct {
	screen  int // owner.id; 0 is the shell itself
	command int // which command under way this ends; 0 is none
	msg     tea.Msg
}

// result is what Env.Do and Env.Latest return inside an envelope.
type result struct {
	work tui.WorkMsg
	msg  tea.Msg
}

// panicMsg is a command that panicked.
type panicMsg struct {
	cause any
	stack []byte
}

// commandGroup carries the commands of a tea.Batch or tea.Sequence back into the
// shell's turn, where each gets its own envelope.
type commandGroup struct {
	cmds    []tea.Cmd
	ordered bool
}

// route wraps a command of a screen so that its answer finds back.
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

// unpack turns Bubble Tea's groups of commands into a batch of the shell's own.
func unpack(msg tea.Msg) tea.Msg {
	if group, ok := msg.(tea.BatchMsg); ok {
		return commandGroup{cmds: group}
	}
	v := reflect.ValueOf(msg)
	if v.IsValid() && v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		b := commandGroup{ordered: true}
		for i := range v.Len() {
			b.cmds = append(b.cmds, v.Index(i).Interface().(tea.Cmd))
		}
		return b
	}
	return msg
}

// deliver opens an envelope in the shell's turn.
func (m *Model) deliver(e routedMsg) tea.Cmd {
	why := m.pending.commands[e.command].cause
	delete(m.pending.commands, e.command)
	f := m.frame(e.screen)
	opened := m.pending.withCause(why, func() tea.Cmd { return m.dispatch(f, e) })
	return tea.Batch(opened, m.drain())
}

func (m *Model) dispatch(f *frame, e routedMsg) tea.Cmd {
	if f == nil && e.screen != 0 {
		return m.deliverClosed(e)
	}
	switch msg := e.msg.(type) {
	case nil:
		return nil
	case commandGroup:
		return m.runGroup(e.screen, msg)
	case result:
		if msg.work.Stale != nil && msg.work.Stale() {
			m.opts.Log.Debug("answer dropped: a newer question stands", "slot", msg.work.Slot)
			return nil
		}
		return m.dispatch(f, routedMsg{screen: e.screen, msg: unpack(msg.msg)})
	case panicMsg:
		return m.endAfterPanic(msg.cause, msg.stack)
	case tui.WorkMsg:
		return m.work(msg, nil)
	case workSequence:
		return m.work(msg.first, msg.rest)
	case tui.AfterMsg:
		id := e.screen
		return m.opts.Clock.Tick(msg.Delay, func(t time.Time) tea.Msg {
			return routedMsg{screen: id, msg: unpack(msg.Msg(t))}
		})
	case tui.WatchMsg:
		return m.watch(f, msg)
	}
	if cmd, mine := m.command(e.screen, e.msg); mine {
		return cmd
	}
	if isTeaMsg(e.msg) {
		return func() tea.Msg { return e.msg }
	}
	if f == nil {
		return m.handle(e.msg) // of the shell's own
	}
	return m.update(f, e.msg)
}

// deliverClosed handles what a screen left behind when it closed: its last words are
// said, its answers are dropped.
func (m *Model) deliverClosed(e routedMsg) tea.Cmd {
	switch msg := e.msg.(type) {
	case tui.FailMsg:
		if msg.ConfirmScan {
			return nil
		}
		msg.Actions = nil
		return m.showFault(0, msg)
	case sequence, commandGroup, tui.ToastMsg, tui.BellMsg, tui.CopyMsg, tui.OpenMsg, tui.HomeMsg, tui.StatusMsg:
		cmd, _ := m.command(e.screen, msg)
		return cmd
	case panicMsg:
		return m.endAfterPanic(msg.cause, msg.stack)
	case nil:
		return nil
	}
	m.opts.Log.Debug("answer dropped: its screen is closed", "message", fmt.Sprintf("%T", e.msg))
	return nil
}

// runGroup runs several commands, all at once or one after the other.
func (m *Model) runGroup(screen int, b commandGroup) tea.Cmd {
	if !b.ordered {
		var cmds []tea.Cmd
		for _, c := range b.cmds {
			cmds = append(cmds, m.route(screen, c))
		}
		return tea.Batch(cmds...)
	}
	for i, c := range b.cmds {
		if c == nil {
			continue
		}
		rest := b.cmds[i+1:]
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

// isTeaMsg tells the messages that steer the program itself: they go there
// bare. Keys and the mouse are nobody's answer and are left alone.
func isTeaMsg(msg tea.Msg) bool {
	switch msg.(type) {
	case tea.KeyMsg, tea.MouseMsg, tea.WindowSizeMsg:
		return false
	}
	t := reflect.TypeOf(msg)
	return t != nil && strings.HasSuffix(t.PkgPath(), "charmbracelet/bubbletea")
}
