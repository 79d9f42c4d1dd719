package outbox

import (
	"slices"
	"time"

	"bincard/server/api"
)

// A service that went back to an earlier state lost the work of all nodes, and each node
// sends its own again. Meanwhile the service may reject what needs the work of another node.

// HistoryUnknown reports whether the service may have gone back unnoticed: since the start,
// or since a request failed, no answer has shown that it has what is known here. New work
// must then not be sent: it may need what the service lost, and is not the first in order.
func (b *Queue) HistoryUnknown() bool {
	return b.link.knownAt != b.link.doubts && (b.Epoch != "" || b.ConfirmedAt.Seq > 0)
}

// HistoryDoubts returns a number to pass to HistoryKnown after a request that is sent now.
func (b *Queue) HistoryDoubts() int { return b.link.doubts }

// HistoryKnown records that an answer showed the service's history, and that the queue has
// learned it if the service went back. doubts is HistoryDoubts when the request was sent.
func (b *Queue) HistoryKnown(doubts int) { b.link.knownAt = max(b.link.knownAt, doubts) }

// recoveryTime is how long after a service went back its nodes send again what it lost.
const recoveryTime = 10 * time.Minute

// missingCodes are the errors of a service that lacks what an operation needs.
var missingCodes = []api.Code{api.NotFound, api.NothingPending}

// Recovering reports whether other nodes may still send again what the service lost.
func (b *Queue) Recovering(now time.Time) bool {
	return !b.wentBackAt.IsZero() && pauseActive(now, b.wentBackAt.Add(recoveryTime), recoveryTime)
}

// heldForMissing reports whether an operation is quarantined because what it needs is missing.
func (op *Operation) heldForMissing() bool {
	return op.State == Held && slices.Contains(missingCodes, op.Refusal.Code)
}

// MayRecover reports whether an operation that is rejected for a reason may be accepted when
// another node has sent its work again. What the operation needs existed: the local ledger
// accepted it when it was done, or the service did. It does not recover if earlier work on its
// document failed here, or what it depends on was discarded.
func (b *Queue) MayRecover(now time.Time, op *Operation, why *Refusal) bool {
	return b.Recovering(now) && why != nil && slices.Contains(missingCodes, why.Code) && (op.MaybeLost || !op.capturedAtRisk) && !b.failedBefore(op)
}

// failedBefore reports whether earlier work on the document of an operation failed, or was
// discarded although the operation depends on it.
func (b *Queue) failedBefore(op *Operation) bool {
	if slices.ContainsFunc(b.parentsOf(op), func(parent *Operation) bool { return parent.State == Discarded }) {
		return true
	}
	return op.document != "" && slices.ContainsFunc(b.operations[b.firstOpen:], func(earlier *Operation) bool {
		return (earlier.State == Refused || earlier.State == Held) && earlier.Seq < op.Seq && earlier.document == op.document
	})
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
	if key := b.lostMakers[op.document]; key != "" && key != op.Key && !slices.Contains(op.Needs, key) {
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
	if op.document != "" {
		a.documents[op.document] = true
	}
	addRows(a.rows, op.footprint.Makes)
}

// holdsBack reports whether an operation must wait too.
func (a *awaiting) holdsBack(op *Operation) bool {
	return a.documents != nil && (a.documents[op.document] || overlaps(a.rows, op.footprint.Reads) || overlaps(a.rows, op.footprint.Writes))
}
