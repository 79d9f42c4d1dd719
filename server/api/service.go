package api

import "context"

// A Service performs operations: the ledger, the HTTP client and the offline
// node are Services.
type Service interface {
	Do(ctx context.Context, req *Request) (*Response, error)
}

// A Request is one call of one operation.
type Request struct {
	Spec *Spec
	// Caller is who calls. The client of a remote service leaves it nil: its key says it.
	Caller *Caller
	// Input is a pointer to the operation's input.
	Input any
	// IdempotencyKey lets a write be repeated safely; 1 to 255 visible ASCII characters.
	IdempotencyKey string
	// Operator is the person who does it, where the key is not a person's own.
	Operator string
	// RequestID is echoed in errors.
	RequestID string
	// IfMatch is the quoted version that the changed resource must have, or empty.
	IfMatch string
	// Insist has a service that keeps work keep a write that it would refuse,
	// where the goods have moved already. It reaches the node that is asked, and
	// goes no further.
	AcceptRisk bool
	// After is the idempotency key of the write that this one belongs to, as the
	// damaged share of a receipt does: a service that keeps work sends it when
	// that one is done, and not where it is refused. It goes no further either.
	After string
	// Hurry is closed when whoever waits for something to happen must get the
	// answer as it is: the service is ending. It may be nil.
	Draining <-chan struct{}
}

// A Response answers a Request.
type Response struct {
	// Output is a pointer to the operation's output.
	Output any
	// Replayed tells that the key had been used: this is the first answer again.
	Replayed bool
	// CommittedBy names who committed the write when it was not the service asked; empty otherwise.
	CommittedBy string
}

// List is one page of a list, newest first.
type List[T any] struct {
	Items []T `json:"items"`
	// NextCursor is the last item's id, nil at the end.
	NextCursor *string `json:"nextCursor"`
}

// As is svc with every request made by caller, as a terminal on an embedded
// ledger is one. operator names the person; it may be empty.
func As(svc Service, caller Caller, operator string) Service {
	return as{svc, caller, operator}
}

type as struct {
	svc      Service
	caller   Caller
	operator string
}

func (a as) Do(ctx context.Context, req *Request) (*Response, error) {
	r := *req
	r.Caller = &a.caller
	if r.Operator == "" {
		r.Operator = a.operator
	}
	return a.svc.Do(ctx, &r)
}
