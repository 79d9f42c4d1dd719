package outbox

import (
	"time"

	"bincard/server/api"
)

// Complete takes the result of an attempt and returns the entry to store, or nil. wait
// is the delay that the service asked for, or 0.
func (b *Queue) Complete(now time.Time, op *Operation, v Verdict, why *Refusal, wait time.Duration) *Entry {
	b.clearInFlight(op)
	if v.resolves() {
		b.window.answered(now.Sub(op.attemptedAt))
	} else if v.Failed() || v == Throttled {
		b.window.shrink()
	}

	stale := op.staleAnswer
	op.staleAnswer = false
	switch {
	case stale && v.resolves():
		op.neverArrived = false
		return nil // answered before the restore: send it again
	case op.State == Pending:
	case v == Accepted && op.State != Done: // resolved by a person meanwhile, and done after all
		return stateChange(op, Done, now, nil)
	default: // or found among the changes
		return nil
	}

	if v.Failed() {
		op.FailedAt = now
		b.delay(op, now, maxAloneBackoff) // it may be the operation's own fault
		b.requestFailed(now, op.attemptedAt, v)
	} else {
		b.MarkUp(now)
	}

	switch v {
	case Accepted:
		op.neverArrived = false // in case the entry is not stored: it has arrived
		b.clearQuota()
		return stateChange(op, Done, now, nil)
	case Rejected, Conflict:
		if v == Rejected && b.MayRecover(now, op, why) {
			op.Missing = why
			b.delay(op, now, maxOperationBackoff) // until another node has sent its work again
			break
		}

		if op.MaybeLost {
			why.Message = api.Textf(
				"The service had accepted this before it was restored from a backup, and now rejects it. %v",
				why.Message)
		}

		if v == Rejected {
			return stateChange(op, Refused, now, why)
		}

		return stateChange(op, Held, now, why)

	case Unanswered, Foreign:
		op.neverArrived = false
	case Throttled: // as in the cases below, nothing was done
		b.pause(now, max(wait, time.Second))
		return nil
	case QuotaExceeded:
		b.exceedQuota(now, wait)
		op.notBefore = b.link.QuotaUntil // even if it is not billable
	case Denied:
		b.deny(now, why)
	case TimeRejected: // it is sent again without
		op.omitTime = true
	}

	return op.notArrived(now)
}

// delay postpones the next attempt of an operation. limit is that after some attempts in a
// row that failed although other requests succeed.
func (b *Queue) delay(op *Operation, now time.Time, limit time.Duration) {
	op.tries++
	if op.tries < aloneAfter || b.down {
		limit = maxOperationBackoff
	}
	op.notBefore = now.Add(backoff(op.tries, limit, b.opts.Random()))
}

// MarkDone returns the entry for an operation that the service's changes
// contain, whether or not its answer arrives.
func (b *Queue) MarkDone(now time.Time, op *Operation) *Entry {
	if op.State == Done {
		return nil
	}
	op.staleAnswer = false
	b.MarkUp(now)
	return stateChange(op, Done, now, nil)
}
