package dock

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"

	"bincard/server/api"
)

// A Step is one write as it will be sent, every time with the same key and body.
type Step struct {
	Op       string          `json:"op"`                 // the operation's id
	Document string          `json:"document,omitempty"` // what stands in its path
	Body     json.RawMessage `json:"body,omitempty"`
	Key      string          `json:"key"`
	// IfMatch is the version that the balance must still have; 0 is any.
	IfMatch int64 `json:"match,omitempty"`
	// UsePreviousLot takes the lot that the step before it moved, where that had one.
	UsePreviousLot bool `json:"lotOf,omitempty"`
	// DependsOnPrevious tells that it is nothing without the step before it, as the damaged
	// share of a receipt is, and After is then the key of that one.
	DependsOnPrevious bool   `json:"stands,omitempty"`
	After             string `json:"after,omitempty"`
	// Insist has it kept though it looks wrong: the goods have moved.
	Insist bool `json:"insist,omitempty"`
	// Text say what it does, for the one who waits: "book 48".
	Text string `json:"words"`
}

// A Submission is a booking under way: its steps in order, and how far it has come.
// It is part of a draft, so that it goes on after a crash where it stopped.
type Submission struct {
	Steps []Step `json:"steps"`
	Next  int    `json:"next"` // the step to send; those before it are done
	// Sent tells that the next step was sent and nobody knows what became of it:
	// nothing may be changed until its answer is known.
	Sent bool `json:"sent,omitempty"`
	// Pieces are the pieces this plan books, to say what waits.
	Pieces int64 `json:"touched,omitempty"`
	// Toast is what is said when all is done; Bench.Done says it where it is empty.
	Toast string `json:"toast,omitempty"`
	// KeepCounts tells that the steps do not touch what is counted.
	KeepCounts bool `json:"keep,omitempty"`
}

// NewStep freezes a write: its key is made now, its body is never made again.
func NewStep[I, O any](op api.Operation[I, O], in I, words string) (Step, error) {
	path, _, body, err := op.Encode(&in)
	if err != nil {
		return Step{}, err
	}
	return Step{Op: op.ID, Document: pathParam(op.Path, path), Body: json.RawMessage(body), Key: api.NewKey(), Text: words}, nil
}

// pathParam is what stands at the place of the parameter of a path.
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

// Send performs a step at the site.
func (s *Site) Send(ctx context.Context, step Step) (*api.Response, error) {
	spec := api.FindOperation(step.Op)
	if spec == nil {
		return nil, errors.New(s.T().Get("This draft is from another version of Bincard. Its operation %q is unknown here.", step.Op))
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
	return s.do(ctx, spec, input, options...)
}

// Advance notes that the next step is done and prepares the one after it;
// over tells that it was the last.
func (p *Submission) Advance(res *api.Response) (over bool, err error) {
	p.Next++
	p.Sent = false
	if p.Next >= len(p.Steps) {
		return true, nil
	}
	step := &p.Steps[p.Next]
	for i := p.Next - 1; step.DependsOnPrevious && step.After == ""; i-- {
		if before := &p.Steps[i]; !before.DependsOnPrevious || i == 0 {
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

// movedLot is the lot of the movements that an answer tells of.
func movedLot(res *api.Response) api.ID {
	for _, m := range res.Movements() {
		if m.LotID != (api.ID{}) {
			return m.LotID
		}
	}
	return api.ID{}
}

// The client says in details.outcome how sure it is that a write was not performed.
const notSent = "not_sent"

// OutcomeUnknown tells whether a write that failed with err may have been performed all
// the same, or not have been tried at all: then it is sent again as it is.
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

// neverSent tells whether the write certainly did not reach the service.
func neverSent(err error) bool {
	var e *api.Error
	if !errors.As(err, &e) {
		return false
	}
	return e.Details["outcome"] == notSent || e.Code == api.RateLimited || e.Code == api.Unauthorized
}
