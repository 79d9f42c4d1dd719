package posting

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
)

// A Rule is the effect of an operation on one balance: the legs to apply, in
// order. This file has all posting rules.
type Rule struct {
	op   api.MovementOperation
	legs []leg
	// manual rules belong to no document: they must leave what documents hold.
	manual bool
}

// A leg changes one state by sign times the quantity. Expected stock has no lot yet:
// an unlotted leg is one movement of the whole quantity.
type leg struct {
	state    int
	sign     int64
	unlotted bool
}

var (
	InboundExpect = Rule{op: api.OpInboundExpect, legs: []leg{{stored.Incoming, +1, true}}}
	// A receipt has two rules: what is no longer expected, and what was received,
	// which may be more.
	InboundUnexpect = Rule{op: api.OpInboundReceive, legs: []leg{{stored.Incoming, -1, true}}}
	InboundReceive  = Rule{
		op:   api.OpInboundReceive,
		legs: []leg{{stored.OnHand, +1, false}, {stored.Available, +1, false}},
	}
	InboundCancel = Rule{op: api.OpInboundCancel, legs: []leg{{stored.Incoming, -1, true}}}
	InboundClose  = Rule{op: api.OpInboundClose, legs: []leg{{stored.Incoming, -1, true}}}

	OutboundAllocate = Rule{
		op:   api.OpOutboundAllocate,
		legs: []leg{{stored.Available, -1, false}, {stored.Committed, +1, false}},
	}
	// OutboundRelease releases an allocation when an outbound exchanges lots.
	OutboundRelease = Rule{
		op:   api.OpOutboundAllocate,
		legs: []leg{{stored.Committed, -1, false}, {stored.Available, +1, false}},
	}
	// Picking, packing and shipping add movements of 0 as a trace.
	OutboundPick    = Rule{op: api.OpOutboundPick, legs: []leg{{stored.Committed, 0, false}}}
	OutboundPack    = Rule{op: api.OpOutboundPack, legs: []leg{{stored.Committed, 0, false}}}
	OutboundShip    = Rule{op: api.OpOutboundShip, legs: []leg{{stored.Committed, 0, false}}}
	OutboundFulfill = Rule{
		op:   api.OpOutboundFulfill,
		legs: []leg{{stored.Committed, -1, false}, {stored.OnHand, -1, false}},
	}
	OutboundCancel = Rule{
		op:   api.OpOutboundCancel,
		legs: []leg{{stored.Committed, -1, false}, {stored.Available, +1, false}},
	}

	// A transfer has a rule for its source and one for its destination. Stock in
	// transit keeps its lot.
	TransferOut = Rule{
		op:   api.OpTransferOut,
		legs: []leg{{stored.OnHand, -1, false}, {stored.Available, -1, false}},
	}
	TransferOutIncoming = Rule{op: api.OpTransferOut, legs: []leg{{stored.Incoming, +1, false}}}
	TransferIn          = Rule{
		op:   api.OpTransferIn,
		legs: []leg{{stored.Incoming, -1, false}, {stored.OnHand, +1, false}, {stored.Available, +1, false}},
	}
	TransferReturn = Rule{
		op:   api.OpTransferCancel,
		legs: []leg{{stored.OnHand, +1, false}, {stored.Available, +1, false}},
	}
	TransferReturnIncoming = Rule{op: api.OpTransferCancel, legs: []leg{{stored.Incoming, -1, false}}}
	TransferClose          = Rule{op: api.OpTransferClose, legs: []leg{{stored.Incoming, -1, false}}}

	// ReservationCreate is two rules that balance only together.
	ReservationCreate = []Rule{
		{op: api.OpReservationCreate, legs: []leg{{stored.Reserved, +1, false}}},
		{op: api.OpReserve, legs: []leg{{stored.Available, -1, false}}},
	}
	ReservationCommit = Rule{op: api.OpCommit, legs: []leg{{stored.Reserved, -1, false}, {stored.Committed, +1, false}}}

	// PlateTrace records what is on a plate.
	PlateTrace = Rule{op: api.OpMoveState, legs: []leg{{stored.OnHand, 0, false}}}
	// ReconcileTrace records a count that agrees.
	ReconcileTrace = Rule{op: api.OpReconcile, legs: []leg{{stored.OnHand, 0, false}}}

	KitDisassemble = Rule{
		op:   api.OpDisassembleInput,
		legs: []leg{{stored.OnHand, -1, false}, {stored.Available, -1, false}},
	}
	KitDisassembleComponent = Rule{
		op:   api.OpDisassembleComponent,
		legs: []leg{{stored.OnHand, +1, false}, {stored.Available, +1, false}},
	}
	KitAssembleComponent = Rule{
		op:   api.OpAssembleComponent,
		legs: []leg{{stored.OnHand, -1, false}, {stored.Available, -1, false}},
	}
	KitAssemble = Rule{
		op:   api.OpAssembleOutput,
		legs: []leg{{stored.OnHand, +1, false}, {stored.Available, +1, false}},
	}
)

// ReleaseRule makes what a reservation holds in a state available.
func ReleaseRule(op api.MovementOperation, state int) Rule {
	return Rule{op: op, legs: []leg{{state, -1, false}, {stored.Available, +1, false}}}
}

// ReceiptRule adds received stock to a state.
func ReceiptRule(op api.MovementOperation, state int) Rule {
	return Rule{op: op, legs: []leg{{stored.OnHand, +1, false}, {state, +1, false}}}
}

// IssueRule issues stock from a state, manually or from a reservation.
func IssueRule(op api.MovementOperation, state int, manual bool) Rule {
	return Rule{op: op, manual: manual, legs: []leg{{state, -1, false}, {stored.OnHand, -1, false}}}
}

// ReconcileRule corrects a count difference up (sign +1) or down (-1).
func ReconcileRule(sign int64) Rule {
	return Rule{
		op:     api.OpReconcile,
		manual: true,
		legs:   []leg{{stored.OnHand, sign, false}, {stored.Available, sign, false}},
	}
}

// AdjustRule adjusts a state up (sign +1) or down (-1).
func AdjustRule(state int, sign int64) Rule {
	rule := Rule{op: api.OpAdjust, manual: true}
	switch state {
	case stored.OnHand:
		rule.legs = []leg{{stored.OnHand, sign, false}, {stored.Available, sign, false}}
	case stored.Incoming:
		rule.legs = []leg{{stored.Incoming, sign, true}}
	default:
		rule.legs = []leg{{state, sign, false}, {stored.OnHand, sign, false}}
	}

	return rule
}

// MoveRule moves stock from one state to another.
func MoveRule(source, destination int) Rule {
	return Rule{op: api.OpMoveState, manual: true,
		legs: []leg{{source, -1, false}, {destination, +1, false}}}
}
