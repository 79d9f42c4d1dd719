package input

import (
	"context"
	"time"

	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// WorkSequence is work in a sequence: the rest follows its answer.
type WorkSequence struct {
	First tui.WorkMsg
	Rest  []tea.Cmd
}

// Start makes a command of a screen pending, and wraps it so that its answer comes back to
// the screen.
func (p *Commands) Start(screen int, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}

	p.next++
	p.running[p.next] = command{
		screen:     screen,
		start:      p.opts.Clock.Now(),
		cause:      p.cause,
		approvedBy: p.ApprovedBy(screen),
	}

	run := answering(screen, p.next, cmd)
	if p.checkDue {
		return run
	}

	return tea.Batch(run, p.checkAfter(spinAfter))
}

// Handle starts what a message of a screen asks for and reports whether it asks for a
// command. ctx is the screen's.
func (p *Commands) Handle(ctx context.Context, screen int, msg tea.Msg) (cmd tea.Cmd, ok bool) {
	switch msg := msg.(type) {
	case Group:
		return p.group(screen, msg), true
	case WorkSequence:
		return p.work(msg), true
	case tui.WorkMsg:
		return p.work(WorkSequence{First: msg}), true
	case tui.AfterMsg:
		return p.opts.Clock.Tick(msg.Delay, func(t time.Time) tea.Msg {
			return Answer{Screen: screen, Msg: Unpack(msg.Msg(t))}
		}), true
	case tui.WatchMsg: // not a pending command
		return wrap(p.opts.Background, answering(screen, 0, func() tea.Msg { return msg.Run(ctx) })), true
	}

	return nil, false
}

// group starts the commands of a group, at once or in order.
func (p *Commands) group(screen int, group Group) tea.Cmd {
	var cmds []tea.Cmd
	for i, c := range group.Commands {
		if group.Ordered && c != nil {
			rest := group.Commands[i+1:]
			return p.Start(screen, func() tea.Msg { return Sequence{First: Unpack(c()), Rest: rest} })
		}
		cmds = append(cmds, p.Start(screen, c))
	}

	return tea.Batch(cmds...)
}

// work starts the work of Env.Do or Env.Latest, and then the rest of its sequence.
func (p *Commands) work(s WorkSequence) tea.Cmd {
	cause, w := p.cause, s.First
	if w.Slot != "" {
		cause = None
	}

	run := p.WithCause(cause, func() tea.Cmd {
		return p.Start(w.Screen, func() tea.Msg {
			ctx, cancel := context.WithTimeout(w.Context, w.Limit)
			defer cancel()
			answer := Worked{Work: w, Msg: w.Run(ctx)}
			if len(s.Rest) > 0 {
				return Sequence{First: answer, Rest: s.Rest}
			}
			return answer
		})
	})

	return wrap(p.opts.Work, run)
}

func wrap(with func(tea.Cmd) tea.Cmd, cmd tea.Cmd) tea.Cmd {
	if with == nil {
		return cmd
	}
	return with(cmd)
}
