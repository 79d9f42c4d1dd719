package printing_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/tui/label/printing"
)

var day = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

func TestPattern_Formats(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[printing.NumberPattern]string{
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
	for pattern, text := range map[printing.NumberPattern]string{
		"BC":                       "needs one counter like {NNNN}, and has 0",
		"{N}{NN}":                  "needs one counter like {NNNN}, and has 2",
		"{NN}{SKU}":                "unknown field {SKU}",
		"{NN":                      "needs one counter",
		"{NN}}":                    "a brace without the other",
		"Ä{NN}":                    `has "Ä"`,
		"A B{NN}":                  `has " "`,
		"ABCDEFGHIJKLMNOPQRS{NN}":  "makes 21 characters",
		"{terminal}{N}":            "needs a character like - between {terminal} and {N}",
		"{terminal}{YY}7{NNN}":     "needs a character like - between {terminal} and {NNN}",
		"{NN}{DD}{terminal}":       "needs a character like - between {terminal} and {NN}",
		"{terminal}-{N}{terminal}": "has {terminal} more than once",
		"{Terminal}-{N}":           "unknown field {Terminal}",
	} {
		require.ErrorContains(t, pattern.Check(), text, pattern)
	}
}

func TestTake_ContinuesAfterTheDayAndTheDigits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	take := func(p printing.NumberPattern, kind string, n int64, at time.Time) []string {
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
				list, err := printing.NumberPattern("{NNNN}").Take(t.Context(), dir, "serial", n+1, day)
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
	p := printing.NumberPattern("ABCDEFGHIJKLMNOPQRS{N}") // one digit fits
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
	_, err := printing.NumberPattern("A{NN}").Take(t.Context(), dir, "serial", 1, day)
	require.ErrorContains(t, err, "serial-A{N} is damaged")
	require.ErrorContains(t, err, "Replace its contents with the last number used plus 1")
}

func TestFor_HasTheNameOfTheTerminal(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[printing.NumberPattern]string{
		"BC{NNN}":                "BC007",
		"{terminal}-{NNN}":       "P-2-007",
		"{YY}{N}/{terminal}":     "267/P-2",
		"L{terminal}{YY}.{N}":    "LP-226.7",
		"{MM}{terminal}A{DD}{N}": "03P-2A027",
	} {
		require.NoError(t, pattern.Check(), pattern)
		own, err := pattern.For("P-2")
		require.NoError(t, err)
		require.Equal(t, want, own.Format(7, day))
	}
	for name, text := range map[string]string{
		"":                    "makes 10 characters with the name of this terminal, ;",
		"packing station":     "has characters that GS1 barcodes cannot have. Set terminal in labels.toml.",
		"{N}":                 "has characters that GS1 barcodes cannot have",
		"Kühlhaus":            "has characters that GS1 barcodes cannot have",
		"packing-2.depot.com": "makes 29 characters with the name of this terminal, packing-2.depot.com; GS1 barcodes have at most 20. Set a shorter terminal",
	} {
		_, err := printing.NumberPattern("BC-{terminal}-{NNNNNN}").For(name)
		require.ErrorContains(t, err, text, name)
	}
}

// Terminals with one pattern give no number twice, whatever their names are.
func TestFor_TerminalsNeverRepeat(t *testing.T) {
	t.Parallel()
	parts := []string{"", "{YY}", "1", "A", "-"}
	checked := 0
	for i := range 2 * len(parts) * len(parts) * len(parts) {
		ends := []string{"{terminal}", "{N}"}
		first, second, last := parts[i%len(parts)], parts[i/len(parts)%len(parts)], parts[i/len(parts)/len(parts)%len(parts)]
		if i%2 == 0 {
			ends = []string{"{N}", "{terminal}"}
		}
		p := printing.NumberPattern(ends[0] + first + second + ends[1] + last)
		if p.Check() != nil {
			continue
		}
		checked++
		given := map[string]string{}
		for _, name := range []string{"A", "A1", "1", "11", "A-", "A-1", "-", "1A", "26"} {
			own, err := p.For(name)
			require.NoError(t, err)
			for n := range int64(130) {
				for _, at := range []time.Time{day, day.AddDate(-15, 0, 0)} {
					number := own.Format(n+1, at)
					if before, ok := given[number]; ok && before != name {
						require.Fail(t, "repeated", "%s gives %s at %s and %s", p, number, before, name)
					}
					given[number] = name
				}
			}
		}
	}
	require.Greater(t, checked, 80)
}
