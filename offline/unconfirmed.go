package offline

import (
	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger"
)

// explainMissing returns the error of a read. A document whose creation is
// saved here, but rejected by the local ledger or the service, is missing in
// the local data; it is not confirmed rather than unknown.
func (n *Node) explainMissing(req *api.Request, err error) error {
	id := req.DocumentID()
	if id == (api.ID{}) || !api.HasCode(err, api.NotFound) {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, op := range n.queue.Operations() {
		spec := api.FindOperation(op.SpecID)
		if !op.State.Open() || spec == nil || !spec.Creates() || spec.Document != req.Spec.Document ||
			ledger.DerivedID(n.partition(), string(spec.Document), op.Key) != id {
			continue
		}
		why := op.Risk
		if op.State != outbox.Pending {
			why = op.Refusal
		}
		if why == nil {
			return err
		}
		return api.Fail(api.AtRisk, api.Details{"because": why.Code, "key": op.Key},
			"Saved here, but not confirmed: %v", why.Message)
	}
	return err
}
