package openapi

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"bincard/server/api"
)

// A Fault describes an error code.
type Fault struct {
	Code   api.Code
	Status int
	Means  string
}

// meanings say what each code means and what to do. A code without one is described by
// its comment.
var meanings = map[api.Code]string{
	api.ValidationError:         "The input is invalid. details.fields lists the path, rule and message of every invalid field.",
	api.InvalidJSON:             "The body is missing, incomplete or not a JSON object.",
	api.InvalidCursor:           "Invalid cursor. Restart without a cursor.",
	api.IdempotencyKeyRequired:  "The Idempotency-Key header is missing. Send a new value with each write.",
	api.Unauthorized:            "The key is missing, unknown, expired or revoked.",
	api.PlanLimitExceeded:       "The request exceeds the plan; details has the entitlement and the quantities limit, used and requested.",
	api.InsufficientScope:       "The key lacks details.requiredScope.",
	api.NotFound:                "The resource does not exist, or this key cannot see it, for example because it is in another environment.",
	api.MethodNotAllowed:        "The path does not allow this method; the Allow header lists the allowed ones.",
	api.NotAcceptable:           "The Accept header excludes application/json.",
	api.PayloadTooLarge:         "The body exceeds 1 MiB. Split the request.",
	api.UnsupportedMediaType:    "The body is not uncompressed application/json in UTF-8.",
	api.VersionConflict:         "The resource is not at the version in If-Match. Read it again, then retry.",
	api.IdempotencyKeyReused:    "The Idempotency-Key was used for a different request. Use a new one.",
	api.ChangesGone:             "The changes are not available, or the data was restored from a backup. Start from a snapshot.",
	api.RateLimited:             "Too many requests. Retry after the number of seconds in Retry-After.",
	api.InternalError:           "Internal error. Retry with the same Idempotency-Key; if the problem persists, report the request id.",
	api.NotImplemented:          "This service does not support the operation.",
	api.Unavailable:             "The service is overloaded, shutting down or not ready. Retry after Retry-After with the same Idempotency-Key.",
	api.InsufficientStock:       "There is not enough stock in the state; details has inventoryState, current and requested.",
	api.QuantityExceedsPending:  "The quantity exceeds what is pending; details has pending and requested. For receipts it also has tolerance (the allowed over-receipt in percent) and most (the maximum that can be received now).",
	api.AtRisk:                  "The node saved the change although its local ledger rejects it. Only nodes return this code.",
	api.LocationNotAllowed:      "The key is limited to another location (details.location). Only edges return this code.",
	api.Undecided:               "This decision about offline work is not possible now. Only nodes return this code.",
	api.QuantityTooLarge:        "A quantity would exceed the largest integer that JSON represents exactly.",
	api.StateBackedByDocuments:  "Open documents hold this stock, so it cannot be reduced below what they hold. Change the documents instead.",
	api.NothingPending:          "Nothing is pending for this operation.",
	api.InboundAlreadyReceived:  "Some quantity was already received, so the inbound cannot be canceled. Close it instead.",
	api.InboundNotOpen:          "The inbound is received, closed or canceled.",
	api.OutboundNotOpen:         "The outbound is fulfilled or canceled.",
	api.TransferNotOpen:         "The transfer is received, closed or canceled.",
	api.ReservationNotPending:   "The reservation is no longer pending; details has its status.",
	api.ReservationNotCommitted: "The reservation is not committed; details has its status.",
	api.OwnerMismatch:           "The document belongs to another owner.",
	api.ChannelMismatch:         "The document belongs to another channel.",
	api.LotMismatch:             "The lot belongs to another product, or conflicts with other input.",
	api.LotArchived:             "The lot is archived. Choose another lot.",
	api.LotNotEmpty:             "The lot still has stock, so it cannot be archived; details.onHand has the quantity.",
	api.LotRequired:             "The product is tracked by lot. Provide a lot.",
	api.SerialExists:            "The serial number already exists.",
	api.SerialNotAvailable:      "The serial is not at the location or not in the state that the operation requires.",
	api.SerialCountMismatch:     "The number of serials differs from the quantity.",
	api.UnitConversionMismatch:  "unitQuantity times the unit's factor does not equal quantity; details has both and the factor.",
	api.ProductNotComposed:      "The product has no components.",
	api.ProductArchived:         "The product is archived.",
	api.AlreadyExists:           "A resource with this code already exists; details has its id.",
}

// Faults returns all codes, sorted by status and name.
func Faults() []Fault {
	var out []Fault
	for name, comment := range words() {
		if text, ok := strings.CutPrefix(name, "code."); ok {
			code := api.Code(text)
			out = append(out, Fault{code, code.Status(), cmp.Or(meanings[code], comment)})
		}
	}
	slices.SortFunc(out, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Status, b.Status), cmp.Compare(a.Code, b.Code))
	})
	return out
}

// faultsOf returns the error statuses that an operation can return.
func faultsOf(spec *api.Spec, feed bool) []int {
	out := []int{401, 402, 403, 404, 406, 429, 500, 501, 503}
	if len(Codes(spec, 400)) > 0 {
		out = append(out, 400)
	}
	if spec.Writes() {
		out = append(out, 412, 413, 415, 422)
	}
	if len(Codes(spec, 409)) > 0 {
		out = append(out, 409)
	}
	if feed {
		out = append(out, 410)
	}
	slices.Sort(out)
	return out
}

// failures returns the shared error responses and their schemas, one for each status.
func failures() (responses, bodies Object) {
	byStatus := map[int][]Fault{}
	var statuses []int
	for _, f := range Faults() {
		if byStatus[f.Status] == nil {
			statuses = append(statuses, f.Status)
		}
		byStatus[f.Status] = append(byStatus[f.Status], f)
	}
	for _, status := range statuses {
		name := "Error" + strconv.Itoa(status)
		bodies.set(name, errorBody(byStatus[status]))
		headers := obj("X-Request-Id", ref("headers", "RequestId"))
		switch status {
		case http.StatusUnauthorized:
			headers.set("WWW-Authenticate", ref("headers", "Challenge"))
		case http.StatusTooManyRequests, http.StatusServiceUnavailable:
			headers.set("Retry-After", ref("headers", "RetryAfter"))
		case http.StatusMethodNotAllowed:
			headers.set("Allow", ref("headers", "Allow"))
		}
		responses.set(name, obj("description", fmt.Sprintf("%s.", http.StatusText(status)), "headers", headers,
			"content", obj("application/json", obj("schema", ref("schemas", name), "examples", errorExamples(byStatus[status])))))
	}
	return responses, bodies
}

// errorExamples returns references to the examples of errors.
func errorExamples(list []Fault) (out Object) {
	for _, f := range list {
		out.set(string(f.Code), ref("examples", string(f.Code)))
	}
	return out
}

// faultExamples returns the examples of all errors, by code.
func faultExamples() (out Object) {
	for _, f := range Faults() {
		out.set(string(f.Code), obj("summary", f.Means, "value", obj("error", errorSample(f))))
	}
	return out
}

// errorBody returns the schema of the errors with a status.
func errorBody(list []Fault) Object {
	var codes []any
	details := Object{{"type", "object"}}
	for _, f := range list {
		codes = append(codes, string(f.Code))
		if d := detailsSchema(f.Code); d != nil && (len(list) == 1 || f.Code == api.ValidationError) {
			details = d
		}
	}
	details.set("description", "Details of the error; the members depend on the code.")
	return obj("type", "object", "required", []any{"error"}, "properties", obj("error", obj(
		"type", "object", "required", []any{"code", "message", "requestId"}, "properties", obj(
			"code", obj("type", "string", "enum", codes),
			"message", obj("type", "string", "description", "What happened and what to do next, for people to read."),
			"requestId", obj("type", "string", "description", "The request id, as in the X-Request-Id header."),
			"details", details))))
}
