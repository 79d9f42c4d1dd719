package openapi

import (
	"net/http"
	"slices"
	"strconv"

	"bincard/server/api"
)

// What operations that are alike can be refused for.
var (
	lotted   = []api.Code{api.LotMismatch, api.LotArchived}
	pieces   = []api.Code{api.SerialCountMismatch, api.SerialNotAvailable}
	arrivals = []api.Code{api.LotRequired, api.SerialCountMismatch, api.SerialExists, api.QuantityTooLarge}
	leaving  = []api.Code{api.InsufficientStock}
	pending  = []api.Code{api.NothingPending, api.QuantityExceedsPending}
	outbound = slices.Concat([]api.Code{api.OutboundNotOpen}, pending, lotted, pieces)
	transfer = slices.Concat([]api.Code{api.TransferNotOpen}, pending, pieces)
	units    = []api.Code{api.UnitConversionMismatch}
)

// conflicts are the codes of status 409 that each operation can answer.
var conflicts = map[string][]api.Code{
	"createProduct": {api.AlreadyExists}, "createLocation": {api.AlreadyExists}, "createOwner": {api.AlreadyExists}, "createChannel": {api.AlreadyExists},

	"archiveLot": {api.LotNotEmpty},

	"createInbound":  {api.ProductArchived, api.QuantityTooLarge},
	"receiveInbound": slices.Concat([]api.Code{api.InboundNotOpen, api.QuantityExceedsPending}, lotted, arrivals),
	"cancelInbound":  {api.InboundAlreadyReceived, api.InboundNotOpen},
	"closeInbound":   {api.InboundNotOpen},

	"createOutbound":   {api.ProductArchived, api.QuantityTooLarge},
	"allocateOutbound": outbound,
	"pickOutbound":     outbound,
	"packOutbound":     outbound,
	"shipOutbound":     outbound,
	"fulfillOutbound":  slices.Concat(outbound, []api.Code{api.OwnerMismatch, api.ChannelMismatch}),
	"cancelOutbound":   {api.OutboundNotOpen},

	"createTransfer":  {api.ProductArchived},
	"shipTransfer":    slices.Concat(transfer, lotted, leaving, []api.Code{api.QuantityTooLarge}),
	"receiveTransfer": slices.Concat(transfer, lotted, []api.Code{api.QuantityTooLarge}),
	"cancelTransfer":  {api.TransferNotOpen, api.QuantityTooLarge},
	"closeTransfer":   {api.TransferNotOpen},

	"createReservation":  {api.ProductArchived, api.InsufficientStock},
	"commitReservation":  {api.ReservationNotPending},
	"releaseReservation": {api.ReservationNotPending, api.NothingPending},
	"cancelReservation":  {api.ReservationNotPending},

	"adjustStock":      slices.Concat(leaving, units, pieces, []api.Code{api.StateBackedByDocuments, api.ProductArchived, api.QuantityTooLarge}),
	"moveStock":        slices.Concat(leaving, units, lotted, pieces, []api.Code{api.StateBackedByDocuments}),
	"disassembleStock": slices.Concat(leaving, units, pieces, []api.Code{api.ProductNotComposed, api.QuantityTooLarge}),
	"assembleStock":    slices.Concat(leaving, units, lotted, arrivals, []api.Code{api.ProductNotComposed}),
	"receiveStock":     slices.Concat(units, lotted, arrivals, []api.Code{api.ProductArchived}),
	"returnStock":      slices.Concat(units, lotted, arrivals, []api.Code{api.SerialNotAvailable}),
	"fulfillStock":     slices.Concat(leaving, units, lotted, pieces, pending, []api.Code{"RESERVATION_NOT_COMMITTED", api.StateBackedByDocuments}),
	"writeOffStock":    slices.Concat(leaving, units, lotted, pieces, []api.Code{api.StateBackedByDocuments}),
	"reconcileStock":   slices.Concat(leaving, lotted, pieces, []api.Code{api.QuantityTooLarge}),
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
		"content", obj("application/json", obj("schema", obj("allOf", []any{ref("schemas", name), narrow}), "examples", told(known))))
}
