package submit_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/tuitest"
	"bincard/views/session"
	"bincard/views/submit"
)

var (
	errNotSent  = api.Fail(api.Unavailable, api.Details{"outcome": "not_sent"}, "no connection")
	errNoAnswer = api.Fail(api.Unavailable, api.Details{"outcome": "unknown"}, "connection lost")
	errRefused  = api.Fail(api.InboundNotOpen, api.Details{"status": api.InboundReceived}, "closed")
)

// ledger performs each key once. fail returns the error of a try: before the write, or
// after it.
type ledger struct {
	performed []string // keys, in order
	before    func(try int) error
	lost      func(try int) error
	tries     int
	people    [][2]string // who did each, and who approved it
}

func (l *ledger) Do(_ context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec.ID == api.GetAccess.Spec.ID {
		return nil, errNotSent
	}
	l.tries++
	l.people = append(l.people, [2]string{req.Operator, req.ApprovedBy})
	if l.before != nil {
		if err := l.before(l.tries); err != nil {
			return nil, err
		}
	}
	replayed := false
	for _, key := range l.performed {
		replayed = replayed || key == req.IdempotencyKey
	}
	if !replayed {
		l.performed = append(l.performed, req.IdempotencyKey)
	}
	if l.lost != nil {
		if err := l.lost(l.tries); err != nil {
			return nil, err
		}
	}
	return &api.Response{Output: &api.InboundResult{}, Replayed: replayed}, nil
}

// first returns a function that fails the first n tries with err.
func first(n int, err error) func(int) error {
	return func(try int) error {
		if try <= n {
			return err
		}
		return nil
	}
}

func newStep(t *testing.T, text string) submit.Step {
	t.Helper()
	step, err := submit.NewStep(api.ReceiveInbound, api.ReceiveInboundInput{InboundID: api.ID{1}, Quantity: 1}, text)
	require.NoError(t, err)
	return step
}

// try sends the next step and records the answer.
func try(t *testing.T, s *submit.Submission, l *ledger) error {
	t.Helper()
	return s.Answered(s.SendAndWait(t.Context(), session.NewSite(session.Options{Service: l})))
}

func TestSubmission_AnswerLostBeforeTheService(t *testing.T) {
	t.Parallel()
	l := &ledger{before: first(1, errNotSent)}
	s := submit.New(newStep(t, "book 1"))
	err := try(t, s, l)
	require.ErrorIs(t, err, errNotSent)
	require.Equal(t, submit.Idle, s.State())
	require.False(t, s.Unfinished(), "nothing was booked, so it may be changed")
	require.Contains(t, s.FailureText(nil, err, "custom"), "Nothing was recorded")

	require.NoError(t, try(t, s, l))
	require.Equal(t, submit.Done, s.State())
	require.Len(t, l.performed, 1)
}

func TestSubmission_AnswerLostAfterTheService(t *testing.T) {
	t.Parallel()
	l := &ledger{lost: first(2, errNoAnswer)}
	s := submit.New(newStep(t, "book 1"))
	for range 2 {
		err := try(t, s, l)
		require.ErrorIs(t, err, errNoAnswer)
		require.Equal(t, submit.Unknown, s.State())
		require.True(t, s.Unfinished())
		require.Contains(t, s.FailureText(nil, err, ""), "may already be recorded")
		require.Equal(t, "custom", s.FailureText(nil, err, "custom"))
	}
	require.NoError(t, try(t, s, l))
	require.Equal(t, submit.Done, s.State())
	require.Len(t, l.performed, 1, "retries use the same key")
}

// A refusal of the caller, before the service looked at the write, says nothing about the
// first try.
func TestSubmission_StaysUnknownIfTheCallerIsRefused(t *testing.T) {
	t.Parallel()
	for _, code := range []api.Code{api.InsufficientScope, api.LocationNotAllowed, api.PlanLimitExceeded} {
		t.Run(string(code), func(t *testing.T) {
			t.Parallel()
			refuse := func(try int) error {
				if try == 2 {
					return api.Fail(code, nil, "no")
				}
				return nil
			}
			l := &ledger{lost: first(1, errNoAnswer), before: refuse}
			s := submit.New(newStep(t, "book 1"))
			require.Error(t, try(t, s, l))
			err := try(t, s, l)
			require.Equal(t, submit.Unknown, s.State())
			require.Contains(t, s.FailureText(nil, err, ""), "may already be recorded. The service rejects the retry")
			require.NoError(t, try(t, s, l))
			require.Len(t, l.performed, 1)

			s = submit.New(newStep(t, "book 1"))
			require.Error(t, try(t, s, &ledger{before: first(1, api.Fail(code, nil, "no"))}))
			require.Equal(t, submit.Refused, s.State(), "nothing was sent before")
		})
	}
}

// The steps of other lines can be sent when the line that is under way is dropped.
func TestSubmission_DropsALineThatIsBeingSent(t *testing.T) {
	t.Parallel()
	one, two := newStep(t, "book 1"), newStep(t, "book 2")
	one.Line, two.Line = "1", "2"
	s := submit.New(one, two)
	l := &ledger{}
	a := s.SendAndWait(t.Context(), session.NewSite(session.Options{Service: l}))
	require.Equal(t, submit.Sending, s.State())
	s.DropLine()
	require.Equal(t, submit.Idle, s.State())
	require.False(t, s.Awaits(a))
	require.NoError(t, try(t, s, l))
	require.Equal(t, submit.Done, s.State())
}

// A retry that did not arrive says nothing about the first try.
func TestSubmission_StaysUnknownIfTheRetryIsNotSent(t *testing.T) {
	t.Parallel()
	l := &ledger{lost: first(1, errNoAnswer)}
	s := submit.New(newStep(t, "book 1"))
	require.Error(t, try(t, s, l))
	l.before = func(int) error { return errNotSent }
	err := try(t, s, l)
	require.Equal(t, submit.Unknown, s.State())
	require.Contains(t, s.FailureText(nil, err, ""), "may already be recorded")
}

func TestSubmission_Refused(t *testing.T) {
	t.Parallel()
	l := &ledger{before: first(1, errRefused)}
	s := submit.New(newStep(t, "book 1"))
	err := try(t, s, l)
	require.Equal(t, submit.Refused, s.State())
	require.False(t, s.Unfinished(), "a refused step may be changed")
	require.Contains(t, s.FailureText(nil, err, "custom"), "This delivery is already received")
	require.Empty(t, l.performed)
}

func TestSubmission_RefusedAfterTheFirstStep(t *testing.T) {
	t.Parallel()
	l := &ledger{}
	s := submit.New(newStep(t, "book 1"), newStep(t, "move 1"))
	require.NoError(t, try(t, s, l))
	require.Equal(t, submit.Idle, s.State())
	require.True(t, s.Unfinished(), "the second step is left")
	l.before = func(int) error { return errRefused }
	require.Error(t, try(t, s, l))
	require.Equal(t, submit.Refused, s.State())
	require.True(t, s.Unfinished())
	require.Equal(t, "move 1", s.Unanswered().Text)
	l.before = nil
	require.NoError(t, try(t, s, l))
	require.Equal(t, submit.Done, s.State())
	require.Equal(t, []string{s.Steps[0].Key, s.Steps[1].Key}, l.performed)
}

func TestSubmission_KeptAtRisk(t *testing.T) {
	t.Parallel()
	l := &ledger{before: first(1, api.Fail(api.AtRisk, nil, "kept"))}
	s := submit.New(newStep(t, "book 1"))
	a := s.SendAndWait(t.Context(), session.NewSite(session.Options{Service: l}))
	require.True(t, a.AtRisk())
	require.NoError(t, s.Answered(a))
	require.Equal(t, submit.Done, s.State())
}

// The answer of a discarded submission is not taken for that of the next one.
func TestSubmission_Discarded(t *testing.T) {
	t.Parallel()
	l := &ledger{}
	discarded := submit.New(newStep(t, "book 1"))
	late := discarded.SendAndWait(t.Context(), session.NewSite(session.Options{Service: l}))
	require.True(t, discarded.Awaits(late))
	var none *submit.Submission
	require.False(t, none.Awaits(late))
	require.Equal(t, submit.Idle, none.State())
	require.Nil(t, none.Unanswered())
	require.False(t, submit.New(newStep(t, "book 1")).Awaits(late))
}

func TestSubmission_RestoredWhileSending(t *testing.T) {
	t.Parallel()
	l := &ledger{lost: first(1, errNoAnswer)}
	s := submit.New(newStep(t, "book 1"))
	s.Pieces, s.Toast = 1, "done"
	require.Error(t, try(t, s, l))
	saved, err := json.Marshal(s)
	require.NoError(t, err)
	var restored *submit.Submission
	require.NoError(t, json.Unmarshal(saved, &restored))
	require.Equal(t, submit.Unknown, restored.State())
	require.NoError(t, try(t, restored, l))
	require.Len(t, l.performed, 1)
	require.Equal(t, "done", restored.Toast)

	resumed := submit.Resume(s.Unanswered())
	require.Equal(t, submit.Unknown, resumed.State())
	require.NoError(t, try(t, resumed, l))
	require.Len(t, l.performed, 1)
	require.Nil(t, submit.Resume(nil))
}

// The draft was written by an earlier version.
func TestSubmission_OldDraft(t *testing.T) {
	t.Parallel()
	var s *submit.Submission
	require.NoError(t, json.Unmarshal([]byte(`{"steps":[
		{"op":"receiveInbound","document":"01000000-0000-0000-0000-000000000000","body":{"quantity":12},"key":"k1","words":"book 12"},
		{"op":"moveStock","body":{"quantity":2},"key":"k2","lotOf":true,"stands":true,"words":"move 2 to damaged","operator":"Ada, approved by Eve"}],
		"next":0,"sent":true,"touched":12}`), &s))
	require.Equal(t, submit.Unknown, s.State())
	require.Equal(t, "book 12", s.Unanswered().Text)
	l := &ledger{}
	require.NoError(t, try(t, s, l))
	require.Equal(t, []string{"k1"}, l.performed)
	require.Equal(t, "k1", s.Steps[1].After)
	require.Equal(t, submit.Idle, s.State())
	s.Steps[1].Body = []byte(`{"productId":"01000000-0000-0000-0000-000000000000","locationId":"01000000-0000-0000-0000-000000000000","quantity":2,"sourceState":"available","destinationState":"damaged","reason":"torn"}`)
	require.NoError(t, try(t, s, l))
	require.Equal(t, [2]string{"Ada", "Eve"}, l.people[1])
}

// A supervisor approves the retry of a step that may be done, and the steps after it. That step
// is sent as before: with another person it would be another operation with its key.
func TestSubmission_ApprovalIsOfTheStepsThatWereNotSent(t *testing.T) {
	t.Parallel()
	l := &ledger{lost: first(1, errNoAnswer)}
	s := submit.New(newStep(t, "book 1"), newStep(t, "book 2"))
	require.ErrorIs(t, try(t, s, l), errNoAnswer)
	env, cancel := tui.Env{Approver: func() string { return "Eve" }}.Bind(t.Context(), 1, time.Minute)
	defer cancel()
	s.Send(env, session.NewSite(session.Options{}))
	require.NoError(t, try(t, s, l))
	require.NoError(t, try(t, s, l))
	require.Equal(t, [][2]string{{"", ""}, {"", ""}, {"", "Eve"}}, l.people)
}

// The submission is a receipt with a damaged share and an over-receipt, then the
// receipt of another line.
func TestSubmission_SetsAfter(t *testing.T) {
	t.Parallel()
	s := submit.New(submit.Step{Key: "receipt"}, submit.Step{Key: "share", DependsOnPrevious: true}, submit.Step{Key: "extra", DependsOnPrevious: true},
		submit.Step{Key: "other"}, submit.Step{Key: "other share", DependsOnPrevious: true})
	var after []string
	for s.State() != submit.Done {
		after = append(after, s.Steps[s.Next].After)
		require.NoError(t, s.Answered(submit.Answer{Step: s.Steps[s.Next], Response: &api.Response{}}))
	}
	require.Equal(t, []string{"", "receipt", "receipt", "", "other"}, after)
}

func TestSubmission_StepOfAnotherVersion(t *testing.T) {
	t.Parallel()
	s := submit.New(submit.Step{Op: "teleport", Key: "k"})
	err := try(t, s, &ledger{})
	require.ErrorContains(t, err, "another version")
	require.False(t, errors.Is(err, errNotSent))
}

func TestUserMessage(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 20, 19, 26, 0, 0, time.Local).UTC().Format(time.RFC3339)
	for want, err := range map[string]error{
		"This delivery is already received (Ben, 2026-11-20 19:26). Nothing was recorded; your count is kept. Go back (esc).": api.Fail(
			api.InboundNotOpen, api.Details{"status": api.InboundReceived, "changedBy": "Ben", "changedAt": at}, "closed"),
		"Only 1,284 to go, but the count is 2,000. Enter at most 1,284.": api.Fail(
			api.QuantityExceedsPending, api.Details{"pending": int64(1284), "requested": int64(2000)}, "no"),
		"The quality control quantity here is 3, but you need 5. Enter less, or find the rest.": api.Fail(
			api.InsufficientStock, api.Details{"current": int64(3), "requested": int64(5), "inventoryState": api.QualityControl}, "no"),
		"Serial S-1 is in stock (damaged) at WH-1, so you cannot use it here. Check its label.": api.Fail(api.SerialNotAvailable,
			api.Details{"serialNumber": "S-1", "status": api.InStock, "locationCode": "WH-1", "inventoryState": api.Damaged}, "no"),
		"What the service says stands.":      api.Fail(api.QuantityExceedsPending, nil, "What the service says stands."),
		"A code of tomorrow.":                api.Fail("TOMORROW", nil, "A code of tomorrow."),
		"The service rejected it (X).":       api.Fail("X", nil, ""),
		"The service did not answer. Retry.": context.DeadlineExceeded,
		"anything else":                      errors.New("anything else"),
		"red alert":                          api.Fail("X", nil, "red\x1b[31m\x07 alert"),
	} {
		require.Equal(t, want, submit.UserMessage(nil, err))
	}
}

func TestOutcomeUnknown(t *testing.T) {
	t.Parallel()
	for _, err := range []error{context.DeadlineExceeded, errors.New("EOF"), api.Fail(api.Unavailable, nil, ""), api.Fail(api.InternalError, nil, ""),
		api.Fail("CONFLICT", api.Details{"outcome": "unknown"}, "")} {
		require.True(t, submit.OutcomeUnknown(err), "%v", err)
	}
	for _, err := range []error{api.Fail(api.InboundNotOpen, nil, ""), api.Fail(api.ValidationError, nil, ""), &session.UnsupportedError{Spec: api.LookUp.Spec}} {
		require.False(t, submit.OutcomeUnknown(err), "%v", err)
	}
}

func TestUserMessage_IsInTheLanguageOfTheSession(t *testing.T) {
	t.Parallel()
	german := tuitest.Language(t, "de")
	short := api.Fail(api.InsufficientStock, api.Details{"current": int64(3), "inventoryState": api.QualityControl, "requested": int64(5)}, "short")
	require.Contains(t, submit.UserMessage(german, short), "Qualitätsprüfung")
	require.NotContains(t, submit.UserMessage(german, short), "Only")
	closed := api.Fail(api.OutboundNotOpen, api.Details{"status": api.OutboundPartiallyPicked}, "closed")
	require.Contains(t, submit.UserMessage(german, closed), "teils kommiss.")
	require.Contains(t, submit.UserMessage(nil, closed), "This order is already partly picked.")
}

// A line may be done, or another stage may come first.
func TestUserMessage_NothingPending(t *testing.T) {
	t.Parallel()
	require.NotContains(t, submit.UserMessage(nil, api.Fail(api.NothingPending, api.Details{"status": api.OutboundAllocated}, "Nothing left.")), "somebody else")
}
