package outbox

import (
	"time"

	"bincard/server/api"
)

// keyMargin is how long before the service may forget a key it is treated as
// expired.
const keyMargin = time.Hour

// keyExpired reports whether the service may have forgotten the key of an
// operation that it may have done: sent again, it might be done twice.
func (b *Queue) keyExpired(op *Operation, now time.Time) bool {
	if b.keyLifetime == 0 || op.State != Pending || !op.MaybeDone() && !op.rejectedBefore || !op.Attempted() || op.inFlight {
		return false
	}
	last := op.SentAt
	if op.notDoneAt.After(last) {
		last = op.notDoneAt
	}
	return now.Sub(last) >= b.keyLifetime-keyMargin
}

// WithExpiredKeys returns the operations that must be looked up before they
// are sent again.
func (b *Queue) WithExpiredKeys(now time.Time) (list []*Operation) {
	b.advanceOpen()
	for _, op := range b.operations[b.firstOpen:] {
		if b.keyExpired(op, now) {
			list = append(list, op)
		}
	}
	return list
}

// Unanswered returns the operations that were sent and may have been done.
func (b *Queue) Unanswered() (list []*Operation) {
	b.advanceOpen()
	for _, op := range b.operations[b.firstOpen:] {
		if op.MaybeDone() && op.Attempted() {
			list = append(list, op)
		}
	}
	return list
}

// MarkNotDone records that the service did not do an operation, so that it may
// be sent again.
func (b *Queue) MarkNotDone(now time.Time, key string) {
	if op := b.byKey[key]; op != nil {
		op.notDoneAt = now
	}
}

// HoldUnanswered returns the entry that quarantines an operation if it is
// unknown whether the service did it.
func (b *Queue) HoldUnanswered(now time.Time, key string) *Entry {
	op := b.byKey[key]
	if op == nil || op.State != Pending || op.inFlight {
		return nil
	}
	return stateChange(op, Held, now, &Refusal{Code: api.Unavailable, Message: api.Textf(
		"This was sent on %s without an answer, and the service cannot tell whether it was applied. Check the stock: retry if it is missing, otherwise discard it.",
		op.SentAt.Local().Format("2006-01-02 15:04"))})
}
