package api

import (
	"errors"
	"fmt"
	"net/http"
)

// Code is the machine-readable kind of an error.
type Code string

const (
	ValidationError        Code = "VALIDATION_ERROR"
	InvalidJSON            Code = "INVALID_JSON"
	InvalidCursor          Code = "INVALID_CURSOR"
	IdempotencyKeyRequired Code = "IDEMPOTENCY_KEY_REQUIRED"
	Unauthorized           Code = "UNAUTHORIZED"
	PlanLimitExceeded      Code = "PLAN_LIMIT_EXCEEDED"
	InsufficientScope      Code = "INSUFFICIENT_SCOPE"
	NotFound               Code = "NOT_FOUND"
	MethodNotAllowed       Code = "METHOD_NOT_ALLOWED"
	NotAcceptable          Code = "NOT_ACCEPTABLE"
	PayloadTooLarge        Code = "PAYLOAD_TOO_LARGE"
	UnsupportedMediaType   Code = "UNSUPPORTED_MEDIA_TYPE"
	VersionConflict        Code = "VERSION_CONFLICT"
	IdempotencyKeyReused   Code = "IDEMPOTENCY_KEY_REUSED"
	// ChangesGone tells that the feed no longer reaches back so far: read a snapshot.
	ChangesGone    Code = "CHANGES_GONE"
	RateLimited    Code = "RATE_LIMITED"
	InternalError  Code = "INTERNAL"
	NotImplemented Code = "NOT_IMPLEMENTED"
	Unavailable    Code = "UNAVAILABLE"

	InsufficientStock       Code = "INSUFFICIENT_STOCK"
	QuantityExceedsPending  Code = "QUANTITY_EXCEEDS_PENDING"
	QuantityTooLarge        Code = "QUANTITY_TOO_LARGE"
	StateBackedByDocuments  Code = "STATE_BACKED_BY_DOCUMENTS"
	NothingPending          Code = "NOTHING_PENDING"
	InboundAlreadyReceived  Code = "INBOUND_ALREADY_RECEIVED"
	InboundNotOpen          Code = "INBOUND_NOT_OPEN"
	OutboundNotOpen         Code = "OUTBOUND_NOT_OPEN"
	TransferNotOpen         Code = "TRANSFER_NOT_OPEN"
	ReservationNotPending   Code = "RESERVATION_NOT_PENDING"
	ReservationNotCommitted Code = "RESERVATION_NOT_COMMITTED"
	OwnerMismatch           Code = "OWNER_MISMATCH"
	ChannelMismatch         Code = "CHANNEL_MISMATCH"
	LotMismatch             Code = "LOT_MISMATCH"
	LotArchived             Code = "LOT_ARCHIVED"
	LotNotEmpty             Code = "LOT_NOT_EMPTY"
	LotRequired             Code = "LOT_REQUIRED"
	SerialExists            Code = "SERIAL_EXISTS"
	SerialNotAvailable      Code = "SERIAL_NOT_AVAILABLE"
	SerialCountMismatch     Code = "SERIAL_COUNT_MISMATCH"
	UnitConversionMismatch  Code = "UNIT_CONVERSION_MISMATCH"
	ProductNotComposed      Code = "PRODUCT_NOT_COMPOSED"
	ProductArchived         Code = "PRODUCT_ARCHIVED"
	AlreadyExists           Code = "ALREADY_EXISTS"
)

// statuses maps the codes that are not a state conflict (409) to HTTP.
var statuses = map[Code]int{
	ValidationError: 400, InvalidJSON: 400, InvalidCursor: 400, IdempotencyKeyRequired: 400,
	Unauthorized: 401, PlanLimitExceeded: 402, InsufficientScope: 403, LocationNotAllowed: 403, NotFound: 404,
	MethodNotAllowed: 405, NotAcceptable: 406, ChangesGone: 410, PayloadTooLarge: 413, UnsupportedMediaType: 415,
	VersionConflict: 412, IdempotencyKeyReused: 422, RateLimited: 429,
	InternalError: 500, NotImplemented: 501, Unavailable: 503,
}

// AtRisk is the answer to a write that is saved where one works, although it
// would be refused there: the service decides. No service answers it.
const AtRisk Code = "AT_RISK"

// Undecided is the answer to a decision about kept work that cannot be taken
// now. No service answers it.
const Undecided Code = "UNDECIDED"

// LocationNotAllowed is the answer to a key that may work at one location alone,
// for what is done at another one. An edge answers it, and no service.
const LocationNotAllowed Code = "LOCATION_NOT_ALLOWED"

// Status is the HTTP status of the code.
func (c Code) Status() int {
	if s, ok := statuses[c]; ok {
		return s
	}
	return http.StatusConflict
}

// Details are the numbers and names of the matter, per code.
type Details map[string]any

// An Error is what an operation answers when it fails. Err is logged, never sent.
type Error struct {
	Code    Code
	Message string
	Details Details
	// RequestID is the id of the request that failed, where one is known.
	RequestID string
	Err       error
}

func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.Err)
	}
	return string(e.Code) + ": " + e.Message
}

func (e *Error) Unwrap() error { return e.Err }

// Fail makes an Error. The message says what there is, what was asked, and what to do next.
func Fail(code Code, details Details, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Details: details}
}

// NotOfKey is the error of a request for an organization that is not the key's,
// whether there is one of that id or not.
func WrongOrganization(organization string) *Error {
	return Fail(NotFound, Details{"organizationId": organization}, "There is no organization %s for this key.", organization)
}

// IsNotOfKey tells whether err is one of NotOfKey.
func IsWrongOrganization(err error) bool {
	e := AsError(err)
	return e.Code == NotFound && e.Details["organizationId"] != nil
}

// Internal hides err behind a fixed text.
func Internal(err error) *Error {
	return &Error{Code: InternalError, Message: "The service failed. Try again; if it stays, report the request id.", Err: err}
}

// AsError is err as an Error; anything foreign becomes INTERNAL.
func AsError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return Internal(err)
}

// HasCode tells whether err is an Error of this code.
func HasCode(err error, code Code) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}

// A FieldProblem is one broken rule of an input.
type FieldProblem struct {
	Path    string `json:"path"`
	Rule    string `json:"rule"`
	Message string `json:"message"`
}

// Problems collects the broken rules of one input.
type Problems struct {
	Fields []FieldProblem
	prefix string
}

// Add notes a broken rule; the first one of a path stands.
func (p *Problems) Add(path, rule, format string, args ...any) {
	path = p.prefix + path
	for _, f := range p.Fields {
		if f.Path == path {
			return
		}
	}
	p.Fields = append(p.Fields, FieldProblem{path, rule, fmt.Sprintf(format, args...)})
}

// Err is nil, or the VALIDATION_ERROR with all problems.
func (p *Problems) Err() error {
	if len(p.Fields) == 0 {
		return nil
	}
	msg := fmt.Sprintf("%s: %s.", p.Fields[0].Path, p.Fields[0].Message)
	if n := len(p.Fields) - 1; n > 0 {
		msg = fmt.Sprintf("%s And %d more of the request's fields break a rule.", msg, n)
	}
	return Fail(ValidationError, Details{"fields": p.Fields}, "%s", msg)
}
