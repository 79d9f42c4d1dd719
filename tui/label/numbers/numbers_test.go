package numbers_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/tui/label/numbers"
)

var day = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

func TestPattern_Formats(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[numbers.Pattern]string{
		"BC{YY}-{NNNNN}":          "BC26-00042",
		"L{YYYY}{MM}{DD}/{NN}":    "L20260302/42",
		"{N}":                     "42",
		"{NNN}-A":                 "042-A",
		"ABCDEFGHIJKLMNOPQRS{N}":  "ABCDEFGHIJKLMNOPQRS42", // Check leaves room for 0 only
		"{MM}.{DD}_{NNNN}%&'()*+": "03.02_0042%&'()*+",
	} {
		require.NoError(t, pattern.Check(), pattern)
		require.Equal(t, want, pattern.Format(42, day))
	}
	for pattern, text := range map[numbers.Pattern]string{
		"BC":                      "needs one counter like {NNNN}, and has 0",
		"{N}{NN}":                 "needs one counter like {NNNN}, and has 2",
		"{NN}{SKU}":               "unknown field {SKU}",
		"{NN":                     "needs one counter",
		"{NN}}":                   "a brace without the other",
		"Ä{NN}":                   `has "Ä"`,
		"A B{NN}":                 `has " "`,
		"ABCDEFGHIJKLMNOPQRS{NN}": "makes 21 characters",
	} {
		require.ErrorContains(t, pattern.Check(), text, pattern)
	}
}

func TestTake_ContinuesAfterTheDayAndTheDigits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	take := func(p numbers.Pattern, kind string, n int64, at time.Time) []string {
		list, err := p.Take(t.Context(), dir, kind, n, at)
		require.NoError(t, err)
		return list
	}
	require.Equal(t, []string{"L0302-1", "L0302-2"}, take("L{MM}{DD}-{N}", "lot", 2, day))
	require.Equal(t, []string{"L0303-3"}, take("L{MM}{DD}-{N}", "lot", 1, day.AddDate(0, 0, 1)))
	require.Equal(t, []string{"L0302-4"}, take("L{MM}{DD}-{N}", "lot", 1, day), "the clock went back")
	require.Equal(t, []string{"L0302-05"}, take("L{MM}{DD}-{NN}", "lot", 1, day), "the same numbers later on")
	require.Equal(t, "L0302-1", take("L{MM}{DD}-{N}", "serial", 1, day)[0])
	require.Equal(t, "X1", take("X{N}", "lot", 1, day)[0])
	list := take("X{N}", "lot", 10, day)
	require.Equal(t, "X11", list[9])
}

// Several programs share the counter.
func TestTake_NeverRepeats(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var mu sync.Mutex
	seen := map[string]bool{}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for n := range int64(10) {
				list, err := numbers.Pattern("{NNNN}").Take(t.Context(), dir, "serial", n+1, day)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				for _, number := range list {
					if seen[number] {
						t.Errorf("%s was given twice", number)
					}
					seen[number] = true
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	require.Len(t, seen, 8*55)
}

func TestTake_NoNumbersLeft(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := numbers.Pattern("ABCDEFGHIJKLMNOPQRS{N}") // one digit fits
	list, err := p.Take(t.Context(), dir, "serial", 8, day)
	require.NoError(t, err)
	require.Len(t, list[7], 20)
	_, err = p.Take(t.Context(), dir, "serial", 2, day)
	require.EqualError(t, err, "The pattern ABCDEFGHIJKLMNOPQRS{N} has fewer than 2 numbers left. Change it in labels.toml.")
	list, err = p.Take(t.Context(), dir, "serial", 1, day)
	require.NoError(t, err)
	require.Equal(t, []string{"ABCDEFGHIJKLMNOPQRS9"}, list)
}

func TestTake_DamagedFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "serial-A{N}")
	require.NoError(t, os.WriteFile(file, []byte("4x"), 0o600))
	_, err := numbers.Pattern("A{NN}").Take(t.Context(), dir, "serial", 1, day)
	require.ErrorContains(t, err, "serial-A{N} is damaged")
	require.ErrorContains(t, err, "Write the last number that was given plus 1 into it")
}
