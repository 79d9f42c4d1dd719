package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/tui"
)

// TestNoGreenSignOverAStuckQueue has whatever keeps the work from going told in
// place of the connection.
func TestNoGreenSignOverAStuckQueue(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) *time.Time { at := now.Add(-d); return &at }
	quota := now.Add(time.Hour)
	for text, st := range map[string]api.Sync{
		"ONLINE 2s":        {State: api.SyncOnline, Heard: ago(2 * time.Second)},
		"STUCK 1 h 30 m":   {State: api.SyncOnline, Heard: ago(2 * time.Second), Oldest: ago(90 * time.Minute), Alarms: []api.SyncAlarm{api.AlarmLate}},
		"DENIED":           {State: api.SyncDenied, Heard: ago(2 * time.Second)},
		"OFFLINE 3 h 12 m": {State: api.SyncOffline, Heard: ago(192 * time.Minute)},
		"OFFLINE 2m":       {State: api.SyncOffline, Read: ago(2 * time.Minute)},
		"OFFLINE":          {State: api.SyncOffline},
		"QUOTA until " + quota.Local().Format("15:04"): {State: api.SyncQuota, Next: &quota},
	} {
		var s tui.Status
		st.Waiting, st.Refused, st.Held = 2, 1, 1
		setSync(&s, &st, now)
		require.Equal(t, text, s.Connection)
		require.Equal(t, text != "ONLINE 2s", s.Offline, text)
		require.Equal(t, 2, s.Pending)
		require.Equal(t, 2, s.Refused)
	}
}
