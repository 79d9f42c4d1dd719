package api

import (
	"context"
	"fmt"
	"reflect"

	"github.com/google/uuid"
)

// A Spec describes one operation for all code outside the ledger.
type Spec struct {
	// ID names the operation, e.g. receiveInbound.
	ID string
	// Method and Path are of HTTP; Path is relative to /v1/organizations/{organizationId}.
	Method, Path string
	// Scope is the scope a caller needs.
	Scope Scope
	// Billable operations count against the monthly quota.
	Billable bool
	// Status is the HTTP status of success: 200 unless said.
	Status int
	// BodyOptional allows an empty body on a POST whose input has body fields.
	BodyOptional bool
	// Extension marks operations that are not part of the base interface.
	Extension bool
	Summary   string

	input, output reflect.Type
}

// Writes reports whether the operation changes anything.
func (s *Spec) Writes() bool { return s.Method != "GET" }

// NewInput returns a pointer to a zero input of the operation.
func (s *Spec) NewInput() any { return reflect.New(s.input).Interface() }

// NewOutput returns a pointer to a zero output of the operation.
func (s *Spec) NewOutput() any { return reflect.New(s.output).Interface() }

// Input and Output are the types of the operation, for documentation.
func (s *Spec) Input() reflect.Type  { return s.input }
func (s *Spec) Output() reflect.Type { return s.output }

// An Operation is a Spec with its types: input I, output O.
type Operation[I, O any] struct{ *Spec }

var operations []*Spec

// Operations is the table of all operations, in the order of their resources.
func Operations() []*Spec { return operations }

func operation[I, O any](s Spec) Operation[I, O] {
	op := newOperation[I, O](s)
	operations = append(operations, op.Spec)
	return op
}

func newOperation[I, O any](s Spec) Operation[I, O] {
	if s.Status == 0 {
		s.Status = 200
	}
	s.input, s.output = reflect.TypeFor[I](), reflect.TypeFor[O]()
	return Operation[I, O]{&s}
}

// Call performs the operation on svc. A write without a Key option gets a new
// key, so a caller that may have to retry must give one itself.
func (op Operation[I, O]) Call(ctx context.Context, svc Service, in I, opts ...Option) (O, error) {
	res, err := op.Do(ctx, svc, in, opts...)
	if err != nil {
		var none O
		return none, err
	}
	return *res.Output.(*O), nil
}

// Do is Call with the whole response: whether it was replayed, and by whom it was committed.
func (op Operation[I, O]) Do(ctx context.Context, svc Service, in I, opts ...Option) (*Response, error) {
	req := &Request{Spec: op.Spec, Input: &in}
	for _, o := range opts {
		o(req)
	}
	if req.IdempotencyKey == "" && op.Writes() {
		req.IdempotencyKey = NewKey()
	}
	res, err := svc.Do(ctx, req)
	if err != nil {
		return nil, err
	}
	if _, ok := res.Output.(*O); !ok {
		return nil, Internal(fmt.Errorf("%s answered %T", op.ID, res.Output))
	}
	return res, nil
}

// NewKey mints an idempotency key: a UUID that sorts by time.
func NewKey() string { return uuid.Must(uuid.NewV7()).String() }

// An Option sets a property of a request other than its input.
type Option func(*Request)

// Key sets the idempotency key, so that a retry is recognized.
func Key(key string) Option { return func(r *Request) { r.IdempotencyKey = key } }

// By names the person who does it.
func By(operator string) Option { return func(r *Request) { r.Operator = operator } }

// AcceptRisk has a write kept that looks wrong where it is kept: see Request.
func AcceptRisk() Option { return func(r *Request) { r.AcceptRisk = true } }

// After has a write belong to the one with the key: see Request.
func After(key string) Option { return func(r *Request) { r.After = key } }

// WithRequestID sets the id under which failures can be found again.
func WithRequestID(id string) Option { return func(r *Request) { r.RequestID = id } }

// IfMatch refuses the write unless the resource has this version.
func IfMatch(version int64) Option {
	return func(r *Request) { r.IfMatch = fmt.Sprintf("%q", fmt.Sprint(version)) }
}
