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

// A Fault is a code that errors carry, with its status and what to do.
type Fault struct {
	Code   api.Code
	Status int
	Means  string
}

// meanings say of each code what happened and what to do. A code that is not
// here is explained by its comment.
var meanings = map[api.Code]string{
	api.ValidationError:         "Fields break rules; details.fields lists all of them with path, rule and message. Correct them.",
	api.InvalidJSON:             "The body is missing, cut off or not one JSON object.",
	api.InvalidCursor:           "The cursor is not one that this list gave. Begin without a cursor.",
	api.IdempotencyKeyRequired:  "A write came without the header Idempotency-Key. Send one, with a value of its own for each write.",
	api.Unauthorized:            "The key is missing, unknown, expired or revoked.",
	api.PlanLimitExceeded:       "The plan's quota is used up or does not allow this; details name the entitlement with limit, used and requested.",
	api.InsufficientScope:       "The key lacks details.requiredScope.",
	api.NotFound:                "There is no such thing for this key. What belongs to another organization or environment is not told apart from what does not exist.",
	api.MethodNotAllowed:        "The path takes other methods; the header Allow names them.",
	api.NotAcceptable:           "The header Accept excludes application/json.",
	api.PayloadTooLarge:         "The body has more than 1 MiB. Send it in parts.",
	api.UnsupportedMediaType:    "The body is not plain application/json in UTF-8.",
	api.VersionConflict:         "The resource no longer has the version in If-Match. Read it again and decide anew.",
	api.IdempotencyKeyReused:    "The Idempotency-Key was used for another request. Use a new one.",
	api.ChangesGone:             "The feed does not reach back so far, or the data was restored. Begin from a snapshot.",
	api.RateLimited:             "Too many requests. Wait as long as Retry-After says.",
	api.InternalError:           "The service failed. Send the same request again, with the same Idempotency-Key; if it stays, report the request id.",
	api.NotImplemented:          "This service does not do that.",
	api.Unavailable:             "The service is overloaded, ending or not ready. Send the same request again after Retry-After, with the same Idempotency-Key.",
	api.InsufficientStock:       "There is less in the state than was asked for; details have inventoryState, current and requested.",
	api.QuantityExceedsPending:  "More was asked for than is pending; details have pending and requested, and for a receipt tolerance (percent more than expected that the organization allows) and most (how much may be received now).",
	api.AtRisk:                  "A terminal keeps the change although its own ledger would refuse it. The service itself never answers this.",
	api.LocationNotAllowed:      "The key may work at one location alone, and this is done at another one; details.location is its own. Edges answer this, and no service.",
	api.Undecided:               "What is to be decided about work that a terminal keeps cannot be decided now. The service itself never answers this.",
	api.QuantityTooLarge:        "A quantity would exceed the greatest whole number that JSON holds exactly.",
	api.StateBackedByDocuments:  "The state is held by open documents and cannot be adjusted below them. Change the documents.",
	api.NothingPending:          "Nothing is pending of what was asked for.",
	api.InboundAlreadyReceived:  "Something was received already, so the inbound cannot be cancelled. Close it short.",
	api.InboundNotOpen:          "The inbound is received, closed or cancelled.",
	api.OutboundNotOpen:         "The outbound is fulfilled or cancelled.",
	api.TransferNotOpen:         "The transfer is received, closed or cancelled.",
	api.ReservationNotPending:   "The reservation is no longer pending; details have its status.",
	"RESERVATION_NOT_COMMITTED": "The reservation is not committed, so there is nothing to release; details have its status.",
	api.OwnerMismatch:           "The document belongs to another owner than the one named.",
	api.ChannelMismatch:         "The document belongs to another channel than the one named.",
	api.LotMismatch:             "The lot is of another product, or contradicts what else was named.",
	api.LotArchived:             "The lot is archived. Take another one.",
	api.LotNotEmpty:             "Some of the lot is on hand still, so it cannot be archived; details.onHand says how much.",
	api.LotRequired:             "The product is tracked by lot; name one.",
	api.SerialExists:            "A piece with this serial number exists already.",
	api.SerialNotAvailable:      "The piece is in another place or state than the operation needs.",
	api.SerialCountMismatch:     "There must be as many serials as the quantity.",
	api.UnitConversionMismatch:  "unitQuantity converted by the unit's factor is not quantity; details have both and the factor.",
	api.ProductNotComposed:      "The product has no components.",
	api.ProductArchived:         "The product is archived.",
	api.AlreadyExists:           "There is one with this code already.",
}

// Faults lists every code by status, then by name.
func Faults() []Fault {
	var out []Fault
	for name, comment := range words {
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

// faultsOf are the statuses that an operation can fail with.
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

// failures are the shared answers of failed requests, a status each.
func failures() (responses, bodies Object) {
	byStatus := map[int][]Fault{}
	var order []int
	for _, f := range Faults() {
		if byStatus[f.Status] == nil {
			order = append(order, f.Status)
		}
		byStatus[f.Status] = append(byStatus[f.Status], f)
	}
	for _, status := range order {
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

// errorExamples are errors as they may look, by their code.
func errorExamples(list []Fault) (out Object) {
	for _, f := range list {
		out.set(string(f.Code), ref("examples", string(f.Code)))
	}
	return out
}

// faultExamples are an example of each error.
func faultExamples() (out Object) {
	for _, f := range Faults() {
		out.set(string(f.Code), obj("summary", f.Means, "value", obj("error", errorSample(f))))
	}
	return out
}

// errorBody is the schema of the errors with one status.
func errorBody(list []Fault) Object {
	var codes []any
	details := Object{{"type", "object"}}
	for _, f := range list {
		codes = append(codes, string(f.Code))
		if d := detailsSchema(f.Code); d != nil && (len(list) == 1 || f.Code == api.ValidationError) {
			details = d
		}
	}
	details.set("description", "The numbers and names of the matter, per code.")
	return obj("type", "object", "required", []any{"error"}, "properties", obj("error", obj(
		"type", "object", "required", []any{"code", "message", "requestId"}, "properties", obj(
			"code", obj("type", "string", "enum", codes),
			"message", obj("type", "string", "description", "What happened and what to do, for people."),
			"requestId", obj("type", "string", "description", "The request's id, as in the header X-Request-Id."),
			"details", details))))
}
