package submit_test

import (
	"context"
	"errors"
	"testing"

	"bincard/server/api"
	"bincard/views/session"
	"bincard/views/submit"

	"github.com/stretchr/testify/require"
)

func TestUserMessage(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"Only 1,284 to go, but the count is 2,000. Enter at most 1,284.": api.Fail(
			api.QuantityExceedsPending, api.Details{"pending": int64(1284), "requested": int64(2000)}, "no"),
		"The quality control quantity here is 3, but you need 5. Enter less, or find the rest.": api.Fail(
			api.InsufficientStock, api.Details{"current": int64(3), "requested": int64(5), "inventoryState": api.QualityControl}, "no"),
		"What the service says stands.":      api.Fail(api.QuantityExceedsPending, nil, "What the service says stands."),
		"A code of tomorrow.":                api.Fail("TOMORROW", nil, "A code of tomorrow."),
		"The service rejected it (X).":       api.Fail("X", nil, ""),
		"The service did not answer. Retry.": context.DeadlineExceeded,
		"anything else":                      errors.New("anything else"),
		"red alert":                          api.Fail("X", nil, "red\x1b[31m\x07 alert"),
	} {
		require.Equal(t, want, submit.UserMessage(nil, err))
	}
}

func TestOutcomeUnknown(t *testing.T) {
	t.Parallel()
	for _, err := range []error{context.DeadlineExceeded, errors.New("EOF"), api.Fail(api.Unavailable, nil, ""), api.Fail(api.InternalError, nil, ""),
		api.Fail("CONFLICT", api.Details{"outcome": "unknown"}, "")} {
		require.True(t, submit.OutcomeUnknown(err), "%v", err)
	}
	for _, err := range []error{api.Fail(api.InboundNotOpen, nil, ""), api.Fail(api.ValidationError, nil, ""), &session.UnsupportedError{Spec: api.LookUp.Spec}} {
		require.False(t, submit.OutcomeUnknown(err), "%v", err)
	}
}
