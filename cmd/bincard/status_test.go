package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/outbox"
	"bincard/tui"
)

// TestNoGreenSignOverAStuckQueue has whatever keeps the work from going told in
// place of the connection.
func TestNoGreenSignOverAStuckQueue(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	up := outbox.Line{Up: true, Heard: now.Add(-2 * time.Second)}
	barred, down, silent := up, up, up
	barred.Barred = &outbox.Refusal{}
	down.Up, down.Heard = false, now.Add(-3*time.Hour-12*time.Minute)
	silent.Heard = now.Add(-2 * time.Minute)
	waits := func(since time.Duration) outbox.Counts {
		return outbox.Counts{Waiting: 2, Refused: 1, Held: 1, Oldest: now.Add(-since)}
	}
	for text, st := range map[string]offline.Status{
		"ONLINE 2s":        {Line: up, Counts: waits(time.Minute)},
		"STUCK 1 h 30 m":   {Line: up, Counts: waits(90 * time.Minute)},
		"NO-ENTRY":         {Line: barred, Counts: waits(time.Minute)},
		"OFFLINE 3 h 12 m": {Line: down, Counts: waits(time.Minute)},
		"OFFLINE 2m":       {Line: silent, Counts: waits(time.Minute)},
		"OFFLINE":          {Counts: waits(time.Minute)},
	} {
		var s tui.Status
		stands(&s, st, now)
		require.Equal(t, text, s.Connection)
		require.Equal(t, text != "ONLINE 2s", s.Offline, text)
		require.Equal(t, 2, s.Waiting)
		require.Equal(t, 2, s.Refused)
	}
}
