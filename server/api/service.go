package api

import (
	"context"
	"reflect"
)

// A Service performs operations: the ledger, the HTTP client and the offline
// node are Services.
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
	// Operator is the person making the request, if the key is shared.
	Operator string
	// RequestID is echoed in errors.
	RequestID string
	// IfMatch is the quoted version the resource must have, or empty.
	IfMatch string
	// AcceptRisk tells a node to keep a write that its local ledger rejects, because
	// the stock has already moved. Only the node that receives it uses it.
	AcceptRisk bool
	// After is the idempotency key of the write this one depends on, as the damaged
	// share of a receipt does. A node sends it after that one is synced, and not if
	// that one failed. Only the node that receives it uses it.
	After string
	// Draining is closed when the service shuts down: long polls must return what
	// they have. It may be nil.
	Draining <-chan struct{}
}

// DocumentID is the id of the document the request is for; zero if there is none.
func (r *Request) DocumentID() ID {
	if r.Spec.Document == "" {
		return ID{}
	}
	return inputID(r.Input, "path", string(r.Spec.Document)+"Id")
}

// StockKey is the balance the request names; false if it names none.
func (r *Request) StockKey() (StockKey, bool) {
	id := func(name string) ID { return inputID(r.Input, "body", name) }
	k := StockKey{id("productId"), id("locationId"), id("ownerId"), id("channelId")}
	return k, k.ProductID != (ID{}) && k.LocationID != (ID{})
}

// Locations are the locations the request names.
func (r *Request) Locations() (list []ID) {
	for _, name := range []string{"locationId", "sourceLocationId", "destinationLocationId"} {
		if id := inputID(r.Input, "body", name); id != (ID{}) {
			list = append(list, id)
		}
	}
	return list
}

// inputID is the id that a field of an input holds; zero if the input has no such field.
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
	// Replayed is set if this is the stored response of an earlier request with the same key.
	Replayed bool
	// CommittedBy names who committed the write, if not the service itself.
	CommittedBy string
}

// Movements are the stock movements that a write made.
func (r *Response) Movements() []Movement {
	if out, ok := r.Output.(interface{ movements() []Movement }); ok {
		return out.movements()
	}
	return nil
}

// DocumentID is the id of the document that a write created or changed; zero if there
// is none.
func (r *Response) DocumentID() ID {
	if out, ok := r.Output.(interface{ documentID() ID }); ok {
		return out.documentID()
	}
	return ID{}
}

// List is one page of a list, newest first.
type List[T any] struct {
	Items []T `json:"items"`
	// NextCursor is the last item's id, nil on the last page.
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
