package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/store"
)

func TestObserve(t *testing.T) {
	t.Parallel()
	d := &fakeBackend{}
	w := d.writer(t)
	seen := make(chan store.Commit, 8)
	w.Observe(func(c store.Commit) { seen <- c })

	require.NoError(t, w.Update(ctx, store.Partition{}, put("a")))
	c := <-seen
	require.Equal(t, 1, c.Updates)
	require.Positive(t, c.Flush)
	require.NoError(t, c.Err)

	require.NoError(t, w.Update(ctx, store.Partition{}, func(store.Tx) error { return nil }))
	require.Equal(t, store.Commit{Updates: 1}, <-seen, "nothing to write")

	d.commit = func() error { return errBroken }
	require.ErrorIs(t, w.Update(ctx, store.Partition{}, put("b")), errBroken)
	require.ErrorIs(t, (<-seen).Err, errBroken)
}

func TestQueued(t *testing.T) {
	t.Parallel()
	w := (&fakeBackend{}).writer(t)
	running, release := make(chan struct{}), make(chan struct{})
	done := make(chan error, 4)
	go func() {
		done <- w.Update(ctx, store.Partition{}, func(store.Tx) error {
			close(running)
			<-release
			return nil
		})
	}()
	<-running
	require.Zero(t, w.Queued(), "a running update is not queued")
	for range 3 {
		go func() { done <- w.Update(ctx, store.Partition{}, put("a")) }()
	}
	require.Eventually(t, func() bool { return w.Queued() == 3 }, time.Minute, time.Millisecond)
	close(release)
	for range 4 {
		require.NoError(t, <-done)
	}
	require.Zero(t, w.Queued())
}
