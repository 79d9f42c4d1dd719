package tui

import (
	"context"
	"runtime/debug"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// workMsg asks the shell to run what Env.Do was given.
type workMsg struct {
	screen int // who gets the answer
	ctx    context.Context
	limit  time.Duration
	fn     func(context.Context) tea.Msg
	slot   string
	seq    int
	rest   []tea.Cmd // of a sequence: what follows the answer
}

// watchMsg asks the shell to run a command that is not counted.
type watchMsg struct {
	fn func(context.Context) tea.Msg
}

// work starts what Env.Do was given; its answer comes back in an envelope.
func (m *Model) work(screen int, w workMsg) tea.Cmd {
	run := m.route(screen, func() tea.Msg {
		ctx, cancel := context.WithTimeout(w.ctx, w.limit)
		defer cancel()
		got := result{slot: w.slot, seq: w.seq, msg: w.fn(ctx)}
		if len(w.rest) > 0 {
			return sequence{first: got, rest: w.rest}
		}
		return got
	})
	if m.opts.Work != nil {
		return m.opts.Work(run)
	}
	return run
}

// continueSequence handles one message of a sequence and then the commands after it.
func (m *Model) continueSequence(screen int, c sequence) tea.Cmd {
	if w, ok := c.first.(workMsg); ok {
		w.rest = append(w.rest, c.rest...)
		return m.dispatch(m.frame(screen), routedMsg{screen: screen, msg: w})
	}
	first := m.dispatch(m.frame(screen), routedMsg{screen: screen, msg: c.first})
	return tea.Batch(first, m.runGroup(screen, commandGroup{cmds: c.rest, ordered: true}))
}

// watch starts what Env.Watch was given, uncounted.
func (m *Model) watch(f *frame, w watchMsg) tea.Cmd {
	ctx, id := m.ctx, 0
	if f != nil {
		ctx, id = f.owner.ctx, f.owner.id
	}
	return m.opts.background(func() (msg tea.Msg) {
		defer func() {
			if cause := recover(); cause != nil {
				msg = routedMsg{screen: id, msg: panicMsg{cause: cause, stack: debug.Stack()}}
			}
		}()
		return routedMsg{screen: id, msg: unpack(w.fn(ctx))}
	})
}
