package outbox

import (
	"time"

	"bincard/server/api"
)

// requestLifetime is how long the service may still perform a request whose sender has
// given up: it works on none for that long.
const requestLifetime = 30 * time.Second

// NextLookup returns the key of the oldest operation to ask the service for, "" if there
// is none: its last attempt got no answer, or the service has recorded other work with
// its key that is not known here.
func (b *Queue) NextLookup(now time.Time) string {
	b.advanceOpen()
	for _, op := range b.operations[b.firstOpen:] {
		if !op.lookedUp && op.needsLookup(now) {
			return op.Key
		}
	}
	return ""
}

func (op *Operation) needsLookup(now time.Time) bool {
	switch {
	case op.inFlight:
		return false
	case op.State == Held && op.Refusal != nil && op.Refusal.Code == api.IdempotencyKeyReused:
		return op.Refusal.Recorded == nil
	}
	return op.MaybeDone() && !op.MaybeLost && !op.failedAt.IsZero() && !now.Before(op.failedAt.Add(requestLifetime))
}

// LookedUp takes the answer about the key of an operation, for which the service was
// asked at a time. Without a record of it, and without an attempt since, the operation is
// not done.
func (b *Queue) LookedUp(askedAt time.Time, key string, recorded bool) {
	op := b.byKey[key]
	if op == nil {
		return
	}
	if !recorded && op.State == Pending && op.needsLookup(askedAt) {
		op.NotRecordedAt = askedAt
	}
	op.lookedUp = true
}
