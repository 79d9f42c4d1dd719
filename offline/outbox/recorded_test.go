package outbox_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
)

// One answer with an earlier result may be that to other work on the same
// document. The second attempt gets its own.
func TestSendUnrecorded_NeedsTwoReplays(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)
	q := outbox.New(outbox.Options{})
	apply := func(e *outbox.Entry) { require.NoError(t, q.Apply(*e)) }
	apply(&outbox.Entry{Capture: &outbox.Capture{Key: "k", SpecID: "cancelOutbound", At: now}})
	answered := func() {
		apply(q.Plan(now).Sending)
		q.MarkReplayed("k")
		apply(q.Complete(now, "k", outbox.Accepted, nil, 0))
	}
	answered()
	again := q.SendUnrecorded(now, "k")
	require.NotNil(t, again)
	apply(again)
	answered()
	require.Nil(t, q.SendUnrecorded(now, "k"))
}
