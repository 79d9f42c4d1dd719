package submit

import (
	"context"
	"errors"

	"bincard/server/api"
	"bincard/views/session"
)

// notSent is the details.outcome of a write that did not reach the service.
const notSent = "not_sent"

// OutcomeUnknown reports whether a write that failed with err may have been performed,
// or was not tried at all. It must then be retried unchanged.
func OutcomeUnknown(err error) bool {
	var e *api.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || !errors.As(err, &e) {
		return !session.IsUnsupported(err)
	}
	switch e.Code {
	case api.Unavailable, api.InternalError, api.RateLimited, api.Unauthorized:
		return true
	}

	return e.Details["outcome"] != nil
}

// NeverSent reports whether the service certainly did not process the write.
func NeverSent(err error) bool {
	var e *api.Error
	if !errors.As(err, &e) {
		return false
	}
	return e.Details["outcome"] == notSent || e.Code == api.RateLimited || e.Code == api.Unauthorized
}

// refusesCaller reports whether the service refused the caller before it looked at the write:
// what became of an earlier try of the write is as unknown as before.
func refusesCaller(err error) bool {
	return api.HasCode(err, api.InsufficientScope) || api.HasCode(err, api.LocationNotAllowed) ||
		api.HasCode(err, api.PlanLimitExceeded)
}
