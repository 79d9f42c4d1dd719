package dock

import (
	"context"
	"errors"

	"bincard/server/api"
	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// A Submitter sends the write that creates a document. Until an answer arrives,
// retries use the same body and key, so that the document is created once.
type Submitter struct {
	Site *Site
	// Step is the write that was sent and has no answer; nil while the document may
	// change.
	Step *Step
	// UnknownText is shown if no answer came; a default if empty.
	UnknownText string

	busy      bool
	neverLeft bool // no attempt can have reached the service
}

// A SubmittedMsg carries the answer to a write.
type SubmittedMsg struct {
	Res *api.Response
	Err error
}

// Busy reports whether the write is being sent.
func (p *Submitter) Busy() bool { return p.busy }

// Submit sends a new write.
func (p *Submitter) Submit(env tui.Env, step Step) tea.Cmd {
	p.Step, p.neverLeft = &step, true
	return p.Send(env)
}

// Send sends the write, or retries it.
func (p *Submitter) Send(env tui.Env) tea.Cmd {
	p.busy = true
	step := *p.Step
	return env.Do(func(ctx context.Context) tea.Msg {
		res, err := p.Site.Send(ctx, step)
		return SubmittedMsg{res, err}
	})
}

// Answered handles an answer. It returns nil if the document was created, else the
// error to show. A write that was rejected or never sent may be changed and gets a new
// key.
func (p *Submitter) Answered(m SubmittedMsg) (fail tea.Cmd) {
	p.busy = false
	switch {
	case m.Err == nil:
		p.Step = nil
		return nil
	case !OutcomeUnknown(m.Err):
		p.Step = nil
		return tui.Fail(errors.New(UserMessage(p.Site.T(), m.Err)))
	}
	p.neverLeft = p.neverLeft && neverSent(m.Err)
	if p.neverLeft {
		p.Step = nil
	}
	text := sendErrorText(p.Site.T(), m.Err, !p.neverLeft)
	if text == p.Site.T().Get("No answer came, so this may already be booked. Your count is kept. Retry: it is booked once.") && p.UnknownText != "" {
		text = p.UnknownText
	}
	return tui.Fail(errors.New(text))
}
