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
	inboundExpect  = effect{op: api.OpInboundExpect, legs: []leg{{incoming, +1, true}}}
	inboundReceive = effect{op: api.OpInboundReceive, legs: []leg{{incoming, -1, true}, {onHand, +1, false}, {available, +1, false}}}
	inboundCancel  = effect{op: api.OpInboundCancel, legs: []leg{{incoming, -1, true}}}
	inboundClose   = effect{op: api.OpInboundClose, legs: []leg{{incoming, -1, true}}}

	outboundAllocate = effect{op: api.OpOutboundAllocate, legs: []leg{{available, -1, false}, {committed, +1, false}}}
	// outboundRelease gives an allocation back within an outbound that changes lots.
	outboundRelease = effect{op: api.OpOutboundAllocate, legs: []leg{{committed, -1, false}, {available, +1, false}}}
	// Picking and packing leave a trace that changes no sum.
	outboundPick    = effect{op: api.OpOutboundPick, legs: []leg{{committed, 0, false}}}
	outboundPack    = effect{op: api.OpOutboundPack, legs: []leg{{committed, 0, false}}}
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
)

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
