package submit

import (
	"context"
	"errors"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// A Submitter sends the write that creates a document. Until an answer arrives,
// retries use the same body and key, so that the document is created once.
type Submitter struct {
	Site *session.Site
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
func (s *Submitter) Busy() bool { return s.busy }

// Submit sends a new write.
func (s *Submitter) Submit(env tui.Env, step Step) tea.Cmd {
	s.Step, s.neverLeft = &step, true
	return s.Send(env)
}

// Send sends the write, or retries it.
func (s *Submitter) Send(env tui.Env) tea.Cmd {
	s.busy = true
	step := *s.Step
	return env.Do(func(ctx context.Context) tea.Msg {
		res, err := step.Send(ctx, s.Site)
		return SubmittedMsg{res, err}
	})
}

// Answered handles an answer. It returns nil if the document was created, else the
// error to show. A write that was rejected or never sent may be changed and gets a new
// key.
func (s *Submitter) Answered(m SubmittedMsg) (fail tea.Cmd) {
	s.busy = false
	switch {
	case m.Err == nil:
		s.Step = nil
		return nil
	case !OutcomeUnknown(m.Err):
		s.Step = nil
		return tui.Fail(errors.New(UserMessage(s.Site.T(), m.Err)))
	}
	s.neverLeft = s.neverLeft && NeverSent(m.Err)
	if s.neverLeft {
		s.Step = nil
	}
	return tui.Fail(errors.New(UnansweredText(s.Site.T(), m.Err, !s.neverLeft, s.UnknownText)))
}
