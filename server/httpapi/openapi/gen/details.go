package gen

import (
	"reflect"
	"time"

	"bincard/server/api"
)

// detailsOf are the types of the details of errors. The details of a code that is missing
// here are not described: it has none, or only a node returns it.
var detailsOf = map[api.Code]any{
	api.ValidationError:         ValidationErrorDetails{},
	api.InvalidCursor:           InvalidCursorDetails{},
	api.PlanLimitExceeded:       PlanLimitExceededDetails{},
	api.InsufficientScope:       InsufficientScopeDetails{},
	api.NotFound:                NotFoundDetails{},
	api.MethodNotAllowed:        MethodNotAllowedDetails{},
	api.PayloadTooLarge:         PayloadTooLargeDetails{},
	api.VersionConflict:         VersionConflictDetails{},
	api.IdempotencyKeyReused:    IdempotencyKeyReusedDetails{},
	api.ChangesGone:             ChangesGoneDetails{},
	api.RateLimited:             RetryDetails{},
	api.Unavailable:             RetryDetails{},
	api.NotImplemented:          NotImplementedDetails{},
	api.InsufficientStock:       InsufficientStockDetails{},
	api.StateBackedByDocuments:  StateBackedByDocumentsDetails{},
	api.QuantityExceedsPending:  QuantityExceedsPendingDetails{},
	api.QuantityTooLarge:        QuantityTooLargeDetails{},
	api.NothingPending:          ProgressDetails{},
	api.InboundAlreadyReceived:  InboundProgressDetails{},
	api.InboundNotOpen:          InboundProgressDetails{},
	api.OutboundNotOpen:         ProgressDetails{},
	api.TransferNotOpen:         ProgressDetails{},
	api.ReservationNotPending:   ReservationDetails{},
	api.ReservationNotCommitted: ReservationDetails{},
	api.ReservationTooLate:      ReservationTooLateDetails{},
	api.OwnerMismatch:           OwnerMismatchDetails{},
	api.ChannelMismatch:         ChannelMismatchDetails{},
	api.LotMismatch:             LotMismatchDetails{},
	api.LotArchived:             LotDetails{},
	api.LotNotEmpty:             LotDetails{},
	api.LotRequired:             ProductDetails{},
	api.ProductNotComposed:      ProductDetails{},
	api.ProductArchived:         ProductDetails{},
	api.SerialExists:            SerialDetails{},
	api.SerialNotAvailable:      SerialDetails{},
	api.SerialCountMismatch:     SerialCountMismatchDetails{},
	api.UnitConversionMismatch:  UnitConversionMismatchDetails{},
	api.AlreadyExists:           AlreadyExistsDetails{},
}

// withOtherIDs are the details with an ID whose name depends on the resource.
var withOtherIDs = map[reflect.Type]bool{
	reflect.TypeFor[NotFoundDetails]():      true,
	reflect.TypeFor[AlreadyExistsDetails](): true,
}

type (
	// ValidationErrorDetails lists the invalid fields.
	ValidationErrorDetails struct {
		Fields []api.FieldProblem `json:"fields" doc:"every invalid field"`
	}
	// InvalidCursorDetails has the cursor.
	InvalidCursorDetails struct {
		Cursor string `json:"cursor,omitzero" doc:"the invalid cursor"`
	}
	// A PlanVersion is a version of a plan.
	PlanVersion struct {
		Code             string `json:"code" doc:"code of the plan"`
		Version          int64  `json:"version" doc:"version of the plan"`
		RequiresOverride bool   `json:"requiresOverride,omitzero" doc:"whether only an exception allows the request"`
	}
	// PlanLimitExceededDetails describes the limit.
	PlanLimitExceededDetails struct {
		EntitlementKey string          `json:"entitlementKey" doc:"api_requests, billable_inventory_operations or active_products"`
		Scope          string          `json:"scope" doc:"what the limit applies to"`
		Environment    api.Environment `json:"environment" doc:"environment of the key"`
		Configured     bool            `json:"configured" doc:"whether the plan has this entitlement"`
		Limit          string          `json:"limit" doc:"the limit, a whole number"`
		Used           string          `json:"used" doc:"the use so far, a whole number"`
		Requested      string          `json:"requested" doc:"what the request would add, a whole number"`
		CurrentPlan    PlanVersion     `json:"currentPlan" doc:"plan of the organization"`
		RequiredPlan   PlanVersion     `json:"requiredPlan" doc:"plan that allows the request"`
	}
	// InsufficientScopeDetails has the missing scope.
	InsufficientScopeDetails struct {
		RequiredScope api.Scope `json:"requiredScope" doc:"scope that the key lacks"`
	}
	// NotFoundDetails names what was not found; the id has the name that it has in requests,
	// such as productId.
	NotFoundDetails struct {
		Resource string `json:"resource,omitzero" doc:"kind of the resource"`
	}
	// MethodNotAllowedDetails has the allowed methods.
	MethodNotAllowedDetails struct {
		Allowed []string `json:"allowed" doc:"methods that the path allows"`
	}
	// PayloadTooLargeDetails has the limit.
	PayloadTooLargeDetails struct {
		Limit int64 `json:"limit" doc:"maximum size of a body, in bytes"`
	}
	// VersionConflictDetails has both versions.
	VersionConflictDetails struct {
		Version   int64  `json:"version,omitzero" doc:"current version; missing if the resource has none"`
		Requested string `json:"requested" doc:"If-Match of the request"`
	}
	// IdempotencyKeyReusedDetails describes the earlier request with the key.
	IdempotencyKeyReusedDetails struct {
		Operation string           `json:"operation" doc:"the operationId of the earlier request"`
		UsedAt    time.Time        `json:"usedAt,omitzero" doc:"time of the earlier request"`
		Elsewhere bool             `json:"elsewhere,omitzero" doc:"whether another node or device made the earlier request"`
		Client    api.ClientNumber `json:"client,omitzero" doc:"node of the earlier request, and its number for it"`
		Device    string           `json:"device,omitzero" doc:"Bincard-Device of the earlier request"`
	}
	// ChangesGoneDetails says why the changes are not available.
	ChangesGoneDetails struct {
		Reason api.GoneReason `json:"reason" doc:"why the changes are not available"`
		After  int64          `json:"after" doc:"last change that the caller has"`
		Latest int64          `json:"latest" doc:"newest change of the service"`
		Epoch  string         `json:"epoch" doc:"current epoch"`
	}
	// RetryDetails says when to retry.
	RetryDetails struct {
		RetryAfterSeconds int64  `json:"retryAfterSeconds,omitzero" doc:"seconds to wait, as in Retry-After"`
		Outcome           string `json:"outcome,omitzero" doc:"unknown if the request may have been performed"`
	}
	// NotImplementedDetails has the operation.
	NotImplementedDetails struct {
		Operation string `json:"operation,omitzero" doc:"operationId that is not supported"`
	}
)
