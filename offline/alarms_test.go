package offline_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/replicas"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// TestSync_ClockAlarm has an alarm while the clocks differ by more than two minutes.
func TestSync_ClockAlarm(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	set, offset := &replicas.Memory{}, time.Duration(0)
	n, _, err := offline.Open(t.Context(), offline.Config{Replicas: set, Folder: &journal.Memory{}, Caller: callerOf(w),
		Now: w.Clock.Now, ClockOffset: func() time.Duration { return offset }, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	for _, of := range []struct {
		offset time.Duration
		alarm  bool
	}{{2 * time.Minute, false}, {121 * time.Second, true}, {-3 * time.Hour, true}, {-2 * time.Minute, false}} {
		offset = of.offset
		require.Equal(t, of.alarm, len(n.Sync().Alarms) == 1, of.offset)
		if of.alarm {
			require.Equal(t, []api.SyncAlarm{api.AlarmClock}, n.Sync().Alarms)
		}
	}
	require.NoError(t, n.Close())
	require.NoError(t, set.Close())
}
