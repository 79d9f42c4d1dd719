package api

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"time"

	"github.com/google/uuid"

	"bincard/server/api/role"
)

// BasePath is the prefix of the path of every operation.
const BasePath = "/v1/organizations/{organizationId}"

// A Spec describes one operation.
type Spec struct {
	// ID names the operation, e.g. receiveInbound.
	ID string
	// Method is the HTTP method. Path is relative to BasePath.
	Method, Path string
	// Scope is the scope that the operation requires.
	Scope Scope
	// Billable operations count against the monthly quota.
	Billable bool
	// Status is the HTTP status of success; the default is 200.
	Status int
	// BodyOptional allows an empty body on a POST whose input has body fields.
	BodyOptional bool
	// BodyAdded marks operations that took no body in earlier versions. An empty object is
	// the same as none, so that keys of that time are known again.
	BodyAdded bool
	// Extension marks operations that are not part of the base interface.
	Extension bool
	Summary   string

	// Permission is what a key that is bound to a role needs, unless the person may.
	Permission role.Permission
	// Document is the kind of document the operation creates, changes or reads. The
	// parameter of Path, if any, is its id.
	Document DocumentKind
	// AtDestination marks operations at the destination of a transfer.
	AtDestination bool
	// Direction is where stock goes; empty for reads.
	Direction Direction
	// AllLocations marks operations that affect all locations. A key limited to one
	// location may not perform them.
	AllLocations bool
	// ServiceOnly marks operations that only the service supports, such as managing keys
	// and reading the change feed. A node forwards them; an edge rejects them.
	ServiceOnly bool
	// Discovery marks operations that describe the caller and the service. A node
	// forwards them; an edge describes itself.
	Discovery bool
	// History marks reads of past movements. A replica lacks those before it began.
	History bool
	// Conflicts are the codes with status 409 that a write may return, most likely first.
	Conflicts []Code
	// Example overrides example values in the documentation.
	Example Example

	input, output reflect.Type
}

// Direction is where stock goes when people perform an operation.
type Direction string

const (
	// DirectionNone plans, holds, cancels or closes without anyone handling stock.
	DirectionNone Direction = "none"
	// DirectionIn brings stock in.
	DirectionIn Direction = "in"
	// DirectionOut takes stock out.
	DirectionOut Direction = "out"
	// DirectionEither corrects stock up or down.
	DirectionEither Direction = "either"
	// DirectionWithin moves stock between states or stages.
	DirectionWithin Direction = "within"
)

// Sign returns 1 if stock comes in, -1 if it goes out and 0 otherwise.
func (d Direction) Sign() int64 {
	switch d {
	case DirectionIn:
		return 1
	case DirectionOut:
		return -1
	}

	return 0
}

// ChangesOnHand reports whether stock can come in or go out.
func (d Direction) ChangesOnHand() bool { return d.Sign() != 0 || d == DirectionEither }

// Example maps members of an input to the values shown in the documentation. A nil
// value stands for any value of the member's type.
type Example map[string]any

// Writes reports whether the operation changes anything.
func (s *Spec) Writes() bool { return s.Method != "GET" }

// Creates reports whether the operation creates a resource.
func (s *Spec) Creates() bool { return s.Status == http.StatusCreated }

// Physical reports whether people have handled the stock by the time they record the
// operation. A rejection cannot undo that, so a node may save the operation at risk.
func (s *Spec) Physical() bool { return s.Direction != "" && s.Direction != DirectionNone }

// MovesDocument reports whether the operation moves stock in or out for its document,
// so that the document's open quantity limits it.
func (s *Spec) MovesDocument() bool { return s.Document != "" && s.Direction.Sign() != 0 }

// HasMember reports whether the body of the operation has the named member.
func (s *Spec) HasMember(name string) bool { return shapeOf(s.input).body[name] != nil }

// NewInput returns a pointer to a zero input of the operation.
func (s *Spec) NewInput() any { return reflect.New(s.input).Interface() }

// NewOutput returns a pointer to a zero output of the operation.
func (s *Spec) NewOutput() any { return reflect.New(s.output).Interface() }

// Input returns the type of the operation's input.
func (s *Spec) Input() reflect.Type { return s.input }

// Output returns the type of the operation's output.
func (s *Spec) Output() reflect.Type { return s.output }

// An Operation is a Spec with an input of type I and an output of type O. Call and Do are
// fields because the compiler compiles the methods of a generic type again in each package
// that uses it.
type Operation[I, O any] struct {
	*Spec

	// Call performs the operation on svc. A write without a Key option gets a new key, so
	// a caller that may retry must set one.
	Call func(ctx context.Context, svc Service, in I, opts ...Option) (O, error)

	// Do is like Call but returns the whole response.
	Do func(ctx context.Context, svc Service, in I, opts ...Option) (*Response, error)
}

var operations []*Spec

// Operations returns the operations of the service, grouped by resource.
func Operations() []*Spec { return operations }

// FindOperation returns the operation with the ID, or nil.
func FindOperation(id string) *Spec {
	for _, s := range operations {
		if s.ID == id {
			return s
		}
	}

	return nil
}

func operation[I, O any](s Spec) Operation[I, O] {
	op := newOperation[I, O](s)
	operations = append(operations, op.Spec)
	return op
}

func newOperation[I, O any](s Spec) Operation[I, O] {
	if s.Status == 0 {
		s.Status = http.StatusOK
	}

	s.input, s.output = reflect.TypeFor[I](), reflect.TypeFor[O]()
	do := func(ctx context.Context, svc Service, in I, opts ...Option) (*Response, error) {
		return s.do(ctx, svc, &in, opts)
	}

	return Operation[I, O]{Spec: &s, Do: do,
		Call: func(ctx context.Context, svc Service, in I, opts ...Option) (out O, err error) {
			res, err := do(ctx, svc, in, opts...)
			if err == nil {
				out = *res.Output.(*O)
			}
			return out, err
		}}
}

func (s *Spec) do(ctx context.Context, svc Service, in any, opts []Option) (*Response, error) {
	req := &Request{Spec: s, Input: in}
	for _, o := range opts {
		o(req)
	}
	if req.IdempotencyKey == "" && s.Writes() {
		req.IdempotencyKey = NewKey()
	}

	res, err := svc.Do(ctx, req)
	if err != nil {
		return nil, err
	}
	if reflect.TypeOf(res.Output) != reflect.PointerTo(s.output) {
		return nil, Internal(fmt.Errorf("%s returned %T", s.ID, res.Output))
	}

	return res, nil
}

// NewKey returns a new idempotency key: a UUID that sorts by time.
func NewKey() string { return uuid.Must(uuid.NewV7()).String() }

// An Option sets a property of a request other than its input.
type Option func(*Request)

// Key sets the idempotency key.
func Key(key string) Option { return func(r *Request) { r.IdempotencyKey = key } }

// By sets the operator.
func By(operator string) Option { return func(r *Request) { r.Operator = operator } }

// ApprovedBy sets the supervisor who approved the write.
func ApprovedBy(supervisor string) Option { return func(r *Request) { r.ApprovedBy = supervisor } }

// Proof sets Request.Proof.
func Proof(proof string) Option { return func(r *Request) { r.Proof = proof } }

// From sets the node that sends the write, and the number that it gave it.
func From(client ID, number int64) Option {
	return func(r *Request) { r.Client, r.ClientNumber = client, number }
}

// OnDevice sets the device on which the write was made.
func OnDevice(label string) Option { return func(r *Request) { r.Device = label } }

// ReportedBy sets what the node that reads the changes says about itself.
func ReportedBy(report NodeReport) Option { return func(r *Request) { r.Node = &report } }

// OccurredAt sets when the write happened.
func OccurredAt(at time.Time) Option { return func(r *Request) { r.OccurredAt = at } }

// AcceptRisk sets Request.AcceptRisk.
func AcceptRisk() Option { return func(r *Request) { r.AcceptRisk = true } }

// After sets Request.After.
func After(key string) Option { return func(r *Request) { r.After = key } }

// IfMatch makes the write fail unless the resource has this version.
func IfMatch(version int64) Option {
	return func(r *Request) { r.IfMatch = fmt.Sprintf("%q", fmt.Sprint(version)) }
}
