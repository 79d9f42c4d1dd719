package outbox

import (
	"time"

	"bincard/server/api"
)

// Lookups finds the operations to ask the service for: it may have done them.
type Lookups struct {
	// KeyLifetime is how long the service remembers a key; 0 means forever. An
	// operation sent longer ago without an answer is looked up before it is sent again.
	KeyLifetime time.Duration
	log         *Log
}

// keyMargin is how long before the service may forget a key it is treated as
// expired.
const keyMargin = time.Hour

// requestLifetime is how long the service may still perform a request whose sender has
// given up: it works on none for that long.
const requestLifetime = 30 * time.Second

// keyExpired reports whether the service may have forgotten the key of an
// operation that it may have done: sent again, it might be done twice.
func (l *Lookups) keyExpired(op *Operation, now time.Time) bool {
	if l.KeyLifetime == 0 || op.State != Pending || !op.MaybeDone() && !op.rejectedBefore || !op.Attempted() ||
		op.inFlight {
		return false
	}

	last := op.SentAt
	if op.notDoneAt.After(last) {
		last = op.notDoneAt
	}

	return now.Sub(last) >= l.KeyLifetime-keyMargin
}

// WithExpiredKeys returns the operations that must be looked up before they
// are sent again.
func (l *Lookups) WithExpiredKeys(now time.Time) []*Operation {
	return l.log.openIf(func(op *Operation) bool { return l.keyExpired(op, now) })
}

// MarkNotDone records that the service did not do an operation, so that it may
// be sent again.
func (l *Lookups) MarkNotDone(now time.Time, op *Operation) { op.notDoneAt = now }

// HoldUnanswered returns the entry that quarantines an operation if it is
// unknown whether the service did it.
func (l *Lookups) HoldUnanswered(now time.Time, op *Operation) *Entry {
	if op.State != Pending || op.inFlight {
		return nil
	}
	return stateChange(op, Held, now, &Refusal{Code: api.Unavailable, Message: api.Textf(
		"This was sent on %s without an answer, and the service cannot tell whether it was applied. Check the stock: retry if it is missing, otherwise discard it.",
		op.SentAt.Local().Format("2006-01-02 15:04"),
	)})
}

// NextLookup returns the oldest operation to ask the service for, or nil if there
// is none: its last attempt got no answer, or the service has recorded other work with
// its key that is not known here.
func (l *Lookups) NextLookup(now time.Time) *Operation {
	for _, op := range l.log.open() {
		if !op.lookedUp && op.needsLookup(now) {
			return op
		}
	}

	return nil
}

func (op *Operation) needsLookup(now time.Time) bool {
	switch {
	case op.inFlight:
		return false
	case op.isReused():
		return op.Refusal.Recorded == nil
	}

	return op.MaybeDone() && !op.MaybeLost && !op.FailedAt.IsZero() && !now.Before(op.FailedAt.Add(requestLifetime))
}

// LookedUp takes the answer about the key of an operation, for which the service was
// asked at a time. Without a record of it, and without an attempt since, the operation is
// not done.
func (l *Lookups) LookedUp(askedAt time.Time, op *Operation, recorded bool) {
	if !recorded && op.State == Pending && op.needsLookup(askedAt) {
		op.NotRecordedAt = askedAt
	}
	op.lookedUp = true
}
