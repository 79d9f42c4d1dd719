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
	// Conflict is a refusal that tells of a conflict: a person decides.
	Conflict Verdict = "disputed"
	// NotSent did not arrive.
	NotSent Verdict = "unreached"
	// Unanswered may have arrived.
	Unanswered Verdict = "unanswered"
	// Throttled is to come later.
	Throttled Verdict = "throttled"
	// QuotaExceeded is a quota that is used up.
	QuotaExceeded Verdict = "exhausted"
	// Denied is a key that is unknown, of another organization, or without the right.
	Denied Verdict = "barred"
)

// Classify tells what an error of the service means for a write; nil is accepted.
// notSent tells that it certainly did not leave.
func Classify(err error, notSent bool) Verdict {
	if err == nil {
		return Accepted
	}
	e := api.AsError(err)
	switch {
	case notSent:
		return NotSent
	case e.Code == api.PlanLimitExceeded:
		return QuotaExceeded
	case e.Code == api.Unauthorized || e.Code == api.InsufficientScope || api.IsWrongOrganization(err):
		return Denied
	case e.Code == api.RateLimited:
		return Throttled
	case e.Code == api.IdempotencyKeyReused || e.Code == api.VersionConflict:
		return Conflict
	case e.Code == api.NotImplemented:
		return Rejected
	case e.Code.Status() >= 500:
		return Unanswered
	}
	return Rejected
}

// Complete takes the outcome of an attempt, and returns what is to be kept of
// it, nil where nothing is: it will be tried again. wait is how long the
// service asked to be left alone, 0 where it did not.
func (b *Queue) Complete(now time.Time, key string, v Verdict, why *Refusal, wait time.Duration) *Entry {
	it := b.byKey[key]
	if it == nil {
		return nil
	}
	b.clearInFlight(it)
	switch v {
	case Accepted, Rejected, Conflict:
		b.window.answered(now.Sub(it.attemptedAt))
	case NotSent, Unanswered, Throttled:
		b.window.shrink()
	}
	stale := it.staleAnswer
	it.staleAnswer = false
	if stale && (v == Accepted || v == Rejected || v == Conflict) {
		it.neverArrived = false
		return nil // that is of before the restore: it is asked again
	}
	if it.State != Pending { // settled by a person meanwhile, or seen
		if v != Accepted || it.State == Done {
			return nil
		}
		return stateChange(it, Done, now, nil) // it did happen
	}
	switch v {
	case Accepted:
		it.neverArrived = false // should the entry not be kept, it is known at least to have arrived
		b.MarkUp(now)
		b.link.clearQuota()
		return stateChange(it, Done, now, nil)
	case Rejected:
		b.MarkUp(now)
		return stateChange(it, Refused, now, it.explainRestore(why))
	case Conflict:
		b.MarkUp(now)
		return stateChange(it, Held, now, it.explainRestore(why))
	case NotSent:
		b.link.markDown(now, b.opts.Random())
	case Unanswered:
		it.neverArrived = false
		it.tries++
		it.notBefore = now.Add(backoff(it.tries, maxOperationBackoff, b.opts.Random()))
		b.link.markDown(now, b.opts.Random())
	case Throttled: // as with the other two below, nothing was done
		b.MarkUp(now)
		b.link.pause(now, max(wait, time.Second))
	case QuotaExceeded:
		b.MarkUp(now)
		b.link.exceedQuota(now, wait)
		it.notBefore = b.link.quotaUntil // whatever the quota is of
	case Denied:
		b.link.deny(now, why)
	}
	return nil
}

// explainRestore is a refusal with what must be said besides to somebody who was told
// that it is done.
func (it *Operation) explainRestore(why *Refusal) *Refusal {
	if !it.MaybeLost || why == nil {
		return why
	}
	told := *why
	told.Message = "The service had accepted this before it was restored from a backup, and now rejects it. " + why.Message
	return &told
}

// MarkDone takes that the service's changes hold an operation, whatever becomes of
// its answer, which may still be under way.
func (b *Queue) MarkDone(now time.Time, key string) *Entry {
	it := b.byKey[key]
	if it == nil || it.State == Done {
		return nil
	}
	it.staleAnswer = false
	b.MarkUp(now)
	return stateChange(it, Done, now, nil)
}

func stateChange(it *Operation, s State, at time.Time, why *Refusal) *Entry {
	return &Entry{StateChange: &StateChange{Key: it.Key, State: s, At: at, Refusal: why, MaybeLost: it.MaybeLost && s == Done}}
}
