package shell

import (
	"context"
	"runtime/debug"

	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// workSequence is work in a sequence: the rest follows its answer.
type workSequence struct {
	first tui.WorkMsg
	rest  []tea.Cmd
}

// work starts the work of Env.Do or Env.Latest, and then the rest of its sequence.
func (m *Model) work(w tui.WorkMsg, rest []tea.Cmd) tea.Cmd {
	c := m.pending.cause
	if w.Slot != "" {
		c = causeNone
	}
	run := m.pending.withCause(c, func() tea.Cmd {
		return m.route(w.Screen, func() tea.Msg {
			ctx, cancel := context.WithTimeout(w.Context, w.Limit)
			defer cancel()
			answer := result{work: w, msg: w.Run(ctx)}
			if len(rest) > 0 {
				return sequence{first: answer, rest: rest}
			}
			return answer
		})
	})
	if m.opts.Work != nil {
		return m.opts.Work(run)
	}
	return run
}

// continueSequence handles the first message of a sequence and runs the rest.
func (m *Model) continueSequence(screen int, c sequence) tea.Cmd {
	if w, ok := c.first.(tui.WorkMsg); ok {
		return m.dispatch(m.frame(screen), routedMsg{screen: screen, msg: workSequence{first: w, rest: c.rest}})
	}
	first := m.dispatch(m.frame(screen), routedMsg{screen: screen, msg: c.first})
	return tea.Batch(first, m.runGroup(screen, commandGroup{cmds: c.rest, ordered: true}))
}

// watch runs the function of Env.Watch, which is not a pending command.
func (m *Model) watch(f *frame, w tui.WatchMsg) tea.Cmd {
	ctx, id := m.ctx, 0
	if f != nil {
		ctx, id = f.env.Context(), f.id
	}
	return m.opts.background(func() (msg tea.Msg) {
		defer func() {
			if cause := recover(); cause != nil {
				msg = routedMsg{screen: id, msg: panicMsg{cause: cause, stack: debug.Stack()}}
			}
		}()
		return routedMsg{screen: id, msg: unpack(w.Run(ctx))}
	})
}
