package outbox_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// newStuck returns a queue with an operation that never gets through although the
// service answers, after an attempt.
func newStuck(t *testing.T) *harness {
	d := newHarness(t, outbox.Options{})
	d.queue.MarkUp(d.now)
	d.capture("bad", 1, nil, nil)
	for d.queue.Counts().Stuck == 0 {
		d.attempt()
	}
	d.attempt()
	return d
}

// attempt sends the stuck operation once more. Nothing comes back.
func (d *harness) attempt() {
	d.now = d.now.Add(4 * time.Minute)
	require.Equal(d.t, []string{"bad"}, d.plan())
	d.answer("bad", outbox.Unanswered)
	d.probe(nil)
}

func TestLookup_ProvesAbsence(t *testing.T) {
	t.Parallel()
	d := newStuck(t)
	require.Empty(t, d.queue.NextLookup(d.now), "the service may still perform it")
	d.queue.LookedUp(d.now, "bad", false)
	require.True(t, d.queue.Operation("bad").MaybeDone())

	d.now = d.now.Add(31 * time.Second)
	require.Empty(t, d.plan(), "a stuck operation leaves time to ask")
	require.Empty(t, d.queue.NextLookup(d.now), "once for each attempt")
	d.attempt()
	d.now = d.now.Add(31 * time.Second)
	require.Equal(t, "bad", d.queue.NextLookup(d.now))
	require.Equal(t, 1, d.queue.Counts().Sent)
	d.queue.LookedUp(d.now, "bad", false)
	require.Zero(t, d.queue.Counts().Sent)
	require.Equal(t, d.now, d.queue.Operation("bad").NotRecordedAt)
	require.NoError(t, d.queue.Replace(&outbox.Capture{Key: "good", Replaces: "bad"}))
	_, err := d.queue.Discard(d.now, "bad", "Ada", "the filter rejects it", false)
	require.NoError(t, err)

	d.now = d.now.Add(4 * time.Minute)
	require.Equal(t, []string{"bad"}, d.plan())
	_, err = d.queue.Discard(d.now, "bad", "Ada", "the filter rejects it", false)
	require.ErrorContains(t, err, "may have been applied", "it is under way again")
}

func TestLookup_AnswerFromBeforeTheAttemptProvesNothing(t *testing.T) {
	t.Parallel()
	d := newStuck(t)
	asked := d.now.Add(31 * time.Second)
	require.Equal(t, "bad", d.queue.NextLookup(asked))
	d.attempt()
	d.queue.LookedUp(asked, "bad", false)
	require.True(t, d.queue.Operation("bad").MaybeDone())
}

func TestLookup_AsksOnceForOtherWorkWithTheKey(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.queue.MarkUp(d.now)
	d.capture("night-0", 1, nil, nil)
	d.plan()
	d.apply(d.queue.Complete(d.now, "night-0", outbox.Conflict, &outbox.Refusal{Code: api.IdempotencyKeyReused}, 0))
	require.Equal(t, "night-0", d.queue.NextLookup(d.now))
	d.queue.LookedUp(d.now, "night-0", true)
	require.Empty(t, d.queue.NextLookup(d.now))
	d.apply(d.queue.RecordedElse(d.now, "night-0", &api.Change{Seq: 7, Operation: api.MoveStock.ID, Device: "Scanner 3",
		CreatedBy: &api.Actor{Label: "Ben"}, Movements: []api.Movement{{Quantity: 5, Product: &api.ProductRef{SKU: "OAT-1L"}}}}))
	r := d.queue.Operation("night-0").Refusal.Recorded
	require.Equal(t, "Ben Scanner 3 OAT-1L", r.Operator+" "+r.Device+" "+r.Stock[0].SKU)
	require.EqualValues(t, 5, r.Stock[0].Quantity)
	require.Empty(t, d.queue.NextLookup(d.now))
}

// The service may record a request long after its sender gave up, when the operation has
// been replaced.
func TestRecordedReplaced(t *testing.T) {
	t.Parallel()
	for name, sent := range map[string]bool{"before its replacement is sent": false, "after its replacement is done": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newHarness(t, outbox.Options{})
			d.capture("old", 1, nil, nil)
			d.apply(&outbox.Entry{Capture: &outbox.Capture{Key: "new", SpecID: api.AdjustStock.ID, Target: "/stock/adjust", At: d.now, Replaces: "old"}})
			d.queue.SetFootprint("new", outbox.Footprint{Writes: []uint64{1}}, nil)
			if sent {
				require.Equal(t, []string{"new"}, d.plan())
				d.answer("new", outbox.Accepted)
			}
			for _, e := range d.queue.RecordedReplaced(d.now, "old") {
				d.apply(e)
			}
			require.Equal(t, !sent, d.queue.Operation("old").State == outbox.Done)
			held := map[bool]string{false: "new", true: "old"}[sent]
			require.Equal(t, outbox.Held, d.queue.Operation(held).State)
			require.Equal(t, 1, d.queue.Counts().Held)
		})
	}
}
