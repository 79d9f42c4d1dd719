package outbox

import (
	"time"

	"bincard/server/api"
)

// A Verdict is the result of an attempt to send an operation.
type Verdict string

const (
	// Accepted means that the operation is done.
	Accepted Verdict = "accepted"
	// Rejected means that the service rejected the operation.
	Rejected Verdict = "rejected"
	// Conflict means that the service reports a conflict: a person decides.
	Conflict Verdict = "disputed"
	// NotSent means that the request did not arrive.
	NotSent Verdict = "unreached"
	// Unanswered means that the request may have arrived.
	Unanswered Verdict = "unanswered"
	// Throttled means that the service asked to retry later.
	Throttled Verdict = "throttled"
	// QuotaExceeded means that the monthly quota is used up.
	QuotaExceeded Verdict = "exhausted"
	// Denied means that the key is unknown, of another organization, or lacks
	// a scope.
	Denied Verdict = "barred"
)

// Classify returns the verdict for the error of a write. notSent means that
// the request certainly did not leave.
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

// Complete takes the result of an attempt and returns the entry to store, nil
// if the operation will be retried. wait is how long the service asked to
// wait, 0 if it did not.
func (b *Queue) Complete(now time.Time, key string, v Verdict, why *Refusal, wait time.Duration) *Entry {
	op := b.byKey[key]
	if op == nil {
		return nil
	}
	b.clearInFlight(op)
	switch v {
	case Accepted, Rejected, Conflict:
		b.window.answered(now.Sub(op.attemptedAt))
	case NotSent, Unanswered, Throttled:
		b.window.shrink()
	}
	stale := op.staleAnswer
	op.staleAnswer = false
	if stale && (v == Accepted || v == Rejected || v == Conflict) {
		op.neverArrived = false
		return nil // answered before the restore: send it again
	}
	if op.State != Pending { // resolved by a person meanwhile, or found among the changes
		if v != Accepted || op.State == Done {
			return nil
		}
		return stateChange(op, Done, now, nil) // it was done after all
	}
	switch v {
	case Accepted:
		op.neverArrived = false // in case the entry is not stored: it has arrived
		b.MarkUp(now)
		b.link.clearQuota()
		return stateChange(op, Done, now, nil)
	case Rejected:
		b.MarkUp(now)
		return stateChange(op, Refused, now, op.explainRestore(why))
	case Conflict:
		b.MarkUp(now)
		return stateChange(op, Held, now, op.explainRestore(why))
	case NotSent:
		b.link.markDown(now, b.opts.Random())
	case Unanswered:
		op.neverArrived = false
		op.tries++
		op.notBefore = now.Add(backoff(op.tries, maxOperationBackoff, b.opts.Random()))
		b.link.markDown(now, b.opts.Random())
	case Throttled: // as in the two cases below, nothing was done
		b.MarkUp(now)
		b.link.pause(now, max(wait, time.Second))
	case QuotaExceeded:
		b.MarkUp(now)
		b.link.exceedQuota(now, wait)
		op.notBefore = b.link.quotaUntil // even if it is not billable
	case Denied:
		b.link.deny(now, why)
	}
	return nil
}

// explainRestore adds to the rejection of an operation that had been confirmed
// before a restore that it was.
func (op *Operation) explainRestore(why *Refusal) *Refusal {
	if !op.MaybeLost || why == nil {
		return why
	}
	explained := *why
	explained.Message = api.Textf("The service had accepted this before it was restored from a backup, and now rejects it. %v", why.Message)
	return &explained
}

// MarkDone returns the entry for an operation that the service's changes
// contain, whether or not its answer arrives.
func (b *Queue) MarkDone(now time.Time, key string) *Entry {
	op := b.byKey[key]
	if op == nil || op.State == Done {
		return nil
	}
	op.staleAnswer = false
	b.MarkUp(now)
	return stateChange(op, Done, now, nil)
}

func stateChange(op *Operation, s State, at time.Time, why *Refusal) *Entry {
	return &Entry{StateChange: &StateChange{Key: op.Key, State: s, At: at, Refusal: why, MaybeLost: op.MaybeLost && s == Done}}
}
