package offline

import (
	"slices"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// conflictCodes are the errors that mean that someone else has already done what an
// operation would do.
var conflictCodes = []api.Code{api.QuantityExceedsPending, api.NothingPending, api.InboundAlreadyReceived, api.InboundNotOpen,
	api.OutboundNotOpen, api.TransferNotOpen, api.SerialExists, api.SerialNotAvailable}

// holdConflict quarantines an operation that was valid when it was done and no
// longer is. Someone else has changed the same stock since; only a person
// knows whether it was the same items. Or its lot was that of a discarded receipt. An
// operation is not quarantined while what it needs is sent again, here or by another node.
func (n *Node) holdConflict(op *outbox.Operation) *outbox.Entry {
	spec := api.FindOperation(op.SpecID)
	if op.AcceptsRisk() || op.MaybeDone() || spec == nil || !spec.Physical() || !slices.Contains(conflictCodes, op.Risk.Code) && !n.queue.LotDiscarded(op) ||
		n.queue.FollowsLost(op) || n.queue.MayRecover(n.now(), op, op.Risk) {
		return nil
	}
	return op.Hold(n.now(), op.Risk)
}
