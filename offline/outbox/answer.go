package outbox

import (
	"time"

	"bincard/server/api"
)

// A Verdict is what an attempt came to.
type Verdict string

const (
	// Accepted is an answer that can be the operation's alone.
	Accepted Verdict = "accepted"
	// Rejected is the service's refusal of this operation.
	Rejected Verdict = "rejected"
	// Disputed is a refusal that tells of a conflict: a person decides.
	Disputed Verdict = "disputed"
	// Unreached did not arrive.
	Unreached Verdict = "unreached"
	// Unanswered may have arrived.
	Unanswered Verdict = "unanswered"
	// Throttled is to come later.
	Throttled Verdict = "throttled"
	// Exhausted is a quota that is used up.
	Exhausted Verdict = "exhausted"
	// Barred is a key that is unknown, of another organization, or without the right.
	Barred Verdict = "barred"
)

// Judge tells what an error of the service means for a write; nil is accepted.
// notSent tells that it certainly did not leave.
func Judge(err error, notSent bool) Verdict {
	if err == nil {
		return Accepted
	}
	e := api.AsError(err)
	switch {
	case notSent:
		return Unreached
	case e.Code == api.PlanLimitExceeded:
		return Exhausted
	case e.Code == api.Unauthorized || e.Code == api.InsufficientScope || api.IsNotOfKey(err):
		return Barred
	case e.Code == api.RateLimited:
		return Throttled
	case e.Code == api.IdempotencyKeyReused || e.Code == api.VersionConflict:
		return Disputed
	case e.Code == api.NotImplemented:
		return Rejected
	case e.Code.Status() >= 500:
		return Unanswered
	}
	return Rejected
}

// Answered takes the outcome of an attempt, and returns what is to be kept of
// it, nil where nothing is: it will be tried again. wait is how long the
// service asked to be left alone, 0 where it did not.
func (b *Box) Answered(now time.Time, key string, v Verdict, why *Refusal, wait time.Duration) *Entry {
	it := b.byKey[key]
	if it == nil {
		return nil
	}
	b.land(it)
	switch v {
	case Accepted, Rejected, Disputed:
		b.breadth.answered(now.Sub(it.flown))
	case Unreached, Unanswered, Throttled:
		b.breadth.missed()
	}
	stale := it.stale
	it.stale = false
	if stale && (v == Accepted || v == Rejected || v == Disputed) {
		it.astray = false
		return nil // that is of before the restore: it is asked again
	}
	if it.State != Captured { // settled by a person meanwhile, or seen
		if v != Accepted || it.State == Done {
			return nil
		}
		return mark(it, Done, now, nil) // it did happen
	}
	switch v {
	case Accepted:
		it.astray = false // should the entry not be kept, it is known at least to have arrived
		b.Heard(now)
		b.line.freed()
		return mark(it, Done, now, nil)
	case Rejected:
		b.Heard(now)
		return mark(it, Refused, now, it.again(why))
	case Disputed:
		b.Heard(now)
		return mark(it, Held, now, it.again(why))
	case Unreached:
		b.line.lost(now, b.opts.Random())
	case Unanswered:
		it.astray = false
		it.tries++
		it.next = now.Add(backoff(it.tries, mostAlone, b.opts.Random()))
		b.line.lost(now, b.opts.Random())
	case Throttled: // as with the other two below, nothing was done
		b.Heard(now)
		b.line.wait(now, max(wait, time.Second))
	case Exhausted:
		b.Heard(now)
		b.line.exhausted(now, wait)
		it.next = b.line.quota // whatever the quota is of
	case Barred:
		b.line.bar(now, why)
	}
	return nil
}

// again is a refusal with what must be said besides to somebody who was told
// that it is done.
func (it *Item) again(why *Refusal) *Refusal {
	if !it.Doubted || why == nil {
		return why
	}
	told := *why
	told.Message = "The service had confirmed this before it was restored from a backup, and now refuses it. " + why.Message
	return &told
}

// Seen takes that the service's changes hold an operation, whatever becomes of
// its answer, which may still be under way.
func (b *Box) Seen(now time.Time, key string) *Entry {
	it := b.byKey[key]
	if it == nil || it.State == Done {
		return nil
	}
	it.stale = false
	b.Heard(now)
	return mark(it, Done, now, nil)
}

func mark(it *Item, s State, at time.Time, why *Refusal) *Entry {
	return &Entry{Mark: &Mark{Key: it.Key, State: s, At: at, Refusal: why, Doubted: it.Doubted && s == Done}}
}
