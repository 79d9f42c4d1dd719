package outbox

import (
	"slices"
	"time"

	"bincard/server/api"
)

// A service that went back to an earlier state lost the work of all nodes, and each node
// sends its own again. Meanwhile the service may reject what needs the work of another node.

// recoveryTime is how long after a service went back its nodes send again what it lost.
const recoveryTime = 10 * time.Minute

// missingCodes are the errors of a service that lacks what an operation needs.
var missingCodes = []api.Code{api.NotFound, api.NothingPending}

// Recovering reports whether other nodes may still send again what the service lost.
func (b *Queue) Recovering(now time.Time) bool {
	return !b.wentBackAt.IsZero() && pauseActive(now, b.wentBackAt.Add(recoveryTime), recoveryTime)
}

// MayRecover reports whether an operation that is rejected for a reason may be accepted when
// another node has sent its work again. What the operation needs existed: the local ledger
// accepted it when it was done, or the service did.
func (b *Queue) MayRecover(now time.Time, op *Operation, why *Refusal) bool {
	return b.Recovering(now) && why != nil && slices.Contains(missingCodes, why.Code) && (op.MaybeLost || !op.capturedAtRisk)
}

// awaitOthers delays an operation until another node may have sent its work again.
func (b *Queue) awaitOthers(op *Operation, now time.Time, why *Refusal) *Entry {
	op.Missing = why
	op.tries++
	op.notBefore = now.Add(backoff(op.tries, maxOperationBackoff, b.opts.Random()))
	return op.notArrived(now)
}

// linkLost makes operations depend on those that created their documents and are sent
// again. While those were confirmed, nothing had to wait for them.
func (b *Queue) linkLost() {
	if b.opts.CreatedID == nil {
		return
	}
	b.lostMakers = map[string]string{}
	for _, op := range b.operations {
		if op.MaybeLost && op.State.Open() {
			if id := b.opts.CreatedID(&op.Capture); id != "" {
				b.lostMakers[id] = op.Key
			}
		}
	}
	for _, op := range b.operations {
		if op.State.Open() {
			b.needLostMaker(op)
		}
	}
}

// needLostMaker makes an operation depend on the one that created its document, if that is
// sent again.
func (b *Queue) needLostMaker(op *Operation) {
	if len(b.lostMakers) == 0 {
		return
	}
	if key := b.lostMakers[op.documentTarget()]; key != "" && key != op.Key && !slices.Contains(op.Needs, key) {
		op.Needs = append(slices.Clip(op.Needs), key)
		b.parents[key] = true
	}
}

// FollowsLost reports whether an earlier operation on the same rows is sent again, which is
// not applied over the replica meanwhile.
func (b *Queue) FollowsLost(op *Operation) bool {
	return slices.ContainsFunc(b.operations[b.firstOpen:], func(lost *Operation) bool {
		return lost.MaybeLost && lost.State == Pending && lost.Seq < op.Seq && (!lost.footprintKnown || sharesRows(lost.footprint.Writes, op.footprint))
	})
}

func sharesRows(rows []uint64, with Footprint) bool {
	return slices.ContainsFunc(rows, func(row uint64) bool { return slices.Contains(with.Reads, row) || slices.Contains(with.Writes, row) })
}

// documentTarget returns the id in the target of an operation, empty if there is none.
func (op *Operation) documentTarget() string {
	req, err := op.Request()
	if err != nil || req.DocumentID() == (api.ID{}) {
		return ""
	}
	return req.DocumentID().String()
}

// An awaiting is what operations that wait for other nodes hold back: later operations on
// the same documents, and those that need what they create. The others go on.
type awaiting struct {
	documents map[string]bool
	rows      map[uint64]bool
}

func (a *awaiting) add(op *Operation) {
	if a.documents == nil {
		a.documents, a.rows = map[string]bool{}, map[uint64]bool{}
	}
	if id := op.documentTarget(); id != "" {
		a.documents[id] = true
	}
	addRows(a.rows, op.footprint.Makes)
}

// holdsBack reports whether an operation must wait too.
func (a *awaiting) holdsBack(op *Operation) bool {
	return a.documents != nil && (a.documents[op.documentTarget()] || overlaps(a.rows, op.footprint.Reads) || overlaps(a.rows, op.footprint.Writes))
}
