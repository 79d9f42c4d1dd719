package outbox

import (
	"bincard/server/api"
	"slices"
	"time"
)

// Complete takes the result of an attempt and returns the entry to store, or nil. wait
// is the delay that the service asked for, or 0.
func (b *Queue) Complete(now time.Time, key string, v Verdict, why *Refusal, wait time.Duration) *Entry {
	op := b.byKey[key]
	if op == nil {
		return nil
	}
	b.clearInFlight(op)
	switch v {
	case Accepted, Rejected, Conflict:
		b.window.answered(now.Sub(op.attemptedAt))
	case NotSent, Unanswered, Foreign, Throttled:
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
		if b.MayRecover(now, op, why) {
			return b.awaitOthers(op, now, why)
		}
		return stateChange(op, Refused, now, op.explainRestore(why))
	case Conflict:
		b.MarkUp(now)
		return stateChange(op, Held, now, op.explainRestore(why))
	case NotSent:
		b.delay(op, now)
		b.requestFailed(now, op.attemptedAt, v)
		return op.notArrived(now)
	case Unanswered, Foreign:
		op.neverArrived = false
		b.delay(op, now)
		b.requestFailed(now, op.attemptedAt, v)
	case Throttled: // as in the two cases below, nothing was done
		b.MarkUp(now)
		b.link.pause(now, max(wait, time.Second))
	case QuotaExceeded:
		b.MarkUp(now)
		b.link.exceedQuota(now, wait)
		op.notBefore = b.link.quotaUntil // even if it is not billable
		return op.notArrived(now)
	case Denied:
		b.MarkUp(now)
		b.link.deny(now, why)
		return op.notArrived(now)
	}
	return nil
}

// delay postpones the next attempt of an operation, whose own fault the failure may be.
func (b *Queue) delay(op *Operation, now time.Time) {
	op.failedAt = now
	if op.tries++; op.FailingSince.IsZero() {
		op.FailingSince = now
	}
	limit := maxOperationBackoff
	if op.tries >= aloneAfter && !b.link.down {
		limit = maxAloneBackoff
	}
	op.notBefore = now.Add(backoff(op.tries, limit, b.opts.Random()))
}

// notArrived returns the entry for an operation that was certainly not done,
// nil if an earlier attempt may have arrived. Without it the operation could
// not be discarded after a restart.
func (op *Operation) notArrived(now time.Time) *Entry {
	if !op.maybeSent || !op.neverArrived {
		return nil
	}
	return &Entry{Sending: &Sending{Keys: []string{op.Key}, At: now, NotArrived: true}}
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

func (b *Queue) clearInFlight(op *Operation) {
	if op.inFlight {
		op.inFlight = false
		b.inFlight = slices.DeleteFunc(b.inFlight, func(x *Operation) bool { return x == op })
	}
}
