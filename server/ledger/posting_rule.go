package ledger

import "bincard/server/api"

// The states by their place in api.States.
const (
	onHand = iota
	available
	reserved
	committed
	incoming
	damaged
	qualityControl
	safetyStock
)

// A postingRule is what an operation does to one balance: the legs it moves by the
// quantity asked, in order. Every effect there is stands in this file.
type postingRule struct {
	op   api.MovementOperation
	legs []leg
	// manual effects are no document's: they must leave what documents hold.
	manual bool
}

// A leg moves one state by sign times the quantity. Goods that are only
// announced have no lot yet: an unlotted leg is one movement of the whole.
type leg struct {
	state    int
	sign     int64
	unlotted bool
}

var (
	inboundExpect = postingRule{op: api.OpInboundExpect, legs: []leg{{incoming, +1, true}}}
	// A receipt has two effects: what is no longer expected, and what has come,
	// which may be more.
	inboundUnexpect = postingRule{op: api.OpInboundReceive, legs: []leg{{incoming, -1, true}}}
	inboundReceive  = postingRule{op: api.OpInboundReceive, legs: []leg{{onHand, +1, false}, {available, +1, false}}}
	inboundCancel   = postingRule{op: api.OpInboundCancel, legs: []leg{{incoming, -1, true}}}
	inboundClose    = postingRule{op: api.OpInboundClose, legs: []leg{{incoming, -1, true}}}

	outboundAllocate = postingRule{op: api.OpOutboundAllocate, legs: []leg{{available, -1, false}, {committed, +1, false}}}
	// outboundRelease gives an allocation back within an outbound that changes lots.
	outboundRelease = postingRule{op: api.OpOutboundAllocate, legs: []leg{{committed, -1, false}, {available, +1, false}}}
	// Picking, packing and shipping leave a trace that changes no sum.
	outboundPick    = postingRule{op: api.OpOutboundPick, legs: []leg{{committed, 0, false}}}
	outboundPack    = postingRule{op: api.OpOutboundPack, legs: []leg{{committed, 0, false}}}
	outboundShip    = postingRule{op: api.OpOutboundShip, legs: []leg{{committed, 0, false}}}
	outboundFulfill = postingRule{op: api.OpOutboundFulfill, legs: []leg{{committed, -1, false}, {onHand, -1, false}}}
	outboundCancel  = postingRule{op: api.OpOutboundCancel, legs: []leg{{committed, -1, false}, {available, +1, false}}}

	// A transfer has an effect at its source and one at its destination. The
	// goods keep their lots on the way.
	transferOut            = postingRule{op: api.OpTransferOut, legs: []leg{{onHand, -1, false}, {available, -1, false}}}
	transferOutIncoming    = postingRule{op: api.OpTransferOut, legs: []leg{{incoming, +1, false}}}
	transferIn             = postingRule{op: api.OpTransferIn, legs: []leg{{incoming, -1, false}, {onHand, +1, false}, {available, +1, false}}}
	transferReturn         = postingRule{op: api.OpTransferCancel, legs: []leg{{onHand, +1, false}, {available, +1, false}}}
	transferReturnIncoming = postingRule{op: api.OpTransferCancel, legs: []leg{{incoming, -1, false}}}
	transferClose          = postingRule{op: api.OpTransferClose, legs: []leg{{incoming, -1, false}}}

	// A new reservation has two effects, which add up together.
	reservationCreate  = postingRule{op: api.OpReservationCreate, legs: []leg{{reserved, +1, false}}}
	reservationReserve = postingRule{op: api.OpReserve, legs: []leg{{available, -1, false}}}
	reservationCommit  = postingRule{op: api.OpCommit, legs: []leg{{reserved, -1, false}, {committed, +1, false}}}

	kitDisassemble          = postingRule{op: api.OpDisassembleInput, legs: []leg{{onHand, -1, false}, {available, -1, false}}}
	kitDisassembleComponent = postingRule{op: api.OpDisassembleComponent, legs: []leg{{onHand, +1, false}, {available, +1, false}}}
	kitAssembleComponent    = postingRule{op: api.OpAssembleComponent, legs: []leg{{onHand, -1, false}, {available, -1, false}}}
	kitAssemble             = postingRule{op: api.OpAssembleOutput, legs: []leg{{onHand, +1, false}, {available, +1, false}}}
)

// releaseRule is the effect of giving back what a reservation holds of a state.
func releaseRule(op api.MovementOperation, state int) postingRule {
	return postingRule{op: op, legs: []leg{{state, -1, false}, {available, +1, false}}}
}

// receiptRule is the effect of goods that come in, to one state.
func receiptRule(op api.MovementOperation, state int) postingRule {
	return postingRule{op: op, legs: []leg{{onHand, +1, false}, {state, +1, false}}}
}

// issueRule is the effect of goods that go out, from one state: by hand, or as
// what a reservation holds.
func issueRule(op api.MovementOperation, state int, byHand bool) postingRule {
	return postingRule{op: op, manual: byHand, legs: []leg{{state, -1, false}, {onHand, -1, false}}}
}

// reconcileRule is the effect of a count that found more (sign +1) or less (-1).
func reconcileRule(sign int64) postingRule {
	return postingRule{op: api.OpReconcile, manual: true, legs: []leg{{onHand, sign, false}, {available, sign, false}}}
}

// adjustRule is the effect of adjusting one state up (sign +1) or down (-1).
func adjustRule(state int, sign int64) postingRule {
	e := postingRule{op: api.OpAdjust, manual: true}
	switch state {
	case onHand:
		e.legs = []leg{{onHand, sign, false}, {available, sign, false}}
	case incoming:
		e.legs = []leg{{incoming, sign, true}}
	default:
		e.legs = []leg{{state, sign, false}, {onHand, sign, false}}
	}
	return e
}

// moveRule is the effect of moving stock from one state to another.
func moveRule(source, destination int) postingRule {
	return postingRule{op: api.OpMoveState, manual: true,
		legs: []leg{{source, -1, false}, {destination, +1, false}}}
}
