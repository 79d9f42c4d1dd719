package replicas_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline/replicas"
	"bincard/server/ledger/replica"
	"bincard/server/store"
)

var quiet = slog.New(slog.DiscardHandler)

func openDir(t *testing.T, path string) *replicas.Dir {
	t.Helper()
	d, err := replicas.OpenDir(path, quiet)
	require.NoError(t, err)
	return d
}

func put(t *testing.T, st store.Store, value string) {
	t.Helper()
	require.NoError(t, st.Update(context.Background(), store.Partition{}, func(tx store.Tx) error {
		return tx.Put("t", []byte("k"), []byte(value))
	}))
}

func get(t *testing.T, st store.Store) (value string) {
	t.Helper()
	require.NoError(t, st.View(context.Background(), store.Partition{}, func(r store.Reader) error {
		data, err := r.Get("t", []byte("k"))
		value = string(data)
		return err
	}))
	return value
}

func TestDir_ReopensTheCurrentReplica(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "replicas")
	d := openDir(t, path)
	require.Nil(t, d.Current())
	require.True(t, d.SyncedAt().IsZero())
	for _, value := range []string{"first", "second"} {
		stage, err := d.Stage()
		require.NoError(t, err)
		put(t, stage, value)
		release, err := d.Swap()
		require.NoError(t, err)
		require.NoError(t, release())
	}
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	d.SetSyncedAt(at)
	unfinished, err := d.Stage()
	require.NoError(t, err)
	put(t, unfinished, "third")
	require.NoError(t, d.Close())

	d = openDir(t, path)
	require.Equal(t, "second", get(t, d.Current()))
	require.Equal(t, at, d.SyncedAt())
	require.NoError(t, d.Close())
	files, err := os.ReadDir(path)
	require.NoError(t, err)
	require.Len(t, files, 2, "the current replica and its name")
}

func TestDir_DiscardsADamagedReplica(t *testing.T) {
	t.Parallel()
	path := t.TempDir()
	for _, name := range []string{"base-1", "../elsewhere", "base-1/../../elsewhere"} {
		require.NoError(t, os.MkdirAll(filepath.Join(path, "base-1"), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(path, "base-1", "ledger.db"), []byte("damaged"), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(path, "current"), []byte(name), 0o600))
		d := openDir(t, path)
		require.Nil(t, d.Current(), name)
		require.NoDirExists(t, filepath.Join(path, "base-1"))
		_, err := d.Swap()
		require.Error(t, err, "nothing is staged")
		require.NoError(t, d.Close())
	}
}

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
