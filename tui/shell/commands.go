package shell

import (
	"context"
	"time"

	"bincard/tui"
	"bincard/tui/shell/internal/pending"

	tea "github.com/charmbracelet/bubbletea"
)

type slowCheckMsg struct{}

// workSequence is work in a sequence: the rest follows its answer.
type workSequence struct {
	first tui.WorkMsg
	rest  []tea.Cmd
}

// route wraps a command of a screen so that its answer comes back to the screen.
func (m *Model) route(screen int, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	run := m.pending.Start(screen, cmd)
	if wait := m.pending.ScheduleCheck(); wait > 0 {
		return tea.Batch(run, m.slowCheckAfter(wait))
	}
	return run
}

func (m *Model) slowCheckAfter(d time.Duration) tea.Cmd {
	return m.opts.Clock.Tick(d, func(time.Time) tea.Msg { return slowCheckMsg{} })
}

// checkSlow moves the spinner and reports commands without an answer.
func (m *Model) checkSlow() tea.Cmd {
	late, wait := m.pending.Check(m.opts.Limit)
	var cmds []tea.Cmd
	for _, screen := range late {
		cmds = append(cmds, m.showFault(screen, tui.FailMsg{Text: m.noAnswer()}))
	}
	if wait > 0 {
		cmds = append(cmds, m.slowCheckAfter(wait))
	}
	return tea.Batch(cmds...)
}

// runGroup runs the commands of a group, at once or in order.
func (m *Model) runGroup(screen int, group pending.Group) tea.Cmd {
	if !group.Ordered {
		var cmds []tea.Cmd
		for _, c := range group.Commands {
			cmds = append(cmds, m.route(screen, c))
		}
		return tea.Batch(cmds...)
	}
	for i, c := range group.Commands {
		if c == nil {
			continue
		}
		rest := group.Commands[i+1:]
		return m.route(screen, func() tea.Msg {
			return pending.Sequence{First: pending.Unpack(c()), Rest: rest}
		})
	}
	return nil
}

// work starts the work of Env.Do or Env.Latest, and then the rest of its sequence.
func (m *Model) work(w tui.WorkMsg, rest []tea.Cmd) tea.Cmd {
	c := m.pending.Cause()
	if w.Slot != "" {
		c = pending.None
	}
	run := m.pending.WithCause(c, func() tea.Cmd {
		return m.route(w.Screen, func() tea.Msg {
			ctx, cancel := context.WithTimeout(w.Context, w.Limit)
			defer cancel()
			answer := pending.Worked{Work: w, Msg: w.Run(ctx)}
			if len(rest) > 0 {
				return pending.Sequence{First: answer, Rest: rest}
			}
			return answer
		})
	})
	if m.opts.Work != nil {
		return m.opts.Work(run)
	}
	return run
}

// watch runs the function of Env.Watch, which is not a pending command.
func (m *Model) watch(s *openScreen, w tui.WatchMsg) tea.Cmd {
	ctx, id := m.ctx, 0
	if s != nil {
		ctx, id = s.env.Context(), s.id
	}
	return m.opts.background(pending.Answering(id, func() tea.Msg { return w.Run(ctx) }))
}

// update sends a message to a screen and saves its draft.
func (m *Model) update(s *openScreen, msg tea.Msg) tea.Cmd {
	if _, ok := msg.(tui.HeaderChanger); ok {
		m.refreshHeader()
	}
	screen, cmd := s.screen.Update(msg)
	s.screen = screen
	return m.run(s, cmd)
}

// run routes the command of a screen whose state has changed, and saves its draft.
func (m *Model) run(s *openScreen, cmd tea.Cmd) tea.Cmd {
	m.saveDraft(s)
	return m.route(s.id, cmd)
}

// refreshHeader calls Options.Header. The signed-in operator stays.
func (m *Model) refreshHeader() {
	if m.opts.Header == nil {
		return
	}
	operator := m.status.Operator
	if m.status = m.opts.Header(); m.login.Enabled() {
		m.status.Operator = operator
	}
}
