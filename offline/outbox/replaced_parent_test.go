package outbox_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// A replacement comes after the operations that depended on what it replaces.
// They wait for it, so it must not wait for them.
func TestPlan_SendsReplacementBeforeEarlierDependents(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)
	q := outbox.New(outbox.Options{})
	apply := func(e outbox.Entry) { require.NoError(t, q.Apply(e)) }
	apply(outbox.Entry{Capture: &outbox.Capture{Key: "create", SpecID: "createTransfer", At: now}})
	apply(outbox.Entry{Capture: &outbox.Capture{Key: "ship", SpecID: "shipTransfer", At: now, Needs: []string{"create"}}})
	apply(outbox.Entry{StateChange: &outbox.StateChange{Key: "create", State: outbox.Held, At: now, Refusal: &outbox.Refusal{Code: api.IdempotencyKeyReused}}})
	apply(outbox.Entry{Capture: &outbox.Capture{Key: "again", SpecID: "createTransfer", At: now, Replaces: "create"}})
	plan := q.Plan(now)
	require.Len(t, plan.Send, 1)
	require.Equal(t, "again", plan.Send[0].Key)
}
