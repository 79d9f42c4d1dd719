package outbox_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// probe sends a probe if one is due, with this result, and returns its timeout.
func (d *harness) probe(err error) time.Duration {
	timeout, _ := d.queue.NextProbe(d.now)
	if timeout > 0 {
		d.queue.ProbeDone(d.now, err, api.AsError(err).Details["outcome"] == "not_sent", false)
	}
	return timeout
}

var (
	errRefused = api.Fail(api.Unavailable, api.Details{"outcome": "not_sent"}, "The service cannot be reached.")
	errSilent  = api.Fail(api.Unavailable, api.Details{"outcome": "unknown"}, "The service did not answer.")
	errPage    = &api.Error{Code: api.Unavailable, Details: api.Details{"outcome": "unknown"}, Err: &api.ForeignAnswer{Status: 404, Text: "default backend"}}
)

func TestProbe_FindsReturnWithinSeconds(t *testing.T) {
	t.Parallel()
	for _, outage := range []time.Duration{20 * time.Second, 10 * time.Minute, 12 * time.Hour} {
		d := newHarness(t, outbox.Options{})
		d.capture("a", 1, nil, nil)
		d.plan()
		d.answer("a", outbox.NotSent)
		require.False(t, d.queue.Link(d.now).Up)
		for end := d.now.Add(outage); d.now.Before(end); {
			require.Empty(t, d.plan(), "nothing is sent before a probe succeeds")
			timeout, at := d.queue.NextProbe(d.now)
			if timeout > 0 {
				require.False(t, d.queue.ProbeDone(d.now.Add(timeout), errRefused, true, false))
				d.now = d.now.Add(timeout)
				continue
			}
			require.LessOrEqual(t, at.Sub(d.now), 4*time.Second)
			d.now = at
		}
		d.now = d.queue.Link(d.now).Next
		timeout, _ := d.queue.NextProbe(d.now)
		require.NotZero(t, timeout)
		require.True(t, d.queue.ProbeDone(d.now, nil, false, false))
		require.Equal(t, []string{"a"}, d.plan(), "an outage leaves no pause behind")
	}
}

func TestProbe_SparesQuota(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.capture("a", 1, nil, nil)
	d.plan()
	d.answer("a", outbox.NotSent)
	var last time.Duration
	for range 8 {
		d.now = d.queue.Link(d.now).Next
		timeout, _ := d.queue.NextProbe(d.now)
		require.NotZero(t, timeout)
		d.queue.ProbeDone(d.now, errSilent, false, true)
		last = d.queue.Link(d.now).Next.Sub(d.now)
	}
	require.Equal(t, 30*time.Second, last)
	for range 8 { // what never arrives costs nothing
		d.now = d.queue.Link(d.now).Next
		timeout, _ := d.queue.NextProbe(d.now)
		require.NotZero(t, timeout)
		d.queue.ProbeDone(d.now, errRefused, true, true)
		require.LessOrEqual(t, d.queue.Link(d.now).Next.Sub(d.now), 4*time.Second)
	}
}

func TestProbe_HeartbeatNoticesSilence(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{Heartbeat: 5 * time.Second})
	d.queue.MarkUp(d.now)
	timeout, at := d.queue.NextProbe(d.now)
	require.Zero(t, timeout)
	require.Equal(t, 5*time.Second, at.Sub(d.now))
	timeout, _ = d.queue.NextProbe(at)
	require.LessOrEqual(t, at.Add(timeout).Sub(d.now), 10*time.Second)
	d.queue.ProbeDone(at.Add(timeout), errSilent, false, false)
	require.False(t, d.queue.Link(at).Up)
}

func TestPlan_PoisonedOperationDoesNotBlockOthers(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{Parallel: 1})
	d.queue.MarkUp(d.now)
	d.capture("bad", 1, nil, nil)
	d.capture("good", 2, nil, nil)
	for range 20 {
		require.Equal(t, []string{"bad"}, d.plan())
		d.now = d.now.Add(time.Millisecond)
		d.answer("bad", outbox.Unanswered)
		require.True(t, d.queue.Link(d.now).Up, "one failure does not make the connection down")
		require.Empty(t, d.plan(), "a probe comes first")
		require.NotZero(t, d.probe(nil))
		require.True(t, d.queue.Link(d.now).Up)
		require.Equal(t, []string{"good"}, d.plan())
		d.answer("good", outbox.Unanswered)
		require.NotZero(t, d.probe(nil))
		d.now = d.now.Add(4 * time.Minute)
	}
}

// An answer to another request, since the failed one was sent, proves the
// connection.
func TestComplete_FailureAmongAnswersIsTheOperationsOwn(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.capture("bad", 1, nil, nil)
	d.capture("good", 2, nil, nil)
	d.capture("next", 3, nil, nil)
	require.Len(t, d.plan(), 3)
	d.now = d.now.Add(time.Second)
	d.answer("good", outbox.Accepted)
	d.answer("bad", outbox.Foreign)
	d.answer("next", outbox.NotSent)
	require.False(t, d.queue.NeedsProbe())
	require.True(t, d.queue.Link(d.now).Up)
}

func TestProbe_ReportsForeignAnswer(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.capture("a", 1, nil, nil)
	d.plan()
	v := outbox.Classify(errPage, false)
	require.Equal(t, outbox.Foreign, v)
	d.answer("a", v)
	require.Equal(t, outbox.Pending, d.queue.Operation("a").State)
	require.True(t, d.queue.Operation("a").MaybeDone())
	require.NotZero(t, d.probe(errPage))
	l := d.queue.Link(d.now)
	require.Equal(t, 404, l.Foreign.Status)
	require.Equal(t, d.now, l.ForeignSince)
	d.now = l.Next
	require.NotZero(t, d.probe(errSilent), "a plain outage followed")
	require.Nil(t, d.queue.Link(d.now).Foreign)
	d.now = d.queue.Link(d.now).Next
	require.NotZero(t, d.probe(nil))
	require.Equal(t, []string{"a"}, d.plan(), "the queue drains by itself")
}

// An answer to another request ends the doubt about the connection before the probe fails,
// and shows no history. The next probe follows soon: reading may wait for changes meanwhile.
func TestProbe_FollowsUnknownHistory(t *testing.T) {
	t.Parallel()
	d := newHarness(t, outbox.Options{})
	d.epoch("one")
	d.capture("a", 1, nil, nil)
	d.capture("b", 2, nil, nil)
	d.plan()
	d.now = d.now.Add(time.Second)
	d.answer("a", outbox.Unanswered)
	require.NotZero(t, d.probe(errSilent))
	d.answer("b", outbox.Accepted)
	require.True(t, d.queue.Link(d.now).Up)
	require.True(t, d.queue.HistoryUnknown())
	timeout, at := d.queue.NextProbe(d.now)
	require.Zero(t, timeout)
	require.WithinRange(t, at, d.now, d.now.Add(4*time.Second))
	d.now = at
	doubts := d.queue.HistoryDoubts()
	require.NotZero(t, d.probe(nil))
	d.queue.HistoryKnown(doubts)
	timeout, at = d.queue.NextProbe(d.now)
	require.Zero(t, timeout)
	require.Zero(t, at)
}
