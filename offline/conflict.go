package offline

import (
	"slices"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// conflictCodes are the refusals that tell that somebody else has done what an
// operation would do.
var conflictCodes = []api.Code{api.QuantityExceedsPending, api.NothingPending, api.InboundAlreadyReceived, api.InboundNotOpen,
	api.OutboundNotOpen, api.TransferNotOpen, api.SerialExists, api.SerialNotAvailable}

// holdConflict holds an operation back that was right when it was done and is not
// any more: somebody has been at the same goods meanwhile, and a person knows
// whether they are the same.
func (n *Node) holdConflict(it *outbox.Operation) *outbox.Entry {
	spec := api.FindOperation(it.SpecID)
	if it.RiskAccepted || it.MaybeDone() || spec == nil || !spec.Physical() || !slices.Contains(conflictCodes, it.Risk.Code) {
		return nil
	}
	return n.queue.Hold(n.now(), it.Key, it.Risk)
}
