package testenv

import (
	"flag"
	"os"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A Budget is the number of cases of a test.
type Budget struct{ Test, Long int }

// Cases returns the number of cases to run: a tenth under the race detector. It
// skips the test if there are none.
func (b Budget) Cases(t testing.TB) int {
	t.Helper()

	n := b.Test
	if Long() {
		n = b.Long
	}
	if Raced {
		n = (n + 9) / 10 // each takes ten times as long
	}

	n = int(environmentNumber(t, "BINCARD_CASES", uint64(n)))

	if n == 0 {
		t.Skip("this test runs in make test-long")
	}

	return n
}

// Long reports whether the numbers of "make test-long" are used.
func Long() bool { return os.Getenv("BINCARD_TESTS") == "long" }

// Seed returns the seed in BINCARD_SEED, or 1, and logs it: a change makes a test fail, not a day.
func Seed(t testing.TB) uint64 {
	t.Helper()
	return SeedFrom(t, 1)
}

// SeedFrom returns the seed in BINCARD_SEED, or the given one, and logs it.
func SeedFrom(t testing.TB, seed uint64) uint64 {
	t.Helper()

	seed = environmentNumber(t, "BINCARD_SEED", seed)
	t.Logf("BINCARD_SEED=%d", seed)
	return seed
}

// rapidFlags guards the flags of package rapid, which reads them before the
// first case.
var rapidFlags sync.Mutex

// Check checks a property with random cases.
func (b Budget) Check(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	cases, seed := b.Cases(t), Seed(t)

	rapidFlags.Lock()
	unlock := sync.OnceFunc(rapidFlags.Unlock)
	defer unlock()
	require.NoError(t, flag.Set("rapid.checks", strconv.Itoa(cases)))
	require.NoError(t, flag.Set("rapid.seed", strconv.FormatUint(seed, 10)))

	rapid.Check(t, func(r *rapid.T) {
		unlock()
		property(r)
	})
}

// environmentNumber returns the number in an environment variable, or otherwise if it is
// not set.
func environmentNumber(t testing.TB, variable string, otherwise uint64) uint64 {
	t.Helper()

	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}

	n, err := strconv.ParseUint(text, 10, 63)
	require.NoError(t, err, variable)

	return n
}
