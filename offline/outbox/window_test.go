package outbox_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
)

// TestPlan_WindowGrowsWithRoundTrip requires that the window grows with the
// round-trip time, and is small again after throttling.
func TestPlan_WindowGrowsWithRoundTrip(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		trip   time.Duration
		window int
	}{{time.Millisecond, 8}, {40 * time.Millisecond, 13}, {300 * time.Millisecond, 100}} {
		d := newHarness(t, outbox.Options{})
		for i := range 4000 {
			d.capture(fmt.Sprint("k", i), uint64(i+1), nil, nil)
		}
		inFlight := d.plan()
		require.Len(t, inFlight, 8)
		for range 30 {
			d.now = d.now.Add(c.trip)
			for _, key := range inFlight {
				d.answer(key, outbox.Accepted)
			}
			inFlight = d.plan()
		}
		require.Len(t, inFlight, c.window, c.trip)
		d.answer(inFlight[0], outbox.Throttled)
		for _, key := range inFlight[1:] {
			d.answer(key, outbox.Unanswered)
		}
		d.now = d.now.Add(10 * time.Minute)
		d.probe(nil)
		require.Len(t, d.plan(), 8, c.trip)
	}
}
