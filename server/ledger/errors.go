package ledger

import (
	"context"
	"errors"

	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// toAPIError converts err to an api.Error, unless it is nil or the context's own error.
func toAPIError(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return err
	}
	if e := explainUnavailable(err); e != nil {
		return e
	}
	if e := stored.ExplainInconsistency(err); e != nil {
		return e
	}

	return api.AsError(err)
}

// explainUnavailable returns an error for users when the store cannot take writes,
// and nil otherwise.
func explainUnavailable(err error) *api.Error {
	e := &api.Error{Code: api.Unavailable, Err: err}
	switch {
	case errors.Is(err, store.ErrUncertain):
		e.Message = api.Text(
			"The service's disk did not confirm the change, so it may or may not be saved. Retry with the same Idempotency-Key after the service restarts.",
		)
		e.Details = api.Details{"retryAfterSeconds": int64(60), "outcome": "unknown"}
	case errors.Is(err, store.ErrFull):
		e.Message = api.Text("The service's disk is full. Retry with the same Idempotency-Key once space is free.")
		e.Details = api.Details{"retryAfterSeconds": int64(60)}
	case errors.Is(err, store.ErrUnavailable):
		e.Message = api.Text(
			"The service's database cannot be reached. Retry with the same Idempotency-Key in a moment.")
		e.Details = api.Details{"retryAfterSeconds": int64(5)}
	case errors.Is(err, store.ErrClosed):
		e.Message = api.Text("The service is shutting down. Retry with the same Idempotency-Key after it restarts.")
		e.Details = api.Details{"retryAfterSeconds": int64(10)}
	default:
		return nil
	}

	return e
}
