package ledger

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
)

// The states, as indexes into api.States.
const (
	onHand         = stored.OnHand
	available      = stored.Available
	reserved       = stored.Reserved
	committed      = stored.Committed
	incoming       = stored.Incoming
	damaged        = stored.Damaged
	qualityControl = stored.QualityControl
	safetyStock    = stored.SafetyStock
)

// A postingRule is the effect of an operation on one balance: the legs to apply, in
// order. This file has all posting rules.
type postingRule struct {
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
	inboundExpect = postingRule{op: api.OpInboundExpect, legs: []leg{{incoming, +1, true}}}
	// A receipt has two rules: what is no longer expected, and what was received,
	// which may be more.
	inboundUnexpect = postingRule{op: api.OpInboundReceive, legs: []leg{{incoming, -1, true}}}
	inboundReceive  = postingRule{op: api.OpInboundReceive, legs: []leg{{onHand, +1, false}, {available, +1, false}}}
	inboundCancel   = postingRule{op: api.OpInboundCancel, legs: []leg{{incoming, -1, true}}}
	inboundClose    = postingRule{op: api.OpInboundClose, legs: []leg{{incoming, -1, true}}}

	outboundAllocate = postingRule{op: api.OpOutboundAllocate, legs: []leg{{available, -1, false}, {committed, +1, false}}}
	// outboundRelease releases an allocation when an outbound exchanges lots.
	outboundRelease = postingRule{op: api.OpOutboundAllocate, legs: []leg{{committed, -1, false}, {available, +1, false}}}
	// Picking, packing and shipping add movements of 0 as a trace.
	outboundPick    = postingRule{op: api.OpOutboundPick, legs: []leg{{committed, 0, false}}}
	outboundPack    = postingRule{op: api.OpOutboundPack, legs: []leg{{committed, 0, false}}}
	outboundShip    = postingRule{op: api.OpOutboundShip, legs: []leg{{committed, 0, false}}}
	outboundFulfill = postingRule{op: api.OpOutboundFulfill, legs: []leg{{committed, -1, false}, {onHand, -1, false}}}
	outboundCancel  = postingRule{op: api.OpOutboundCancel, legs: []leg{{committed, -1, false}, {available, +1, false}}}

	// A transfer has a rule for its source and one for its destination. Stock in
	// transit keeps its lot.
	transferOut            = postingRule{op: api.OpTransferOut, legs: []leg{{onHand, -1, false}, {available, -1, false}}}
	transferOutIncoming    = postingRule{op: api.OpTransferOut, legs: []leg{{incoming, +1, false}}}
	transferIn             = postingRule{op: api.OpTransferIn, legs: []leg{{incoming, -1, false}, {onHand, +1, false}, {available, +1, false}}}
	transferReturn         = postingRule{op: api.OpTransferCancel, legs: []leg{{onHand, +1, false}, {available, +1, false}}}
	transferReturnIncoming = postingRule{op: api.OpTransferCancel, legs: []leg{{incoming, -1, false}}}
	transferClose          = postingRule{op: api.OpTransferClose, legs: []leg{{incoming, -1, false}}}

	// A new reservation has two rules that balance only together.
	reservationCreate  = postingRule{op: api.OpReservationCreate, legs: []leg{{reserved, +1, false}}}
	reservationReserve = postingRule{op: api.OpReserve, legs: []leg{{available, -1, false}}}
	reservationCommit  = postingRule{op: api.OpCommit, legs: []leg{{reserved, -1, false}, {committed, +1, false}}}

	kitDisassemble          = postingRule{op: api.OpDisassembleInput, legs: []leg{{onHand, -1, false}, {available, -1, false}}}
	kitDisassembleComponent = postingRule{op: api.OpDisassembleComponent, legs: []leg{{onHand, +1, false}, {available, +1, false}}}
	kitAssembleComponent    = postingRule{op: api.OpAssembleComponent, legs: []leg{{onHand, -1, false}, {available, -1, false}}}
	kitAssemble             = postingRule{op: api.OpAssembleOutput, legs: []leg{{onHand, +1, false}, {available, +1, false}}}
)

// releaseRule makes what a reservation holds in a state available.
func releaseRule(op api.MovementOperation, state int) postingRule {
	return postingRule{op: op, legs: []leg{{state, -1, false}, {available, +1, false}}}
}

// receiptRule adds received stock to a state.
func receiptRule(op api.MovementOperation, state int) postingRule {
	return postingRule{op: op, legs: []leg{{onHand, +1, false}, {state, +1, false}}}
}

// issueRule issues stock from a state, manually or from a reservation.
func issueRule(op api.MovementOperation, state int, manual bool) postingRule {
	return postingRule{op: op, manual: manual, legs: []leg{{state, -1, false}, {onHand, -1, false}}}
}

// reconcileRule corrects a count difference up (sign +1) or down (-1).
func reconcileRule(sign int64) postingRule {
	return postingRule{op: api.OpReconcile, manual: true, legs: []leg{{onHand, sign, false}, {available, sign, false}}}
}

// adjustRule adjusts a state up (sign +1) or down (-1).
func adjustRule(state int, sign int64) postingRule {
	rule := postingRule{op: api.OpAdjust, manual: true}
	switch state {
	case onHand:
		rule.legs = []leg{{onHand, sign, false}, {available, sign, false}}
	case incoming:
		rule.legs = []leg{{incoming, sign, true}}
	default:
		rule.legs = []leg{{state, sign, false}, {onHand, sign, false}}
	}
	return rule
}

// moveRule moves stock from one state to another.
func moveRule(source, destination int) postingRule {
	return postingRule{op: api.OpMoveState, manual: true,
		legs: []leg{{source, -1, false}, {destination, +1, false}}}
}
