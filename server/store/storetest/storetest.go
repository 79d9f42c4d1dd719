// Package storetest is the suite that every backend of store passes.
package storetest

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/store"
)

// Run runs the suite on stores that open makes, each empty, and closes them.
func Run(t *testing.T, open func(t *testing.T) store.Store) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			t.Cleanup(func() { require.NoError(t, s.Close()) })
			c.run(t, s)
		})
	}
}

// RunDurable runs the suite, and what a store that outlives its process must
// hold as well. open opens what it opened under the same name before.
func RunDurable(t *testing.T, open func(t *testing.T, name string) store.Store) {
	Run(t, func(t *testing.T) store.Store { return open(t, t.TempDir()) })
	t.Run("reopened", func(t *testing.T) {
		t.Parallel()
		testReopened(t, open)
	})
}

var cases = []struct {
	name string
	run  func(t *testing.T, s store.Store)
}{
	{"rows", testRows},
	{"ranges", testRanges},
	{"a scan ends early", testStop},
	{"keys that are none", testKeys},
	{"large values", testLarge},
	{"a transaction reads what it wrote", testOwnWrites},
	{"partitions are apart", testApart},
	{"partitions are listed", testPartitions},
	{"a failure leaves no trace", testFailure},
	{"a panic leaves no trace", testPanic},
	{"a panic of a view is its error", testPanicOfView},
	{"an ended goroutine leaves no trace", testGoexit},
	{"a view is one instant", testSnapshot},
	{"concurrent updates lose nothing", testConcurrent},
	{"failures among concurrent updates", testMixed},
	{"cancelled before", testCancelledBefore},
	{"cancelled while waiting", testCancelledWaiting},
	{"cancelled while running", testCancelledRunning},
	{"closed", testClosed},
	{"close finishes what waits", testCloseDrains},
	{"generated histories", testHistories},
	{"tables", testTable},
	{"tables share rows", testShared},
}

var ctx = context.Background()

// partition is one that nobody else uses.
func partition() store.Partition {
	return store.Partition{Organization: uuid.New(), Environment: "live"}
}

// put writes key-value pairs to table "t".
func put(t testing.TB, s store.Store, p store.Partition, pairs ...string) {
	t.Helper()
	require.NoError(t, s.Update(ctx, p, func(tx store.Tx) error {
		for i := 0; i < len(pairs); i += 2 {
			if err := tx.Put("t", []byte(pairs[i]), []byte(pairs[i+1])); err != nil {
				return err
			}
		}
		return nil
	}))
}

// get reads the value of a key of table "t", or "none".
func get(t testing.TB, s store.Store, p store.Partition, key string) string {
	t.Helper()
	var value string
	require.NoError(t, s.View(ctx, p, func(r store.Reader) (err error) {
		value, err = read(r, key)
		return err
	}))
	return value
}

func read(r store.Reader, key string) (string, error) {
	value, err := r.Get("t", []byte(key))
	if value == nil {
		return "none", err
	}
	return string(value), err
}

// list renders a range of table "t".
func list(r store.Reader, rng store.Range) ([]string, error) {
	rows := []string{}
	err := r.Scan("t", rng, func(key, value []byte) error {
		rows = append(rows, fmt.Sprintf("%s=%s", key, value))
		return nil
	})
	return rows, err
}

// rows lists all of table "t".
func rows(t testing.TB, s store.Store, p store.Partition) []string {
	t.Helper()
	var all []string
	require.NoError(t, s.View(ctx, p, func(r store.Reader) (err error) {
		all, err = list(r, store.Range{})
		return err
	}))
	return all
}
