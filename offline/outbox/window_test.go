package outbox_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
)

// TestAFarServiceIsSentMoreAtOnce holds that what is under way at once grows
// with the way there, and is little again where the service asks for mercy.
func TestAFarServiceIsSentMoreAtOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		trip time.Duration
		most int
	}{{time.Millisecond, 8}, {40 * time.Millisecond, 13}, {300 * time.Millisecond, 100}} {
		d := newHarness(t, outbox.Options{})
		for i := range 4000 {
			d.do(fmt.Sprint("k", i), uint64(i+1), nil, nil)
		}
		flying := d.plan()
		require.Len(t, flying, 8)
		for range 30 {
			d.now = d.now.Add(c.trip)
			for _, key := range flying {
				d.answer(key, outbox.Accepted)
			}
			flying = d.plan()
		}
		require.Len(t, flying, c.most, c.trip)
		d.answer(flying[0], outbox.Throttled)
		for _, key := range flying[1:] {
			d.answer(key, outbox.Unanswered)
		}
		d.now = d.now.Add(10 * time.Minute)
		require.Len(t, d.plan(), 8, c.trip)
	}
}
