package api

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
)

// Code is a machine-readable error code.
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
	// MalformedRequest, ExpectationFailed, HeadersTooLarge and HTTPVersionNotSupported are
	// answered before the path is read.
	MalformedRequest        Code = "MALFORMED_REQUEST"
	ExpectationFailed       Code = "EXPECTATION_FAILED"
	HeadersTooLarge         Code = "HEADERS_TOO_LARGE"
	HTTPVersionNotSupported Code = "HTTP_VERSION_NOT_SUPPORTED"
	// ChangesGone means that the changes are not available; read a snapshot instead.
	ChangesGone    Code = "CHANGES_GONE"
	RateLimited    Code = "RATE_LIMITED"
	InternalError  Code = "INTERNAL"
	NotImplemented Code = "NOT_IMPLEMENTED"
	Unavailable    Code = "UNAVAILABLE"

	InsufficientStock      Code = "INSUFFICIENT_STOCK"
	QuantityExceedsPending Code = "QUANTITY_EXCEEDS_PENDING"
	QuantityTooLarge       Code = "QUANTITY_TOO_LARGE"
	StateBackedByDocuments Code = "STATE_BACKED_BY_DOCUMENTS"
	NothingPending         Code = "NOTHING_PENDING"
	InboundAlreadyReceived Code = "INBOUND_ALREADY_RECEIVED"
	InboundNotOpen         Code = "INBOUND_NOT_OPEN"
	OutboundNotOpen        Code = "OUTBOUND_NOT_OPEN"
	TransferNotOpen        Code = "TRANSFER_NOT_OPEN"
	ReservationNotPending  Code = "RESERVATION_NOT_PENDING"
	// ReservationTooLate means that a reservation expired before the service received it.
	ReservationTooLate      Code = "RESERVATION_EXPIRED"
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

// statuses maps the codes to HTTP statuses; all others are a conflict (409).
var statuses = map[Code]int{
	AtRisk:                  202,
	ValidationError:         400,
	InvalidJSON:             400,
	InvalidCursor:           400,
	IdempotencyKeyRequired:  400,
	Unauthorized:            401,
	PlanLimitExceeded:       402,
	InsufficientScope:       403,
	LocationNotAllowed:      403,
	ApprovalRequired:        403,
	NotFound:                404,
	MethodNotAllowed:        405,
	NotAcceptable:           406,
	ChangesGone:             410,
	PayloadTooLarge:         413,
	UnsupportedMediaType:    415,
	VersionConflict:         412,
	IdempotencyKeyReused:    422,
	RateLimited:             429,
	MalformedRequest:        400,
	ExpectationFailed:       417,
	HeadersTooLarge:         431,
	HTTPVersionNotSupported: 505,
	InternalError:           500,
	NotImplemented:          501,
	Unavailable:             503,
}

// Conflicts shared by several operations, for Spec.Conflicts.
var (
	lotConflicts      = []Code{LotMismatch, LotArchived}
	serialConflicts   = []Code{SerialCountMismatch, SerialNotAvailable}
	arrivalConflicts  = []Code{LotRequired, SerialCountMismatch, SerialExists, QuantityTooLarge}
	issueConflicts    = []Code{InsufficientStock}
	pendingConflicts  = []Code{NothingPending, QuantityExceedsPending}
	outboundConflicts = slices.Concat([]Code{OutboundNotOpen}, pendingConflicts, lotConflicts, serialConflicts)
	transferConflicts = slices.Concat([]Code{TransferNotOpen}, pendingConflicts, serialConflicts)
	unitConflicts     = []Code{UnitConversionMismatch}
)

// AtRisk reports that a node has saved a write that its local ledger rejects. It is an
// error in this program, because there is no output, and over HTTP a warning with status
// 202, because the write must not be repeated with another key. Only nodes return it.
const AtRisk Code = "AT_RISK"

// Undecided reports that a decision about offline work is not possible now. Only
// nodes return it.
const Undecided Code = "UNDECIDED"

// LocationNotAllowed reports that a key limited to one location was used for another.
const LocationNotAllowed Code = "LOCATION_NOT_ALLOWED"

// ApprovalRequired reports that a write needs the approval of a supervisor, with a Proof.
const ApprovalRequired Code = "APPROVAL_REQUIRED"

// Status returns the HTTP status of the code.
func (c Code) Status() int {
	if s, ok := statuses[c]; ok {
		return s
	}
	return http.StatusConflict
}

// Details are the details of an error. Its members depend on the code.
type Details map[string]any

// An Error is the error of a failed operation.
type Error struct {
	Code    Code
	Message string
	Details Details
	// RequestID is the id of the failed request, if known.
	RequestID string
	// Err is the cause. It is logged and never sent.
	Err error
}

func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.Err)
	}
	return string(e.Code) + ": " + e.Message
}

func (e *Error) Unwrap() error { return e.Err }

// Text marks an English text as one for people: a message, or a word in a message. The
// terminal translates such texts.
func Text(english string) string { return english }

// Textf formats a message, or a part of one, for people. Its verbs are %d, %q, %s and %v,
// where %v stands for a text for people and %s for any other: the terminal translates both
// the format and what %v stands for.
func Textf(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// Fail returns an Error. Its message, made by Textf, should say what happened and what to
// do next.
func Fail(code Code, details Details, format string, args ...any) *Error {
	return &Error{Code: code, Message: Textf(format, args...), Details: details}
}

// WrongOrganization returns the error for a request to an organization other than the
// key's. It is the same whether or not that organization exists.
func WrongOrganization(organization string) *Error {
	return Fail(NotFound, Details{"organizationId": organization}, "This key has no access to organization %s.",
		organization)
}

// IsWrongOrganization reports whether err was made by WrongOrganization.
func IsWrongOrganization(err error) bool {
	e := AsError(err)
	return e.Code == NotFound && e.Details["organizationId"] != nil
}

// Internal wraps err in an INTERNAL error, whose message does not reveal it.
func Internal(err error) *Error {
	return &Error{
		Code:    InternalError,
		Message: Text("Internal error. Retry; if the problem persists, report the request id."),
		Err:     err,
	}
}

// AsError returns err as an Error, wrapped by Internal if it is not one.
func AsError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return Internal(err)
}

// HasCode reports whether err is an Error with this code.
func HasCode(err error, code Code) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}

// A FieldProblem is one invalid field of an input.
type FieldProblem struct {
	Path    string `json:"path"`
	Rule    string `json:"rule"`
	Message string `json:"message"`
}

// maxProblems limits the reported problems, so that an input with many does not produce a
// huge response.
const maxProblems = 100

// Problems collects the invalid fields of one input.
type Problems struct {
	Fields []FieldProblem
	prefix string
	// characters checks the characters of texts too. Decoding does not: a request from
	// before the rule must find its answer by its idempotency key first.
	characters bool
}

// Add adds a problem, unless its path already has one, or there are maxProblems.
func (p *Problems) Add(path, rule, format string, args ...any) {
	if len(p.Fields) >= maxProblems {
		return
	}

	path = p.prefix + path
	for _, f := range p.Fields {
		if f.Path == path {
			return
		}
	}

	p.Fields = append(p.Fields, FieldProblem{path, rule, Textf(format, args...)})
}

// Err returns nil, or a VALIDATION_ERROR with all problems.
func (p *Problems) Err() error {
	if len(p.Fields) == 0 {
		return nil
	}

	first, details := p.Fields[0], Details{"fields": p.Fields}
	switch more := len(p.Fields) - 1; more {
	case 0:
		return Fail(ValidationError, details, "%s: %v.", first.Path, first.Message)
	case 1:
		return Fail(ValidationError, details, "%s: %v. 1 more field is invalid.", first.Path, first.Message)
	default:
		return Fail(ValidationError, details, "%s: %v. %d more fields are invalid.", first.Path, first.Message, more)
	}
}

// A ForeignAnswer is the cause of an error for an answer that is not the service's own,
// such as the page of a proxy or of a network sign-in. It says nothing about whether the
// request was performed.
type ForeignAnswer struct {
	// Status is the HTTP status.
	Status int
	// Text is the beginning of the body, safe to print.
	Text string
}

func (f *ForeignAnswer) Error() string {
	return "status " + strconv.Itoa(f.Status) + ": " + strconv.Quote(f.Text)
}

// NoRoute reports whether the answer is that of a server without the requested path.
func (f *ForeignAnswer) NoRoute() bool {
	return f.Status == http.StatusNotFound || f.Status == http.StatusMethodNotAllowed ||
		f.Status == http.StatusNotImplemented
}

// IsGateway reports whether the answer is that of a gateway that cannot reach the
// service.
func (f *ForeignAnswer) IsGateway() bool {
	return f.Status == http.StatusBadGateway || f.Status == http.StatusServiceUnavailable ||
		f.Status == http.StatusGatewayTimeout
}

// ForeignAnswerOf returns the ForeignAnswer that caused err, or nil.
func ForeignAnswerOf(err error) *ForeignAnswer {
	var f *ForeignAnswer
	if errors.As(err, &f) {
		return f
	}
	return nil
}
