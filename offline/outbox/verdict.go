package outbox

import (
	"errors"
	"slices"
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
	// Foreign means that something else answered for the service, and the
	// request may have arrived.
	Foreign Verdict = "foreign"
	// Throttled means that the service asked to retry later.
	Throttled Verdict = "throttled"
	// QuotaExceeded means that the monthly quota is used up.
	QuotaExceeded Verdict = "exhausted"
	// Denied means that the key is unknown, of another organization, or lacks
	// a scope.
	Denied Verdict = "barred"
	// TimeRejected means that the service rejected the time at which the operation
	// occurred: its clock differs from the one here.
	TimeRejected Verdict = "time"
)

// Failed reports whether the service did not answer.
func (v Verdict) Failed() bool { return v == NotSent || v == Unanswered || v == Foreign }

// resolves reports whether the service accepted or rejected the operation.
func (v Verdict) resolves() bool { return v == Accepted || v == Rejected || v == Conflict }

// Classify returns the verdict for the error of a write. notSent means that
// the request certainly did not leave.
func Classify(err error, notSent bool) Verdict {
	if err == nil {
		return Accepted
	}

	e := api.AsError(err)
	fields, _ := e.Details["fields"].([]api.FieldProblem)
	switch {
	case notSent:
		return NotSent
	case api.ForeignAnswerOf(err) != nil:
		return Foreign
	case e.Details["outcome"] == "unknown": // even if the code sounds like a rejection
		return Unanswered
	case slices.ContainsFunc(fields, func(p api.FieldProblem) bool { return p.Path == api.OccurredAtHeader }):
		return TimeRejected
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

// RetryAfter returns how long the service asked to wait, or 0 if it did not.
func RetryAfter(err error) time.Duration {
	var e *api.Error
	if errors.As(err, &e) {
		if s, ok := e.Details["retryAfterSeconds"].(int64); ok && s > 0 {
			return time.Duration(s) * time.Second
		}
	}

	return 0
}
