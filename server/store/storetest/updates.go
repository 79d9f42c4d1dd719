package storetest

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bincard/server/store"
)

func testOwnWrites(t *testing.T, s store.Store) {
	p := partition()
	put(t, s, p, "a", "old", "b", "old", "c", "old")
	written, seen := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(seen)
		<-written
		assert.Equal(t, []string{"a=old", "b=old", "c=old"}, rows(t, s, p), "uncommitted rows are invisible to others")
	}()
	require.NoError(t, s.Update(ctx, p, func(tx store.Tx) error {
		key, value := []byte("bb"), []byte("new")
		require.NoError(t, tx.Put("t", key, value))
		copy(key, "xx") // the store copied both
		copy(value, "xxx")
		require.NoError(t, tx.Put("t", []byte("a"), []byte("new")))
		require.NoError(t, tx.Delete("t", []byte("b")))

		got, err := list(tx, store.Range{})
		require.NoError(t, err)
		require.Equal(t, []string{"a=new", "bb=new", "c=old"}, got)
		got, err = list(tx, store.Range{To: []byte("c"), Reverse: true})
		require.NoError(t, err)
		require.Equal(t, []string{"bb=new", "a=new"}, got)
		value, err = tx.Get("t", []byte("b"))
		require.NoError(t, err)
		require.Nil(t, value)
		close(written)
		<-seen

		return nil
	}))

	require.Equal(t, []string{"a=new", "bb=new", "c=old"}, rows(t, s, p))
}

func testFailure(t *testing.T, s store.Store) {
	p := partition()
	put(t, s, p, "a", "1")
	broken := errors.New("broken")
	err := s.Update(ctx, p, func(tx store.Tx) error {
		require.NoError(t, tx.Put("t", []byte("a"), []byte("2")))
		require.NoError(t, tx.Put("new", []byte("b"), []byte("2")))
		return broken
	})
	require.ErrorIs(t, err, broken)
	require.Equal(t, []string{"a=1"}, rows(t, s, p))
	put(t, s, p, "c", "3")
	require.Equal(t, []string{"a=1", "c=3"}, rows(t, s, p))
}

func testPanic(t *testing.T, s store.Store) {
	p := partition()
	broken := errors.New("broken")
	err := s.Update(ctx, p, func(tx store.Tx) error {
		require.NoError(t, tx.Put("t", []byte("a"), []byte("2")))
		panic(broken)
	})
	var panicked *store.PanicError
	require.ErrorAs(t, err, &panicked)
	require.ErrorIs(t, err, broken)
	require.Contains(t, string(panicked.Stack), "testPanic", "the stack has the panic")
	require.Empty(t, rows(t, s, p))
	put(t, s, p, "c", "3")
	require.Equal(t, []string{"c=3"}, rows(t, s, p))
}

func testPanicOfView(t *testing.T, s store.Store) {
	p := partition()
	put(t, s, p, "a", "1")
	broken := errors.New("broken")
	err := s.View(ctx, p, func(r store.Reader) error {
		return r.Scan("t", store.Range{}, func(_, _ []byte) error { panic(broken) })
	})
	var panicked *store.PanicError
	require.ErrorAs(t, err, &panicked)
	require.ErrorIs(t, err, broken)
	require.ErrorContains(t, err, "storetest/updates.go:", "it has the location")
	require.Equal(t, []string{"a=1"}, rows(t, s, p))
}

func testGoexit(t *testing.T, s store.Store) {
	p := partition()
	err := s.Update(ctx, p, func(tx store.Tx) error {
		require.NoError(t, tx.Put("t", []byte("a"), []byte("2")))
		runtime.Goexit()
		return nil
	})
	require.Error(t, err)
	put(t, s, p, "c", "3")
	require.Equal(t, []string{"c=3"}, rows(t, s, p))
}

func testCancelledBefore(t *testing.T, s store.Store) {
	p := partition()
	put(t, s, p, "a", "1")
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	never := func() error { t.Error("the function must not run"); return nil }
	require.ErrorIs(t, s.View(canceled, p, func(store.Reader) error { return never() }), context.Canceled)
	require.ErrorIs(t, s.Update(canceled, p, func(store.Tx) error { return never() }), context.Canceled)
	_, err := s.Partitions(canceled)
	require.ErrorIs(t, err, context.Canceled)
}

// A waiting update is discarded when its context ends.
func testCancelledWaiting(t *testing.T, s store.Store) {
	p := partition()
	running, release := make(chan struct{}), make(chan struct{})
	first := make(chan error, 1)
	go func() {
		first <- s.Update(ctx, p, func(tx store.Tx) error {
			close(running)
			<-release
			return tx.Put("t", []byte("first"), []byte("1"))
		})
	}()

	<-running
	waiting, cancel := context.WithCancel(ctx)
	second := make(chan error, 1)
	go func() {
		second <- s.Update(waiting, p, func(tx store.Tx) error { return tx.Put("t", []byte("second"), nil) })
	}()
	cancel()
	require.ErrorIs(t, <-second, context.Canceled, "returns without waiting for the first")
	close(release)
	require.NoError(t, <-first)
	put(t, s, p, "third", "3")
	require.Equal(t, []string{"first=1", "third=3"}, rows(t, s, p))
}

// An update that has run returns its result even if its context was canceled.
func testCancelledRunning(t *testing.T, s store.Store) {
	p := partition()
	running, cancel := context.WithCancel(ctx)
	require.NoError(t, s.Update(running, p, func(tx store.Tx) error {
		cancel()
		return tx.Put("t", []byte("a"), []byte("1"))
	}))
	require.Equal(t, []string{"a=1"}, rows(t, s, p))
}

func testClosed(t *testing.T, s store.Store) {
	p := partition()
	put(t, s, p, "a", "1")
	require.NoError(t, s.Close())
	require.NoError(t, s.Close(), "a second Close does nothing")
	require.ErrorIs(t, s.View(ctx, p, func(store.Reader) error { return nil }), store.ErrClosed)
	require.ErrorIs(t, s.Update(ctx, p, func(store.Tx) error { return nil }), store.ErrClosed)
	_, err := s.Partitions(ctx)
	require.ErrorIs(t, err, store.ErrClosed)
}
