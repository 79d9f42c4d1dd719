package submit

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"

	"bincard/server/api"
	"bincard/views/names"
	"bincard/views/session"
)

// A Step is one write. It is always sent with the same key and body.
type Step struct {
	Op       string          `json:"op"`                 // the operation's id
	Document string          `json:"document,omitempty"` // parameter in the operation's path
	Body     json.RawMessage `json:"body,omitempty"`
	Key      string          `json:"key"`
	// IfMatch is the version that the balance or product must have; 0 means any.
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
	// Operator is who made the step; "" for the operator who sends it.
	Operator string `json:"operator,omitempty"`
	// ApprovedBy is the supervisor who approved it; "" if none did. Earlier drafts have it in
	// Operator.
	ApprovedBy string `json:"approvedBy,omitempty"`
	// Proof is that of who approved it, or else of the operator; see api.Request.
	Proof string `json:"proof,omitempty"`
	// Line is the key of the counted line that the step books, if each line is booked on
	// its own: a refusal then does not stop the others. It is "" otherwise.
	Line string `json:"line,omitempty"`
	// Text describes the write to the operator: "receive 48".
	Text string `json:"words"`
}

// NewStep returns a step with the encoded input and a new key.
func NewStep[I, O any](op api.Operation[I, O], in I, text string) (Step, error) {
	path, _, body, err := op.Spec.Encode(&in)
	if err != nil {
		return Step{}, err
	}

	return Step{
		Op:       op.Spec.ID,
		Document: op.Spec.PathParam(path),
		Body:     json.RawMessage(body),
		Key:      api.NewKey(),
		Text:     text,
	}, nil
}

// Approve records the supervisor who approved the step. In earlier drafts, the text names the
// operator too.
func (s *Step) Approve(text string) {
	_, supervisor := api.People(text)
	s.ApprovedBy = cmp.Or(supervisor, text)
}

// request returns the write.
func (s *Step) request(site *session.Site) (*api.Request, error) {
	spec := api.FindOperation(s.Op)
	if spec == nil {
		return nil, site.T().NewError(
			"This draft is from another version of Bincard. Its operation %q is unknown here.",
			s.Op,
		)
	}

	input, err := spec.Decode(func(string) string { return s.Document }, url.Values{}, s.Body)
	operator, supervisor := api.People(s.Operator)
	req := &api.Request{Spec: spec, Input: input, IdempotencyKey: s.Key, Operator: cmp.Or(operator, site.Operator()),
		ApprovedBy: cmp.Or(s.ApprovedBy, supervisor), Proof: s.Proof, After: s.After, AcceptRisk: s.Insist}
	if s.IfMatch > 0 {
		api.IfMatch(s.IfMatch)(req)
	}

	return req, err
}

// prove adds the proof, so that a draft keeps it.
func (s *Step) prove(ctx context.Context, site *session.Site) {
	if req, err := s.request(site); err == nil {
		site.Prove(ctx, req)
		s.Proof = req.Proof
	}
}

// send performs the step.
func (s Step) send(ctx context.Context, site *session.Site) (*api.Response, error) {
	req, err := s.request(site)
	if err != nil {
		return nil, err
	}

	res, err := site.Do(ctx, req.Spec, req.Input, func(r *api.Request) { *r = *req })
	if in, ok := req.Input.(*api.ReconcileStockInput); ok && api.HasCode(err, api.InsufficientStock) {
		err = withHolder(ctx, site, in.StockKey, err)
	}

	return res, err
}

// withHolder adds the name of an order that holds the stock to an error, if there is one.
func withHolder(ctx context.Context, site *session.Site, stock api.StockKey, err error) error {
	orders, _, listErr := site.Outbounds(ctx, session.Location{ID: stock.LocationID})
	if listErr != nil {
		return err // without its name, the error still says what to do
	}

	for i := range orders {
		holds := func(l api.OutboundLine) bool {
			return l.ProductID == stock.ProductID && l.AllocatedQuantity > l.FulfilledQuantity
		}
		if slices.ContainsFunc(orders[i].Lines, holds) {
			named := *api.AsError(err)
			details := map[string]any{"holder": names.Outbound(&orders[i])}
			maps.Copy(details, named.Details)
			named.Details = details
			return &named
		}
	}

	return err
}

func (s *Step) setLot(lot api.ID) error {
	var body map[string]json.RawMessage
	if err := json.Unmarshal(s.Body, &body); err != nil {
		return err
	}

	body["lotId"] = json.RawMessage(`"` + lot.String() + `"`)
	delete(body, "lotStrategy")
	raw, err := json.Marshal(body)
	s.Body, s.UsePreviousLot, s.Proof = raw, false, ""

	return err
}

// movedLot returns the lot of the movements in a response, or zero if there is none.
func movedLot(res *api.Response) api.ID {
	for _, m := range res.Movements() {
		if m.LotID != api.NoID {
			return m.LotID
		}
	}

	return api.NoID
}
