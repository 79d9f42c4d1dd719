package storetest

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/store"
	"bincard/server/testenv"
)

// raise adds n to the number stored under key.
func raise(tx store.Tx, key string, n int) error {
	text, err := tx.Get("t", []byte(key))
	if err != nil {
		return err
	}
	before, _ := strconv.Atoi(string(text))
	return tx.Put("t", []byte(key), []byte(strconv.Itoa(before+n)))
}

// together runs fn(0) to fn(n-1) concurrently and joins their errors.
func together(n int, fn func(i int) error) error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { errs[i] = fn(i) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

func testConcurrent(t *testing.T, s store.Store) {
	const writers = 16
	times := testenv.ConcurrentUpdates.Cases(t)
	p, q := partition(), partition()
	require.NoError(t, together(writers, func(i int) error {
		for n := range times {
			for _, p := range []store.Partition{p, q} {
				err := s.Update(ctx, p, func(tx store.Tx) error {
					own := fmt.Sprintf("own %02d %02d", i, n)
					return errors.Join(raise(tx, "all", 1), tx.Put("t", []byte(own), nil))
				})
				if err != nil {
					return err
				}
			}
		}

		return nil
	}))

	for _, p := range []store.Partition{p, q} {
		require.Equal(t, strconv.Itoa(writers*times), get(t, s, p, "all"))
		require.Len(t, rows(t, s, p), writers*times+1)
	}
}

// Failing updates share their batches with successful ones.
func testMixed(t *testing.T, s store.Store) {
	const writers = 60
	p := partition()
	broken := errors.New("broken")
	err := together(writers, func(i int) error {
		err := s.Update(ctx, p, func(tx store.Tx) error {
			if err := raise(tx, "all", 1); err != nil {
				return err
			}

			switch i % 3 {
			case 0:
				return broken
			case 1:
				panic(broken)
			}

			return nil
		})

		if failed := i%3 != 2; failed != errors.Is(err, broken) || !failed && err != nil {
			return fmt.Errorf("update %d returned %w", i, err)
		}

		return nil
	})

	require.NoError(t, err)
	require.Equal(t, strconv.Itoa(writers/3), get(t, s, p, "all"))
}

// A view sees both rows of a transfer or neither, however often it reads.
func testSnapshot(t *testing.T, s store.Store) {
	const total = 1000
	p := partition()
	put(t, s, p, "a", strconv.Itoa(total), "z", "0")
	stop := make(chan struct{})
	moved := make(chan error, 1)
	go func() {
		for {
			select {
			case <-stop:
				moved <- nil
				return
			default:
			}

			err := s.Update(ctx, p, func(tx store.Tx) error {
				return errors.Join(raise(tx, "a", -1), raise(tx, "z", 1))
			})
			if err != nil {
				moved <- err
				return
			}
		}
	}()

	sum := func(r store.Reader) (a, all int) {
		require.NoError(t, r.Scan("t", store.Range{}, func(key, value []byte) error {
			n, err := strconv.Atoi(string(value))
			if all += n; string(key) == "a" {
				a = n
			}
			return err
		}))

		return a, all
	}

	for range testenv.SnapshotViews.Cases(t) {
		require.NoError(t, s.View(ctx, p, func(r store.Reader) error {
			first, all := sum(r)
			require.Equal(t, total, all)
			again, all := sum(r)
			require.Equal(t, total, all)
			require.Equal(t, first, again)
			return nil
		}))
	}

	close(stop)
	require.NoError(t, <-moved)
}

// Updates accepted before Close still complete.
func testCloseDrains(t *testing.T, s store.Store) {
	p := partition()
	running, release := make(chan struct{}), make(chan struct{})
	first := make(chan error, 1)
	go func() {
		first <- s.Update(ctx, p, func(tx store.Tx) error {
			close(running)
			<-release
			return tx.Put("t", []byte("a"), nil)
		})
	}()

	<-running
	closed := make(chan error, 1)
	go func() { closed <- s.Close() }()
	close(release)
	require.NoError(t, <-first)
	require.NoError(t, <-closed)
	require.ErrorIs(t, s.Update(ctx, p, func(store.Tx) error { return nil }), store.ErrClosed)
}

func testReopened(t *testing.T, open func(t *testing.T, name string) store.Store) {
	name, p, q := t.TempDir(), partition(), partition()
	s := open(t, name)
	put(t, s, p, "a", "1", "b", "2")
	put(t, s, q, "a", "3")
	require.NoError(t, s.Update(ctx, p, func(tx store.Tx) error { return tx.Delete("t", []byte("b")) }))
	require.NoError(t, s.Close())

	s = open(t, name)
	require.Equal(t, []string{"a=1"}, rows(t, s, p))
	require.Equal(t, []string{"a=3"}, rows(t, s, q))
	put(t, s, p, "c", "4")
	require.NoError(t, s.Close())

	s = open(t, name)
	require.Equal(t, []string{"a=1", "c=4"}, rows(t, s, p))
	all, err := s.Partitions(ctx)
	require.NoError(t, err)
	require.ElementsMatch(t, []store.Partition{p, q}, all)
	require.NoError(t, s.Close())
}
