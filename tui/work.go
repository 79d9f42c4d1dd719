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
	run := m.own(screen, func() tea.Msg {
		ctx, cancel := context.WithTimeout(w.ctx, w.limit)
		defer cancel()
		got := answer{slot: w.slot, seq: w.seq, msg: w.fn(ctx)}
		if len(w.rest) > 0 {
			return chain{first: got, rest: w.rest}
		}
		return got
	})
	if m.opts.Work != nil {
		return m.opts.Work(run)
	}
	return run
}

// sequel handles one message of a sequence and then the commands after it.
func (m *Model) sequel(screen int, c chain) tea.Cmd {
	if w, ok := c.first.(workMsg); ok {
		w.rest = append(w.rest, c.rest...)
		return m.open(m.frame(screen), envelope{screen: screen, msg: w})
	}
	first := m.open(m.frame(screen), envelope{screen: screen, msg: c.first})
	return tea.Batch(first, m.group(screen, batch{cmds: c.rest, ordered: true}))
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
				msg = envelope{screen: id, msg: crashMsg{cause: cause, stack: debug.Stack()}}
			}
		}()
		return envelope{screen: id, msg: unpack(w.fn(ctx))}
	})
}
