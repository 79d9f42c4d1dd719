package dock

import (
	"strings"

	"bincard/server/api"
	"bincard/tui/i18n"
)

// StateText returns the name of an inventory state.
func StateText(t *i18n.Translator, s api.State) string {
	switch s {
	case api.OnHand:
		return t.GetC("on hand", "state")
	case api.Available:
		return t.GetC("available", "state")
	case api.Reserved:
		return t.GetC("reserved", "state")
	case api.Committed:
		return t.GetC("committed", "state")
	case api.Incoming:
		return t.GetC("incoming", "state")
	case api.Damaged:
		return t.GetC("damaged", "state")
	case api.QualityControl:
		return t.GetC("quality control", "state")
	case api.SafetyStock:
		return t.GetC("safety stock", "state")
	}
	return s.Title()
}

// ShortStateText is StateText for a narrow column: "quality", "safety".
func ShortStateText(t *i18n.Translator, s api.State) string {
	switch s {
	case api.QualityControl:
		return t.GetC("quality", "state")
	case api.SafetyStock:
		return t.GetC("safety", "state")
	}
	return StateText(t, s)
}

// StatusText returns the name of the status of a document, a serial number, a lot or a product.
func StatusText[S ~string](t *i18n.Translator, status S) string {
	switch string(status) {
	case "expected":
		return t.GetC("expected", "status")
	case "partiallyReceived":
		return t.GetC("partly received", "status")
	case "received":
		return t.GetC("received", "status")
	case "closed":
		return t.GetC("closed", "status")
	case "cancelled":
		return t.GetC("canceled", "status")
	case "inTransit":
		return t.GetC("in transit", "status")
	case "backordered":
		return t.GetC("backordered", "status")
	case "partiallyAllocated":
		return t.GetC("partly allocated", "status")
	case "allocated":
		return t.GetC("allocated", "status")
	case "partiallyPicked":
		return t.GetC("partly picked", "status")
	case "picked":
		return t.GetC("picked", "status")
	case "partiallyPacked":
		return t.GetC("partly packed", "status")
	case "packed":
		return t.GetC("packed", "status")
	case "partiallyFulfilled":
		return t.GetC("partly fulfilled", "status")
	case "fulfilled":
		return t.GetC("fulfilled", "status")
	case "pending":
		return t.GetC("pending", "status")
	case "committed":
		return t.GetC("committed", "status")
	case "released":
		return t.GetC("released", "status")
	case "expired":
		return t.GetC("expired", "status")
	case "in_stock":
		return t.GetC("in stock", "status")
	case "consumed":
		return t.GetC("consumed", "status")
	case "written_off":
		return t.GetC("written off", "status")
	case "active":
		return t.GetC("active", "status")
	case "archived":
		return t.GetC("archived", "status")
	}
	return string(status)
}

// TrackingText returns how closely stock of a product is tracked: "lot".
func TrackingText(t *i18n.Translator, tracking api.Tracking) string {
	switch tracking {
	case api.TrackNone:
		return t.GetC("none", "tracking")
	case api.TrackLot:
		return t.Get("lot")
	case api.TrackSerial:
		return t.Get("serial")
	}
	return string(tracking)
}

// LocationTypeText returns the name of a type of location.
func LocationTypeText(t *i18n.Translator, kind string) string {
	switch api.LocationType(kind) {
	case api.Warehouse:
		return t.GetC("warehouse", "location")
	case api.Shop:
		return t.GetC("store", "location")
	case api.Virtual:
		return t.GetC("virtual", "location")
	}
	return kind
}

// Texts returns the text of each value, for the options of a choice.
func Texts[V ~string](t *i18n.Translator, values []string, text func(*i18n.Translator, V) string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = text(t, V(v))
	}
	return out
}

// OperationText returns the name of what a movement did.
func OperationText(t *i18n.Translator, o api.MovementOperation) string {
	switch o {
	case "receive":
		return t.GetC("receive", "operation")
	case "adjust":
		return t.GetC("adjust", "operation")
	case "fulfill":
		return t.GetC("fulfill", "operation")
	case "write_off":
		return t.GetC("write off", "operation")
	case "return_stock":
		return t.GetC("return stock", "operation")
	case "move_state":
		return t.GetC("move state", "operation")
	case "reconcile":
		return t.GetC("reconcile", "operation")
	case "reserve":
		return t.GetC("reserve", "operation")
	case "commit":
		return t.GetC("commit", "operation")
	case "release":
		return t.GetC("release", "operation")
	case "reservation_cancel":
		return t.GetC("reservation cancel", "operation")
	case "expire":
		return t.GetC("expire", "operation")
	case "transfer_out":
		return t.GetC("transfer out", "operation")
	case "transfer_in":
		return t.GetC("transfer in", "operation")
	case "transfer_cancel":
		return t.GetC("transfer cancel", "operation")
	case "transfer_close":
		return t.GetC("transfer close", "operation")
	case "inbound_expect":
		return t.GetC("inbound expect", "operation")
	case "inbound_receive":
		return t.GetC("inbound receive", "operation")
	case "inbound_close":
		return t.GetC("inbound close", "operation")
	case "inbound_cancel":
		return t.GetC("inbound cancel", "operation")
	case "outbound_allocate":
		return t.GetC("outbound allocate", "operation")
	case "outbound_pick":
		return t.GetC("outbound pick", "operation")
	case "outbound_pack":
		return t.GetC("outbound pack", "operation")
	case "outbound_ship":
		return t.GetC("outbound ship", "operation")
	case "outbound_fulfill":
		return t.GetC("outbound fulfill", "operation")
	case "outbound_cancel":
		return t.GetC("outbound cancel", "operation")
	case "composition_assemble_component":
		return t.GetC("composition assemble component", "operation")
	case "composition_assemble_output":
		return t.GetC("composition assemble output", "operation")
	case "composition_disassemble_input":
		return t.GetC("composition disassemble input", "operation")
	case "composition_disassemble_component":
		return t.GetC("composition disassemble component", "operation")
	case "reservation_create":
		return t.GetC("reservation create", "operation")
	}
	return strings.ReplaceAll(string(o), "_", " ")
}
