package openapi

import (
	"net/http"
	"slices"
	"strconv"

	"bincard/server/api"
)

// What operations that are alike can be refused for.
var (
	lotCodes      = []api.Code{api.LotMismatch, api.LotArchived}
	serialCodes   = []api.Code{api.SerialCountMismatch, api.SerialNotAvailable}
	arrivalCodes  = []api.Code{api.LotRequired, api.SerialCountMismatch, api.SerialExists, api.QuantityTooLarge}
	issueCodes    = []api.Code{api.InsufficientStock}
	pendingCodes  = []api.Code{api.NothingPending, api.QuantityExceedsPending}
	outboundCodes = slices.Concat([]api.Code{api.OutboundNotOpen}, pendingCodes, lotCodes, serialCodes)
	transferCodes = slices.Concat([]api.Code{api.TransferNotOpen}, pendingCodes, serialCodes)
	unitCodes     = []api.Code{api.UnitConversionMismatch}
)

// conflicts are the codes of status 409 that each operation can answer.
var conflicts = map[string][]api.Code{
	"createProduct": {api.AlreadyExists}, "createLocation": {api.AlreadyExists}, "createOwner": {api.AlreadyExists}, "createChannel": {api.AlreadyExists},

	"archiveLot": {api.LotNotEmpty},

	"createInbound":  {api.ProductArchived, api.QuantityTooLarge},
	"receiveInbound": slices.Concat([]api.Code{api.InboundNotOpen, api.QuantityExceedsPending}, lotCodes, arrivalCodes),
	"cancelInbound":  {api.InboundAlreadyReceived, api.InboundNotOpen},
	"closeInbound":   {api.InboundNotOpen},

	"createOutbound":   {api.ProductArchived, api.QuantityTooLarge},
	"allocateOutbound": outboundCodes,
	"pickOutbound":     outboundCodes,
	"packOutbound":     outboundCodes,
	"shipOutbound":     outboundCodes,
	"fulfillOutbound":  slices.Concat(outboundCodes, []api.Code{api.OwnerMismatch, api.ChannelMismatch}),
	"cancelOutbound":   {api.OutboundNotOpen},

	"createTransfer":  {api.ProductArchived},
	"shipTransfer":    slices.Concat(transferCodes, lotCodes, issueCodes, []api.Code{api.QuantityTooLarge}),
	"receiveTransfer": slices.Concat(transferCodes, lotCodes, []api.Code{api.QuantityTooLarge}),
	"cancelTransfer":  {api.TransferNotOpen, api.QuantityTooLarge},
	"closeTransfer":   {api.TransferNotOpen},

	"createReservation":  {api.ProductArchived, api.InsufficientStock},
	"commitReservation":  {api.ReservationNotPending},
	"releaseReservation": {api.ReservationNotPending, api.NothingPending},
	"cancelReservation":  {api.ReservationNotPending},

	"adjustStock":      slices.Concat(issueCodes, unitCodes, serialCodes, []api.Code{api.StateBackedByDocuments, api.ProductArchived, api.QuantityTooLarge}),
	"moveStock":        slices.Concat(issueCodes, unitCodes, lotCodes, serialCodes, []api.Code{api.StateBackedByDocuments}),
	"disassembleStock": slices.Concat(issueCodes, unitCodes, serialCodes, []api.Code{api.ProductNotComposed, api.QuantityTooLarge}),
	"assembleStock":    slices.Concat(issueCodes, unitCodes, lotCodes, arrivalCodes, []api.Code{api.ProductNotComposed}),
	"receiveStock":     slices.Concat(unitCodes, lotCodes, arrivalCodes, []api.Code{api.ProductArchived}),
	"returnStock":      slices.Concat(unitCodes, lotCodes, arrivalCodes, []api.Code{api.SerialNotAvailable}),
	"fulfillStock":     slices.Concat(issueCodes, unitCodes, lotCodes, serialCodes, pendingCodes, []api.Code{"RESERVATION_NOT_COMMITTED", api.StateBackedByDocuments}),
	"writeOffStock":    slices.Concat(issueCodes, unitCodes, lotCodes, serialCodes, []api.Code{api.StateBackedByDocuments}),
	"reconcileStock":   slices.Concat(issueCodes, lotCodes, serialCodes, []api.Code{api.QuantityTooLarge}),
}

// Codes are those of a status that the operation can answer, the likeliest first.
func Codes(spec *api.Spec, status int) (out []api.Code) {
	if status == http.StatusConflict {
		return slices.Clone(conflicts[spec.ID])
	}
	for _, f := range Faults() {
		if f.Status != status || !spec.Writes() && f.Code == api.IdempotencyKeyRequired || !HasBody(spec) && f.Code == api.InvalidJSON ||
			f.Code == api.InvalidCursor && !pages(spec) {
			continue
		}
		out = append(out, f.Code)
	}
	return out
}

// pages tells whether the operation takes a cursor.
func pages(spec *api.Spec) bool {
	f, ok := spec.Input().FieldByName("Cursor")
	return ok && f.Tag.Get("query") != ""
}

// fault is how an operation fails with a status: as all do where all fail so,
// else with its own codes alone.
func fault(spec *api.Spec, status int) any {
	name, codes := "Error"+strconv.Itoa(status), Codes(spec, status)
	if status != http.StatusConflict && status != http.StatusBadRequest {
		return ref("responses", name)
	}
	var known []Fault
	for _, f := range Faults() {
		if slices.Contains(codes, f.Code) {
			known = append(known, f)
		}
	}
	narrow := obj("type", "object", "properties", obj("error", obj("type", "object", "properties", obj("code", obj("type", "string", "enum", anys(codes))))))
	return obj("description", http.StatusText(status)+".", "headers", obj("X-Request-Id", ref("headers", "RequestId")),
		"content", obj("application/json", obj("schema", obj("allOf", []any{ref("schemas", name), narrow}), "examples", errorExamples(known))))
}
