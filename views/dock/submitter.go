package dock

import (
	"context"
	"errors"

	"bincard/server/api"
	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// A Submitter is the one write that makes a new document. It is frozen when it is
// first sent: while nobody knows whether it arrived it is sent again as it was,
// with the key it had, and so made once.
type Submitter struct {
	Site *Site
	// Step is what was sent and has no answer; nil while the document may change.
	Step *Step
	// UnknownText is said when no answer came; "" says what is said of every booking.
	UnknownText string

	busy      bool
	neverLeft bool // a try of it failed for sure before it left, and none may have arrived
}

// SubmittedMsg is the answer to a posting.
type SubmittedMsg struct {
	Res *api.Response
	Err error
}

// Busy tells whether the posting is under way.
func (p *Submitter) Busy() bool { return p.busy }

// Submit takes the write and sends it for the first time.
func (p *Submitter) Submit(env tui.Env, step Step) tea.Cmd {
	p.Step, p.neverLeft = &step, true
	return p.Send(env)
}

// Send sends the write, or sends it again.
func (p *Submitter) Send(env tui.Env) tea.Cmd {
	p.busy = true
	step := *p.Step
	return env.Do(func(ctx context.Context) tea.Msg {
		res, err := p.Site.Send(ctx, step)
		return SubmittedMsg{res, err}
	})
}

// Answered takes the answer: nil when the document is made, else what to say.
// A write that was refused, or never left, may be changed and gets a new key.
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
	return tui.Fail(errors.New(sendErrorText(p.Site.T(), m.Err, !p.neverLeft, p.UnknownText)))
}
