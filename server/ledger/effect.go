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

// An effect is what an operation does to one balance: the legs it moves by the
// quantity asked, in order. Every effect there is stands in this file.
type effect struct {
	op   api.MovementOperation
	legs []leg
	// byHand effects are no document's: they must leave what documents hold.
	byHand bool
}

// A leg moves one state by sign times the quantity. Goods that are only
// announced have no lot yet: an unlotted leg is one movement of the whole.
type leg struct {
	state    int
	sign     int64
	unlotted bool
}

var (
	inboundExpect = effect{op: api.OpInboundExpect, legs: []leg{{incoming, +1, true}}}
	// A receipt has two effects: what is no longer expected, and what has come,
	// which may be more.
	inboundArrive  = effect{op: api.OpInboundReceive, legs: []leg{{incoming, -1, true}}}
	inboundReceive = effect{op: api.OpInboundReceive, legs: []leg{{onHand, +1, false}, {available, +1, false}}}
	inboundCancel  = effect{op: api.OpInboundCancel, legs: []leg{{incoming, -1, true}}}
	inboundClose   = effect{op: api.OpInboundClose, legs: []leg{{incoming, -1, true}}}

	outboundAllocate = effect{op: api.OpOutboundAllocate, legs: []leg{{available, -1, false}, {committed, +1, false}}}
	// outboundRelease gives an allocation back within an outbound that changes lots.
	outboundRelease = effect{op: api.OpOutboundAllocate, legs: []leg{{committed, -1, false}, {available, +1, false}}}
	// Picking, packing and shipping leave a trace that changes no sum.
	outboundPick    = effect{op: api.OpOutboundPick, legs: []leg{{committed, 0, false}}}
	outboundPack    = effect{op: api.OpOutboundPack, legs: []leg{{committed, 0, false}}}
	outboundShip    = effect{op: api.OpOutboundShip, legs: []leg{{committed, 0, false}}}
	outboundFulfill = effect{op: api.OpOutboundFulfill, legs: []leg{{committed, -1, false}, {onHand, -1, false}}}
	outboundCancel  = effect{op: api.OpOutboundCancel, legs: []leg{{committed, -1, false}, {available, +1, false}}}

	// A transfer has an effect at its source and one at its destination. The
	// goods keep their lots on the way.
	transferOut          = effect{op: api.OpTransferOut, legs: []leg{{onHand, -1, false}, {available, -1, false}}}
	transferOutIncoming  = effect{op: api.OpTransferOut, legs: []leg{{incoming, +1, false}}}
	transferIn           = effect{op: api.OpTransferIn, legs: []leg{{incoming, -1, false}, {onHand, +1, false}, {available, +1, false}}}
	transferBack         = effect{op: api.OpTransferCancel, legs: []leg{{onHand, +1, false}, {available, +1, false}}}
	transferBackIncoming = effect{op: api.OpTransferCancel, legs: []leg{{incoming, -1, false}}}
	transferClose        = effect{op: api.OpTransferClose, legs: []leg{{incoming, -1, false}}}

	// A new reservation has two effects, which add up together.
	reservationCreate = effect{op: api.OpReservationCreate, legs: []leg{{reserved, +1, false}}}
	reservationTake   = effect{op: api.OpReserve, legs: []leg{{available, -1, false}}}
	reservationCommit = effect{op: api.OpCommit, legs: []leg{{reserved, -1, false}, {committed, +1, false}}}

	kitApart     = effect{op: api.OpDisassembleInput, legs: []leg{{onHand, -1, false}, {available, -1, false}}}
	kitPart      = effect{op: api.OpDisassembleComponent, legs: []leg{{onHand, +1, false}, {available, +1, false}}}
	kitComponent = effect{op: api.OpAssembleComponent, legs: []leg{{onHand, -1, false}, {available, -1, false}}}
	kitTogether  = effect{op: api.OpAssembleOutput, legs: []leg{{onHand, +1, false}, {available, +1, false}}}
)

// freeing is the effect of giving back what a reservation holds of a state.
func freeing(op api.MovementOperation, state int) effect {
	return effect{op: op, legs: []leg{{state, -1, false}, {available, +1, false}}}
}

// bringing is the effect of goods that come in, to one state.
func bringing(op api.MovementOperation, state int) effect {
	return effect{op: op, legs: []leg{{onHand, +1, false}, {state, +1, false}}}
}

// taking is the effect of goods that go out, from one state: by hand, or as
// what a reservation holds.
func taking(op api.MovementOperation, state int, byHand bool) effect {
	return effect{op: op, byHand: byHand, legs: []leg{{state, -1, false}, {onHand, -1, false}}}
}

// reconciling is the effect of a count that found more (sign +1) or less (-1).
func reconciling(sign int64) effect {
	return effect{op: api.OpReconcile, byHand: true, legs: []leg{{onHand, sign, false}, {available, sign, false}}}
}

// adjusting is the effect of adjusting one state up (sign +1) or down (-1).
func adjusting(state int, sign int64) effect {
	e := effect{op: api.OpAdjust, byHand: true}
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

// moving is the effect of moving stock from one state to another.
func moving(source, destination int) effect {
	return effect{op: api.OpMoveState, byHand: true,
		legs: []leg{{source, -1, false}, {destination, +1, false}}}
}
