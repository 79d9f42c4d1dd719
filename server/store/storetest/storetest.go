// Package storetest has the tests that every store backend must pass.
package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bincard/server/store"
	"bincard/server/testenv"
)

// Run runs the tests. open returns an empty store, which Run closes. histories is the number
// of random histories of each kind.
func Run(t *testing.T, histories testenv.Budget, open func(t *testing.T) store.Store) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			t.Cleanup(func() { require.NoError(t, s.Close()) })
			c.run(t, s)
		})
	}

	for _, c := range random {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			t.Cleanup(func() { require.NoError(t, s.Close()) })
			histories.Check(t, func(r *rapid.T) { c.run(r, s) })
		})
	}
}

// RunDurable runs the tests for a durable store. open opens the store with a name, again
// if it existed before.
func RunDurable(t *testing.T, histories testenv.Budget, open func(t *testing.T, name string) store.Store) {
	Run(t, histories, func(t *testing.T) store.Store { return open(t, t.TempDir()) })
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
	{"scan stops early", testStop},
	{"invalid keys", testKeys},
	{"large values", testLarge},
	{"a transaction reads its own writes", testOwnWrites},
	{"partitions are separate", testApart},
	{"partitions are listed", testPartitions},
	{"failed update", testFailure},
	{"panic in an update", testPanic},
	{"panic in a view", testPanicOfView},
	{"Goexit in an update", testGoexit},
	{"a view is consistent", testSnapshot},
	{"concurrent updates", testConcurrent},
	{"failures among concurrent updates", testMixed},
	{"canceled before", testCancelledBefore},
	{"canceled while waiting", testCancelledWaiting},
	{"canceled while running", testCancelledRunning},
	{"closed", testClosed},
	{"close finishes waiting updates", testCloseDrains},
	{"shared rows of tables", testShared},
}

var random = []struct {
	name string
	run  func(r *rapid.T, s store.Store)
}{
	{"generated histories", testHistory},
	{"tables", testTable},
}
