package outbox

import (
	"time"

	"bincard/server/api"
)

// keyMargin is by how much sooner than the service a key is taken for forgotten.
const keyMargin = time.Hour

// keyExpired tells whether an operation may have been done so long ago that the
// service does not know its key any more: sent again it might be done twice.
func (b *Queue) keyExpired(it *Operation, now time.Time) bool {
	if b.keyLifetime == 0 || it.State != Pending || !it.MaybeDone() && !it.rejectedBefore || !it.Attempted() || it.inFlight {
		return false
	}
	last := it.SentAt
	if it.notDoneAt.After(last) {
		last = it.notDoneAt
	}
	return now.Sub(last) >= b.keyLifetime-keyMargin
}

// WithExpiredKeys are the operations that are to be looked up before they are sent again.
func (b *Queue) WithExpiredKeys(now time.Time) (list []*Operation) {
	b.advanceOpen()
	for _, it := range b.operations[b.firstOpen:] {
		if b.keyExpired(it, now) {
			list = append(list, it)
		}
	}
	return list
}

// Unanswered are the operations that were sent, and of which nobody knows
// whether they were done.
func (b *Queue) Unanswered() (list []*Operation) {
	b.advanceOpen()
	for _, it := range b.operations[b.firstOpen:] {
		if it.MaybeDone() && it.Attempted() {
			list = append(list, it)
		}
	}
	return list
}

// MarkNotDone says that the service did not do an operation: it may be sent again.
func (b *Queue) MarkNotDone(now time.Time, key string) {
	if it := b.byKey[key]; it != nil {
		it.notDoneAt = now
	}
}

// HoldUnanswered is the entry that holds an operation of which it cannot be told whether
// the service did it: a person decides.
func (b *Queue) HoldUnanswered(now time.Time, key string) *Entry {
	it := b.byKey[key]
	if it == nil || it.State != Pending || it.inFlight {
		return nil
	}
	return stateChange(it, Held, now, &Refusal{Code: api.Unavailable, Message: "This was sent on " + it.SentAt.Local().Format("2 January at 15:04") +
		" without an answer, and the service cannot tell whether it was applied. Check the stock: retry if it is missing, otherwise discard it."})
}
