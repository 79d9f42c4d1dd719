package api

import (
	"context"
	"reflect"
	"time"
)

// OccurredAtHeader is the HTTP header with OccurredAt, which errors name.
const OccurredAtHeader = "Bincard-Occurred-At"

// KeyHeader is the HTTP header with the idempotency key of a write. The answer repeats it.
const KeyHeader = "Idempotency-Key"

// A Service performs operations. The ledger, the HTTP client and the offline node are
// Services.
type Service interface {
	Do(ctx context.Context, req *Request) (*Response, error)
}

// A Request is one call of an operation.
type Request struct {
	Spec *Spec
	// Caller is who makes the request. A remote client leaves it nil: its API key identifies it.
	Caller *Caller
	// Input is a pointer to the operation's input.
	Input any
	// IdempotencyKey makes a write safe to retry; 1 to 255 visible ASCII characters.
	IdempotencyKey string
	// Operator is the person who makes the request, if people share the key.
	Operator string
	// ApprovedBy is the supervisor who approved the operator's write; "" if none did.
	ApprovedBy string
	// Proof is the signature of who approved the write, or else of the operator; "" if there is
	// none. That of a decision about offline work signs the write that is sent.
	Proof string
	// RequestID identifies the request in logs and errors.
	RequestID string
	// Client is the id of the node that sends the write, ClientNumber the number that the
	// node gave it, from 1 and ascending. Both are zero for a write that no node sends.
	Client       ID
	ClientNumber int64
	// Device is the label of the device that made the write, if not the caller's.
	Device string
	// Node is what the node that reads the changes says about itself; nil for other requests.
	Node *NodeReport
	// OccurredAt is when the write happened, if that was before the service performs it.
	OccurredAt time.Time
	// IfMatch is the quoted version the resource must have, or empty.
	IfMatch string
	// AcceptRisk makes a node save a write that its local ledger rejects, because the
	// stock has already moved. It is not sent to the service.
	AcceptRisk bool
	// After is the idempotency key of the write that this one depends on. For example,
	// moving damaged stock depends on its receipt. A node sends the dependent write
	// only after the other is synced. It is not sent to the service.
	After string
	// Draining is closed when the service shuts down. Long polls must then return. It
	// may be nil.
	Draining <-chan struct{}
	// BeforeWait is called when a long poll begins to wait. It may be nil.
	BeforeWait func()
}

// DocumentID returns the id of the document the request is for, or zero if none.
func (r *Request) DocumentID() ID {
	if r.Spec.Document == "" {
		return NoID
	}
	return inputID(r.Input, "path", string(r.Spec.Document)+"Id")
}

// StockKey returns the stock key that the request names, false if none.
func (r *Request) StockKey() (StockKey, bool) {
	id := func(name string) ID { return inputID(r.Input, "body", name) }
	k := StockKey{id("productId"), id("locationId"), id("ownerId"), id("channelId")}
	return k, k.ProductID != NoID && k.LocationID != NoID
}

// Locations returns the locations that the request names.
func (r *Request) Locations() (list []ID) {
	for _, name := range []string{"locationId", "sourceLocationId", "destinationLocationId"} {
		if id := inputID(r.Input, "body", name); id != NoID {
			list = append(list, id)
		}
	}

	return list
}

// FilterLocation returns the location that a read is limited to, or zero if none.
func (r *Request) FilterLocation() ID { return inputID(r.Input, "query", "locationId") }

// inputID returns the id in a field of an input, or zero if it has no such field.
func inputID(input any, in, name string) (id ID) {
	v := reflect.ValueOf(input).Elem()
	for _, f := range shapeOf(v.Type()).fields {
		if f.in == in && f.name == name {
			id, _ = v.FieldByIndex(f.index).Interface().(ID)
		}
	}

	return id
}

// A Response is the response to a Request.
type Response struct {
	// Output is a pointer to the operation's output.
	Output any
	// Replayed reports whether this is the stored response to an earlier request with the
	// same key.
	Replayed bool
	// CommittedBy names who committed the write, if not the service itself.
	CommittedBy string
}

// Movements returns the movements that a write made.
func (r *Response) Movements() []Movement {
	if out, ok := r.Output.(interface{ movements() []Movement }); ok {
		return out.movements()
	}
	return nil
}

// DocumentID returns the id of the document that a write created or changed, or zero if
// none.
func (r *Response) DocumentID() ID {
	if out, ok := r.Output.(interface{ documentID() ID }); ok {
		return out.documentID()
	}
	return NoID
}

// List is one page of a list, newest first.
type List[T any] struct {
	Items []T `json:"items"`
	// NextCursor is the last item's id, nil on the last page.
	NextCursor *string `json:"nextCursor"`
}

// As returns a Service that performs every request on svc as caller. operator is the
// default operator; it may be empty.
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
