package names

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"bincard/server/api"
	"bincard/tui/i18n"
)

// Operation returns the name of what a movement did.
func Operation(t *i18n.Translator, o api.MovementOperation) string {
	return cmp.Or(operations.Get(t, o), strings.ReplaceAll(string(o), "_", " "))
}

// operations are the names of what movements did.
var operations = i18n.TableOf("operation", map[api.MovementOperation]string{
	"receive":                           "receive",
	"adjust":                            "adjust",
	"fulfill":                           "fulfill",
	"write_off":                         "write off",
	"return_stock":                      "return stock",
	"move_state":                        "move state",
	"reconcile":                         "reconcile",
	"reserve":                           "reserve",
	"commit":                            "commit",
	"release":                           "release",
	"reservation_cancel":                "reservation canceled",
	"expire":                            "expire",
	"transfer_out":                      "transfer out",
	"transfer_in":                       "transfer in",
	"transfer_cancel":                   "transfer canceled",
	"transfer_close":                    "transfer closed",
	"inbound_expect":                    "delivery expected",
	"inbound_receive":                   "delivery received",
	"inbound_close":                     "delivery closed",
	"inbound_cancel":                    "delivery canceled",
	"outbound_allocate":                 "order allocated",
	"outbound_pick":                     "order picked",
	"outbound_pack":                     "order packed",
	"outbound_ship":                     "order shipped",
	"outbound_fulfill":                  "order fulfilled",
	"outbound_cancel":                   "order canceled",
	"composition_assemble_component":    "kit part used",
	"composition_assemble_output":       "kit built",
	"composition_disassemble_input":     "kit taken apart",
	"composition_disassemble_component": "kit part returned",
	"reservation_create":                "reservation created",
})

// OperationIn is Operation for a column: a shorter name if the name does not fit the width.
func OperationIn(t *i18n.Translator, o api.MovementOperation, width int) string {
	name := Operation(t, o)
	if utf8.RuneCountInString(name) <= width {
		return name
	}

	return cmp.Or(shortOperations.Get(t, o), name)
}

// shortOperations are shorter names for columns.
var shortOperations = i18n.TableOf("short operation", map[api.MovementOperation]string{
	api.OpMoveState:            "moved",
	api.OpReturnStock:          "returned",
	api.OpReservationCreate:    "reserved",
	api.OpReservationCancel:    "unreserved",
	api.OpExpire:               "expired",
	api.OpTransferOut:          "TR out",
	api.OpTransferIn:           "TR in",
	api.OpTransferCancel:       "TR canceled",
	api.OpTransferClose:        "TR closed",
	api.OpInboundExpect:        "expected",
	api.OpInboundReceive:       "received",
	api.OpInboundClose:         "IN closed",
	api.OpInboundCancel:        "IN canceled",
	api.OpOutboundAllocate:     "allocated",
	api.OpOutboundPick:         "picked",
	api.OpOutboundPack:         "packed",
	api.OpOutboundShip:         "shipped",
	api.OpOutboundFulfill:      "fulfilled",
	api.OpOutboundCancel:       "canceled",
	api.OpAssembleOutput:       "kit built",
	api.OpDisassembleInput:     "taken apart",
	api.OpAssembleComponent:    "kit part",
	api.OpDisassembleComponent: "kit part",
})
