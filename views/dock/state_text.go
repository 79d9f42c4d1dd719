package dock

import (
	"strings"

	"bincard/server/api"
	"bincard/tui/i18n"
)

// stateTexts name the inventory states.
var stateTexts = map[api.State]string{
	api.OnHand: i18n.Text("on hand"), api.Available: i18n.Text("available"), api.Reserved: i18n.Text("reserved"),
	api.Committed: i18n.Text("committed"), api.Incoming: i18n.Text("incoming"), api.Damaged: i18n.Text("damaged"),
	api.QualityControl: i18n.Text("quality control"), api.SafetyStock: i18n.Text("safety stock"),
}

// StateText names an inventory state: "quality control".
func StateText(t *i18n.Translator, s api.State) string {
	if text, ok := stateTexts[s]; ok {
		return t.Get(text)
	}
	return s.Title()
}

// ShortStateText names an inventory state in a narrow column: "quality".
func ShortStateText(t *i18n.Translator, s api.State) string {
	switch s {
	case api.QualityControl:
		return t.Get("quality")
	case api.SafetyStock:
		return t.Get("safety")
	}
	return StateText(t, s)
}

// statusTexts name the statuses of documents, lots and serials.
var statusTexts = map[string]string{
	string(api.InboundExpected): i18n.Text("expected"), string(api.InboundPartiallyReceived): i18n.Text("partly received"),
	string(api.InboundReceived): i18n.Text("received"), string(api.InboundClosed): i18n.Text("closed"),
	string(api.InboundCancelled): i18n.Text("canceled"), string(api.OutboundBackordered): i18n.Text("backordered"),
	string(api.OutboundPartiallyAllocated): i18n.Text("partly allocated"), string(api.OutboundAllocated): i18n.Text("allocated"),
	string(api.OutboundPartiallyPicked): i18n.Text("partly picked"), string(api.OutboundPicked): i18n.Text("picked"),
	string(api.OutboundPartiallyPacked): i18n.Text("partly packed"), string(api.OutboundPacked): i18n.Text("packed"),
	string(api.OutboundPartiallyFulfilled): i18n.Text("partly fulfilled"), string(api.OutboundFulfilled): i18n.Text("fulfilled"),
	string(api.TransferInTransit): i18n.Text("in transit"), string(api.ReservationPending): i18n.Text("pending"),
	string(api.ReservationCommitted): i18n.Text("committed"), string(api.ReservationReleased): i18n.Text("released"),
	string(api.ReservationExpired): i18n.Text("expired"), string(api.Active): i18n.Text("active"), string(api.Archived): i18n.Text("archived"),
	string(api.InStock): i18n.Text("in stock"), string(api.Consumed): i18n.Text("consumed"), string(api.WrittenOff): i18n.Text("written off"),
}

// StatusText names a status of a document, lot or serial: "partly picked".
func StatusText[S ~string](t *i18n.Translator, status S) string {
	if text, ok := statusTexts[string(status)]; ok {
		return t.Get(text)
	}
	return string(status)
}

// documentTexts name the kinds of documents.
var documentTexts = map[api.DocumentKind]string{api.DocInbound: i18n.Text("inbound"), api.DocTransfer: i18n.Text("transfer"),
	api.DocOutbound: i18n.Text("order"), api.DocReservation: i18n.Text("reservation")}

// documentText names a kind of document.
func documentText(t *i18n.Translator, kind api.DocumentKind) string {
	if text, ok := documentTexts[kind]; ok {
		return t.Get(text)
	}
	return string(kind)
}

// operationTexts name the operations of movements; others are named by their words.
var operationTexts = map[api.MovementOperation]string{
	api.OpReceive: i18n.Text("receive"), api.OpAdjust: i18n.Text("adjust"), api.OpFulfill: i18n.Text("fulfill"),
	api.OpWriteOff: i18n.Text("write off"), api.OpReturnStock: i18n.Text("return stock"), api.OpMoveState: i18n.Text("move state"),
	api.OpReconcile: i18n.Text("reconcile"), api.OpReserve: i18n.Text("reserve"), api.OpCommit: i18n.Text("commit"),
	api.OpRelease: i18n.Text("release"), api.OpReservationCancel: i18n.Text("reservation cancel"), api.OpExpire: i18n.Text("expire"),
	api.OpTransferOut: i18n.Text("transfer out"), api.OpTransferIn: i18n.Text("transfer in"), api.OpTransferCancel: i18n.Text("transfer cancel"),
	api.OpTransferClose: i18n.Text("transfer close"), api.OpInboundExpect: i18n.Text("inbound expect"),
	api.OpInboundReceive: i18n.Text("inbound receive"), api.OpInboundClose: i18n.Text("inbound close"),
	api.OpInboundCancel: i18n.Text("inbound cancel"), api.OpOutboundAllocate: i18n.Text("outbound allocate"),
	api.OpOutboundPick: i18n.Text("outbound pick"), api.OpOutboundPack: i18n.Text("outbound pack"), api.OpOutboundShip: i18n.Text("outbound ship"),
	api.OpOutboundFulfill: i18n.Text("outbound fulfill"), api.OpOutboundCancel: i18n.Text("outbound cancel"),
	api.OpAssembleComponent: i18n.Text("composition assemble component"), api.OpAssembleOutput: i18n.Text("composition assemble output"),
	api.OpDisassembleInput: i18n.Text("composition disassemble input"), api.OpDisassembleComponent: i18n.Text("composition disassemble component"),
	api.OpReservationCreate: i18n.Text("reservation create"),
}

// OperationText names the operation of a movement: "inbound receive".
func OperationText(t *i18n.Translator, op api.MovementOperation) string {
	if text, ok := operationTexts[op]; ok {
		return t.Get(text)
	}
	return strings.ReplaceAll(string(op), "_", " ")
}
