package submit

import (
	"context"
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/session"
)

// A Submission is a queue of steps and its progress. It sends the steps one after the
// other, each with the same key and body on every try. Saved in a draft, it continues
// after a crash. A nil Submission has nothing to send.
type Submission struct {
	Steps []Step `json:"steps"`
	Next  int    `json:"next"` // the step to send; those before it are done
	// Sent means that the next step was sent and its outcome is unknown. Nothing may
	// be changed until the answer is known.
	Sent bool `json:"sent,omitempty"`
	// Pieces is how many pieces the submission books.
	Pieces int64 `json:"touched,omitempty"`
	// Toast is the message after the last step; the screen's own if empty.
	Toast string `json:"toast,omitempty"`
	// KeepCounts means that the steps do not book what is counted.
	KeepCounts bool `json:"keep,omitempty"`

	sending, refused bool
	approved         bool // the steps have their approvals
	sentBefore       bool // an earlier try of the step being sent has no answer
	skipped          string
}

// A State says how far a submission is.
type State int

// The states of a submission.
const (
	Idle    State = iota // the next step was not sent, or certainly did not arrive
	Sending              // the next step is being sent
	Unknown              // the next step has no answer and may be done
	Refused              // the service refused the next step
	Done                 // all steps are done
)

// An Answer is the answer to a step. It is the message that Send brings to the screen.
type Answer struct {
	Step     Step
	Response *api.Response
	Err      error
}

// AtRisk reports whether the step was saved although the local check rejects it. The
// service may reject it later.
func (a Answer) AtRisk() bool { return api.HasCode(a.Err, api.AtRisk) }

// New returns a submission of steps.
func New(steps ...Step) *Submission { return &Submission{Steps: steps} }

// Resume returns the submission of an unanswered step that was saved; nil for nil.
func Resume(step *Step) *Submission {
	if step == nil {
		return nil
	}
	return &Submission{Steps: []Step{*step}, Sent: true}
}

// State returns how far the submission is.
func (s *Submission) State() State {
	switch {
	case s == nil:
		return Idle
	case s.Next >= len(s.Steps):
		return Done
	case s.sending:
		return Sending
	case s.Sent:
		return Unknown
	case s.refused:
		return Refused
	}

	return Idle
}

// Sending reports whether a step is being sent.
func (s *Submission) Sending() bool { return s.State() == Sending }

// Unfinished reports whether the submission must be finished or discarded before
// anything else: a step is done or may be done, and others are left.
func (s *Submission) Unfinished() bool {
	return s != nil && s.Next < len(s.Steps) && (s.Sent || s.Next > 0)
}

// Unanswered returns the step that may be done, to be saved in a draft; nil if there is
// none.
func (s *Submission) Unanswered() *Step {
	if !s.Unfinished() {
		return nil
	}
	return &s.Steps[s.Next]
}

// Awaits reports whether the answer is the one to the next step. It is not if the
// submission was discarded meanwhile.
func (s *Submission) Awaits(a Answer) bool {
	return s != nil && s.Next < len(s.Steps) && s.Steps[s.Next].Key == a.Step.Key
}

// Send sends the next step, or retries it. The screen receives an Answer.
func (s *Submission) Send(env tui.Env, site *session.Site) tea.Cmd {
	return s.SendThen(env, site, nil)
}

// SendThen is Send, and calls done, unless it is nil, before the screen receives the
// Answer: while the step is still saved as sent. If the program ends before the Answer is
// received, the step is sent again, and done is called again.
func (s *Submission) SendThen(env tui.Env, site *session.Site, done func(context.Context, Answer)) tea.Cmd {
	s.setOperator(env.Operator)
	if !s.approved {
		s.setApproved(env.ApprovedBy())
	}
	for i := s.Next; i < len(s.Steps); i++ {
		if i != s.Next || !s.Sent {
			s.Steps[i].prove(env.Context(), site)
		}
	}
	send := s.start()

	return env.Do(func(ctx context.Context) tea.Msg {
		a := send(ctx, site)
		if done != nil {
			done(ctx, a)
		}
		return a
	})
}

// Approve records the supervisor who approved some steps. The others keep the approvals that
// they have, even if they are sent together.
func (s *Submission) Approve(steps []Step, supervisor string) {
	s.approved = true
	for i := range steps {
		steps[i].ApprovedBy = supervisor
	}
}

// setOperator records who made the steps that were not sent, also if somebody else finishes
// them: their approvals were given to that operator.
func (s *Submission) setOperator(operator string) {
	for i := s.Next; i < len(s.Steps); i++ {
		if s.Steps[i].Operator == "" && !(i == s.Next && s.Sent) {
			s.Steps[i].Operator = operator
		}
	}
}

// setApproved records the supervisor who approved the submission with its steps that
// were not sent.
func (s *Submission) setApproved(supervisor string) {
	for i := s.Next; i < len(s.Steps); i++ {
		if s.Steps[i].ApprovedBy == "" && !(i == s.Next && s.Sent) {
			s.Steps[i].ApprovedBy = supervisor
		}
	}
}

// SendAndWait is Send without a screen.
func (s *Submission) SendAndWait(ctx context.Context, site *session.Site) Answer {
	return s.start()(ctx, site)
}

// start returns the function that sends the next step. It sets Sent now, because the
// shell saves the draft before it runs a command.
func (s *Submission) start() func(ctx context.Context, site *session.Site) Answer {
	step := s.Steps[s.Next]
	s.sentBefore, s.sending, s.Sent, s.refused = s.Sent, true, true, false
	return func(ctx context.Context, site *session.Site) Answer {
		res, err := step.send(ctx, site)
		return Answer{Step: step, Response: res, Err: err}
	}
}

// Skipped describes the step that was not sent because the step before it was saved at
// risk and its lot is unknown. It returns "" if no step was skipped.
func (s *Submission) Skipped() string { return s.skipped }

// Answered records the answer to the next step. It returns nil if the step is done and
// the one after it is ready. Otherwise the state says what the error means.
func (s *Submission) Answered(a Answer) error {
	s.sending = false
	switch {
	case a.Err == nil:
		return s.advance(a.Response)
	case a.AtRisk():
		err := s.advance(&api.Response{})
		if s.Next < len(s.Steps) && s.Steps[s.Next].UsePreviousLot {
			s.skipped = s.Steps[s.Next].Text
			s.DropLine()
		}
		return err

	case OutcomeUnknown(a.Err):
		s.Sent = s.sentBefore || !NeverSent(a.Err)
	case s.sentBefore && refusesCaller(a.Err):
		s.Sent = true
	default:
		s.Sent, s.refused = false, true
	}

	return a.Err
}

// advance marks the next step as done and prepares the one after it.
func (s *Submission) advance(res *api.Response) error {
	s.Next++
	s.Sent = false
	if s.Next >= len(s.Steps) {
		return nil
	}

	step := &s.Steps[s.Next]
	for i := s.Next - 1; step.DependsOnPrevious && step.After == ""; i-- {
		if before := &s.Steps[i]; !before.DependsOnPrevious || i == 0 {
			step.After = before.Key
		}
	}

	if lot := movedLot(res); step.UsePreviousLot && lot != api.NoID {
		return step.setLot(lot)
	}

	return nil
}

// notSent is the details.outcome of a write that did not reach the service.
const notSent = "not_sent"

// OutcomeUnknown reports whether a write that failed with err may have been performed,
// or was not tried at all. It must then be retried unchanged.
func OutcomeUnknown(err error) bool {
	var e *api.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || !errors.As(err, &e) {
		return !session.IsUnsupported(err)
	}
	switch e.Code {
	case api.Unavailable, api.InternalError, api.RateLimited, api.Unauthorized:
		return true
	}

	return e.Details["outcome"] != nil
}

// NeverSent reports whether the service certainly did not process the write.
func NeverSent(err error) bool {
	var e *api.Error
	if !errors.As(err, &e) {
		return false
	}
	return e.Details["outcome"] == notSent || e.Code == api.RateLimited || e.Code == api.Unauthorized
}

// refusesCaller reports whether the service refused the caller before it looked at the write:
// what became of an earlier try of the write is as unknown as before.
func refusesCaller(err error) bool {
	return api.HasCode(err, api.InsufficientScope) || api.HasCode(err, api.LocationNotAllowed) ||
		api.HasCode(err, api.PlanLimitExceeded)
}
