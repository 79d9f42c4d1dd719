package names

import (
	"strings"
	"unicode/utf8"

	"bincard/server/api"
	"bincard/tui/i18n"
)

// Operation returns the name of what a movement did.
func Operation(t *i18n.Translator, o api.MovementOperation) string {
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

// OperationIn is Operation for a column: a shorter name if the name does not fit the width.
func OperationIn(t *i18n.Translator, o api.MovementOperation, width int) string {
	name := Operation(t, o)
	if utf8.RuneCountInString(name) <= width {
		return name
	}

	switch o {
	case api.OpMoveState:
		return t.GetC("moved", "short operation")
	case api.OpReturnStock:
		return t.GetC("returned", "short operation")
	case api.OpReservationCreate:
		return t.GetC("reserved", "short operation")
	case api.OpReservationCancel:
		return t.GetC("unreserved", "short operation")
	case api.OpExpire:
		return t.GetC("expired", "short operation")
	case api.OpTransferOut:
		return t.GetC("TR out", "short operation")
	case api.OpTransferIn:
		return t.GetC("TR in", "short operation")
	case api.OpTransferCancel:
		return t.GetC("TR canceled", "short operation")
	case api.OpTransferClose:
		return t.GetC("TR closed", "short operation")
	case api.OpInboundExpect:
		return t.GetC("expected", "short operation")
	case api.OpInboundReceive:
		return t.GetC("received", "short operation")
	case api.OpInboundClose:
		return t.GetC("IN closed", "short operation")
	case api.OpInboundCancel:
		return t.GetC("IN canceled", "short operation")
	case api.OpOutboundAllocate:
		return t.GetC("allocated", "short operation")
	case api.OpOutboundPick:
		return t.GetC("picked", "short operation")
	case api.OpOutboundPack:
		return t.GetC("packed", "short operation")
	case api.OpOutboundShip:
		return t.GetC("shipped", "short operation")
	case api.OpOutboundFulfill:
		return t.GetC("fulfilled", "short operation")
	case api.OpOutboundCancel:
		return t.GetC("canceled", "short operation")
	case api.OpAssembleOutput:
		return t.GetC("kit built", "short operation")
	case api.OpDisassembleInput:
		return t.GetC("taken apart", "short operation")
	case api.OpAssembleComponent, api.OpDisassembleComponent:
		return t.GetC("kit part", "short operation")
	}

	return name
}
