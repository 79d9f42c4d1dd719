package gen

import (
	"cmp"
	"net/http"
	"reflect"
	"slices"

	"bincard/server/api"
)

// A Fault describes an error code.
type Fault struct {
	Code   api.Code
	Status int
	Means  string
}

// meanings say what each code of the service and its edges means and what to do. Codes that
// only programs on a node get, after they asked for them, are left out.
var meanings = map[api.Code]string{
	api.ValidationError:         "The input is invalid. Correct the fields in details.fields, which has the path, rule and message of each.",
	api.InvalidJSON:             "The body is missing, incomplete or not a JSON object. Send one JSON object.",
	api.InvalidCursor:           "The cursor is invalid. Restart without a cursor.",
	api.IdempotencyKeyRequired:  "The Idempotency-Key header is missing. Send a new value with each write.",
	api.Unauthorized:            "The key is missing, unknown, expired or revoked. Send a valid one in the Authorization header.",
	api.PlanLimitExceeded:       "The request exceeds the plan; details has the entitlement and the quantities limit, used and requested. Stay within the limit, or have the plan changed.",
	api.InsufficientScope:       "The key lacks the scope in details.requiredScope. Use a key that has it.",
	api.NotFound:                "The resource does not exist, or this key cannot see it, for example because it is in another environment. Check the id and the key.",
	api.MethodNotAllowed:        "The path does not allow this method; the Allow header lists those it allows. Use one of them.",
	api.NotAcceptable:           "The Accept header excludes application/json. Accept it, or omit the header.",
	api.PayloadTooLarge:         "The body exceeds 1 MiB. Split the request.",
	api.UnsupportedMediaType:    "The body is not uncompressed application/json in UTF-8. Send it that way.",
	api.VersionConflict:         "The resource is not at the version in If-Match. Read it again, then retry.",
	api.IdempotencyKeyReused:    "The Idempotency-Key was used for a different request, or by another node or device. details has its operation and usedAt, and the client and device if it named them. Use a new key.",
	api.MalformedRequest:        "The request is not valid HTTP. This is answered before the path is read, as are the statuses 417, 431 and 505. Correct the request.",
	api.ExpectationFailed:       "The Expect header has another value than 100-continue. Omit it.",
	api.HeadersTooLarge:         "The request line and headers exceed 16 KiB. Shorten them.",
	api.HTTPVersionNotSupported: "The HTTP version is neither 1.0, 1.1 nor 2. Use one of these.",
	api.ChangesGone:             "The changes are not available. details.reason is epoch (the data was restored from a backup), diverged (the last change received is not part of this history), ahead (it is newer than the newest change here) or missing. Start from a snapshot.",
	api.RateLimited:             "Too many requests. Retry after the number of seconds in Retry-After.",
	api.InternalError:           "Internal error. Retry with the same Idempotency-Key; if the problem persists, report the request id.",
	api.NotImplemented:          "This service does not support the operation. getCapabilities lists those it supports.",
	api.Unavailable:             "The service is overloaded, shutting down or not ready. Retry after Retry-After with the same Idempotency-Key.",
	api.InsufficientStock:       "There is not enough stock in the state; details has inventoryState, current and requested. Reduce the quantity, or receive or release stock first.",
	api.QuantityExceedsPending:  "The quantity exceeds what is pending; details has pending and requested. For receipts it also has tolerance (the allowed over-receipt in percent) and most (the maximum that can be received now). Reduce the quantity.",
	api.LocationNotAllowed:      "The key, or the edge, is limited to another location: details.location, or details.locations of an edge. Use a key for this one, or do it there.",
	api.ApprovalRequired:        "The key is bound to a role that may not do this, or the operator was removed: details has permission and change, or removed. Send it with the approval of a supervisor and X-Operator-Proof.",
	api.QuantityTooLarge:        "A quantity would exceed the largest integer that JSON represents exactly, or the request would make too many movements. Send smaller quantities.",
	api.StateBackedByDocuments:  "Open documents hold this stock, so it cannot be reduced below what they hold. Change the documents instead.",
	api.NothingPending:          "Nothing is pending for this operation. Read the document again.",
	api.InboundAlreadyReceived:  "Some quantity was already received, so the inbound cannot be canceled. Close it instead.",
	api.InboundNotOpen:          "The inbound is received, closed or canceled. Read it again; create another one for further stock.",
	api.OutboundNotOpen:         "The outbound is fulfilled or canceled. Read it again; create another one for further stock.",
	api.TransferNotOpen:         "The transfer is received, closed or canceled. Read it again; create another one for further stock.",
	api.ReservationNotPending:   "The reservation is no longer pending; details has its status. Read it again, or make another one.",
	api.ReservationTooLate:      "The reservation was made in time, by Bincard-Occurred-At, but expired before the service received it; details has expiresAt and occurredAt. Make another one.",
	api.ReservationNotCommitted: "The reservation is not committed; details has its status. Commit it first if it is pending.",
	api.OwnerMismatch:           "The document belongs to another owner. Send its owner, or none.",
	api.ChannelMismatch:         "The document belongs to another channel. Send its channel, or none.",
	api.LotMismatch:             "The lot belongs to another product, or conflicts with other input. Choose another lot.",
	api.LotArchived:             "The lot is archived. Choose another lot.",
	api.LotNotEmpty:             "The lot still has stock, so it cannot be archived; details.onHand has the quantity. Remove the stock first.",
	api.LotRequired:             "The product is tracked by lot. Provide a lot.",
	api.SerialExists:            "The serial number already exists. Check it; a piece that comes back is recorded by returnStock.",
	api.SerialNotAvailable:      "The serial is not at the location or not in the state that the operation requires. Choose another serial, or move it first.",
	api.SerialCountMismatch:     "The number of serials differs from the quantity. Send one serial for each piece.",
	api.UnitConversionMismatch:  "unitQuantity times the unit's factor does not equal quantity; details has both and the factor. Correct one of them.",
	api.ProductNotComposed:      "The product has no components. Choose a kit.",
	api.ProductArchived:         "The product is archived. Choose another product.",
	api.AlreadyExists:           "A resource with this code already exists; details has its id. Use that one, or another code.",
}

// Faults returns all codes that have a meaning, sorted by status and name.
func Faults() []Fault {
	var out []Fault
	for code, means := range meanings {
		out = append(out, Fault{code, code.Status(), means})
	}

	slices.SortFunc(out, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Status, b.Status), cmp.Compare(a.Code, b.Code))
	})

	return out
}

// Codes returns the error codes with a status that the operation can return. Conflicts
// are ordered by likelihood.
func Codes(spec *api.Spec, status int) (out []api.Code) {
	if status == http.StatusConflict {
		return slices.Clone(spec.Conflicts)
	}

	for _, f := range Faults() {
		if f.Status != status || !spec.Writes() && f.Code == api.IdempotencyKeyRequired ||
			f.Code == api.InvalidCursor && !pages(spec) {
			continue
		}
		out = append(out, f.Code)
	}

	return out
}

// pages reports whether the operation takes a cursor.
func pages(spec *api.Spec) bool {
	f, ok := spec.Input().FieldByName("Cursor")
	return ok && f.Tag.Get("query") != ""
}

// HasBody reports whether the operation has a body.
func HasBody(spec *api.Spec) bool {
	for _, f := range reflect.VisibleFields(spec.Input()) {
		if name, _ := memberOf(f); name != "" {
			return spec.Writes()
		}
	}

	return false
}
