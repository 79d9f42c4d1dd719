package replicas_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline/replicas"
	"bincard/server/ledger/replica"
	"bincard/server/store"
)

func TestTracker_RecordsChangesOfTheCurrentReplica(t *testing.T) {
	t.Parallel()
	ctx, set := t.Context(), &replicas.Memory{}
	tracker := replicas.NewTracker(set, store.Partition{Environment: "live"}, quiet)
	stage, err := tracker.Stage()
	require.NoError(t, err)
	require.NoError(t, tracker.Update(ctx, stage, (*replica.Tx).BeginPolled))
	require.NoError(t, tracker.Replace(true))
	require.True(t, tracker.Polled())

	position := func() string {
		at, err := tracker.Position(ctx, tracker.Current())
		require.NoError(t, err)
		return at.Stamp
	}
	before := position()
	tracker.ForgetChanges(before)
	rows, ok := tracker.ChangedSince(before, before)
	require.True(t, ok)
	require.Empty(t, rows)
	require.NoError(t, tracker.Update(ctx, tracker.Current(), func(r *replica.Tx) error { return r.FinishCycle(time.UnixMilli(1)) }))
	after := position()
	require.NotEqual(t, before, after)
	rows, ok = tracker.ChangedSince(before, after)
	require.True(t, ok)
	require.NotEmpty(t, rows)
	_, ok = tracker.ChangedSince("another revision", after)
	require.False(t, ok)

	old := tracker.Current()
	_, err = tracker.Stage()
	require.NoError(t, err)
	require.NoError(t, tracker.Replace(false))
	require.False(t, tracker.Polled())
	require.NoError(t, tracker.View(ctx, old, func(*replica.Tx) error { return nil }), "the old replica is open until Release")
	tracker.Release()
	require.Error(t, tracker.View(ctx, old, func(*replica.Tx) error { return nil }))
	require.NoError(t, set.Close())
}
