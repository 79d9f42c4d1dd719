package dock

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"

	"bincard/server/api"
)

// A Step is one write. It is always sent with the same key and body.
type Step struct {
	Op       string          `json:"op"`                 // the operation's id
	Document string          `json:"document,omitempty"` // parameter in the operation's path
	Body     json.RawMessage `json:"body,omitempty"`
	Key      string          `json:"key"`
	// IfMatch is the version that the balance must have; 0 means any.
	IfMatch int64 `json:"match,omitempty"`
	// UsePreviousLot uses the lot that the previous step moved, if there was one.
	UsePreviousLot bool `json:"lotOf,omitempty"`
	// DependsOnPrevious means that the step needs the one before it, as the damaged
	// share of a receipt does. After is then the key of the step that it depends on.
	DependsOnPrevious bool   `json:"stands,omitempty"`
	After             string `json:"after,omitempty"`
	// Insist saves the write even if the local check rejects it, because the items
	// have moved.
	Insist bool `json:"insist,omitempty"`
	// Text describes the write to the operator: "book 48".
	Text string `json:"words"`
}

// A Submission is a sequence of steps and its progress. It is part of a draft, so that
// it continues after a crash.
type Submission struct {
	Steps []Step `json:"steps"`
	Next  int    `json:"next"` // the step to send; those before it are done
	// Sent means that the next step was sent and its outcome is unknown. Nothing may
	// be changed until the answer is known.
	Sent bool `json:"sent,omitempty"`
	// Pieces is how many pieces the submission books.
	Pieces int64 `json:"touched,omitempty"`
	// Toast is the message after the last step; CountPanel.BookedText if empty.
	Toast string `json:"toast,omitempty"`
	// KeepCounts means that the steps do not book what is counted.
	KeepCounts bool `json:"keep,omitempty"`
}

// NewStep returns a step with the encoded input and a new key.
func NewStep[I, O any](op api.Operation[I, O], in I, text string) (Step, error) {
	path, _, body, err := op.Encode(&in)
	if err != nil {
		return Step{}, err
	}
	return Step{Op: op.ID, Document: pathParam(op.Path, path), Body: json.RawMessage(body), Key: api.NewKey(), Text: text}, nil
}

// pathParam returns the value of the first parameter of pattern in path.
func pathParam(pattern, path string) string {
	for i := range pattern {
		if pattern[i] != '{' {
			continue
		}
		end := i
		for end < len(path) && path[end] != '/' {
			end++
		}
		return path[i:end]
	}
	return ""
}

// Send performs the step.
func (step Step) Send(ctx context.Context, site *Site) (*api.Response, error) {
	spec := api.FindOperation(step.Op)
	if spec == nil {
		return nil, errors.New(site.T().Get("This draft is from another version of Bincard. Its operation %q is unknown here.", step.Op))
	}
	input, err := spec.Decode(func(string) string { return step.Document }, url.Values{}, step.Body)
	if err != nil {
		return nil, err
	}
	options := []api.Option{api.Key(step.Key)}
	if step.IfMatch > 0 {
		options = append(options, api.IfMatch(step.IfMatch))
	}
	if step.After != "" {
		options = append(options, api.After(step.After))
	}
	if step.Insist {
		options = append(options, api.AcceptRisk())
	}
	return site.Do(ctx, spec, input, options...)
}

// Advance marks the next step as done and prepares the one after it; done reports
// whether it was the last.
func (s *Submission) Advance(res *api.Response) (done bool, err error) {
	s.Next++
	s.Sent = false
	if s.Next >= len(s.Steps) {
		return true, nil
	}
	step := &s.Steps[s.Next]
	for i := s.Next - 1; step.DependsOnPrevious && step.After == ""; i-- {
		if before := &s.Steps[i]; !before.DependsOnPrevious || i == 0 {
			step.After = before.Key
		}
	}
	if lot := movedLot(res); step.UsePreviousLot && lot != (api.ID{}) {
		err = step.setLot(lot)
	}
	return false, err
}

func (s *Step) setLot(lot api.ID) error {
	var body map[string]json.RawMessage
	if err := json.Unmarshal(s.Body, &body); err != nil {
		return err
	}
	body["lotId"] = json.RawMessage(`"` + lot.String() + `"`)
	delete(body, "lotStrategy")
	raw, err := json.Marshal(body)
	s.Body, s.UsePreviousLot = raw, false
	return err
}

// movedLot returns the lot of the movements in a response, zero if there is none.
func movedLot(res *api.Response) api.ID {
	for _, m := range res.Movements() {
		if m.LotID != (api.ID{}) {
			return m.LotID
		}
	}
	return api.ID{}
}

// notSent is the details.outcome of a write that did not reach the service.
const notSent = "not_sent"

// OutcomeUnknown reports whether a write that failed with err may have been performed,
// or was not tried at all. It must then be retried unchanged.
func OutcomeUnknown(err error) bool {
	var e *api.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || !errors.As(err, &e) {
		return !IsUnsupported(err)
	}
	switch e.Code {
	case api.Unavailable, api.InternalError, api.RateLimited, api.Unauthorized:
		return true
	}
	return e.Details["outcome"] != nil
}

// neverSent reports whether the service certainly did not process the write.
func neverSent(err error) bool {
	var e *api.Error
	if !errors.As(err, &e) {
		return false
	}
	return e.Details["outcome"] == notSent || e.Code == api.RateLimited || e.Code == api.Unauthorized
}
