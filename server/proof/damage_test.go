package proof_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/demo"
	"bincard/server/store/boltstore"
)

// ledgerFile is the database of a ledger after a month of work, without the
// room at its end.
func ledgerFile(t *testing.T) (data []byte, size int64) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "demo")
	require.NoError(t, demo.Make(t.Context(), dir, time.Now()))
	data, err := os.ReadFile(filepath.Join(dir, boltstore.File))
	require.NoError(t, err)
	return bytes.TrimRight(data, "\x00"), int64(len(data))
}

// hurt damages the data at random and says how.
func hurt(data []byte, dice *rand.Rand) ([]byte, string) {
	page := os.Getpagesize()
	pages := len(data) / page
	some := func() int { // the first pages more often: all else hangs on them
		if dice.IntN(4) == 0 {
			return dice.IntN(min(6, pages))
		}
		return dice.IntN(pages)
	}
	switch dice.IntN(8) {
	case 0, 1, 2:
		n := 1 << dice.IntN(8)
		p := some()
		for range n {
			data[p*page+dice.IntN(page)] ^= 1 << dice.IntN(8)
		}
		return data, fmt.Sprintf("%d bits flipped in page %d", n, p)
	case 3:
		p := some()
		at := p*page + dice.IntN(160) // heads and elements
		data[at] = byte(dice.Uint32())
		return data, fmt.Sprintf("byte %d of page %d changed", at%page, p)
	case 4:
		p := some()
		clear(data[p*page : (p+1)*page])
		return data, fmt.Sprintf("page %d zeroed", p)
	case 5:
		a, b := some(), some()
		old := bytes.Clone(data[a*page : (a+1)*page])
		copy(data[a*page:(a+1)*page], data[b*page:(b+1)*page])
		copy(data[b*page:(b+1)*page], old)
		return data, fmt.Sprintf("pages %d and %d swapped", a, b)
	case 6:
		p := some()
		for i := range page {
			data[p*page+i] = byte(dice.Uint32())
		}
		return data, fmt.Sprintf("page %d random", p)
	}
	n := dice.IntN(len(data))
	return data[:n], fmt.Sprintf("cut at %d of %d bytes", n, len(data))
}

// TestDamagedFiles damages the file of a ledger in many ways and lets the real
// program open it: it says what is wrong and what to do, or it works.
func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	data, size := ledgerFile(t)
	var mu sync.Mutex
	outcomes := map[string]int{}
	t.Cleanup(func() { t.Logf("%d bytes in use; %v", len(data), outcomes) })
	lanes := 4
	for lane := range lanes {
		t.Run(fmt.Sprint("lane ", lane), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for range cases(48, 1000) / lanes {
				seed := rand.Uint64()
				dice := rand.New(rand.NewPCG(seed, 0))
				worse, how := hurt(bytes.Clone(data), dice)
				what := fmt.Sprintf("seed %d: %s", seed, how)
				path := filepath.Join(dir, boltstore.File)
				require.NoError(t, os.WriteFile(path, worse, 0o600))
				if len(worse) == len(data) {
					require.NoError(t, os.Truncate(path, size))
				}
				outcome := judge(t, what, dir)
				mu.Lock()
				outcomes[outcome]++
				mu.Unlock()
			}
		})
	}
}

// judge lets the program verify what is there and tells how it ended.
func judge(t *testing.T, what, dir string) string {
	t.Helper()
	began := time.Now()
	status, words := run(t, "verify", "--pages", "--data", dir)
	if took := time.Since(began); took > 2*time.Second {
		t.Logf("%s: took %s", what, took)
	}
	for _, crash := range []string{"panic", "goroutine ", "SIGBUS", "SIGSEGV", "fatal error", "runtime error", "unexpected fault"} {
		if strings.Contains(words, crash) {
			t.Errorf("%s: the program crashed:\n%.2000s", what, words)
			return "crashed"
		}
	}
	switch {
	case status == 0:
		return "works"
	case status != 1 || !strings.Contains(words, "bincard: ") || !strings.Contains(words, "keep a copy"):
		t.Errorf("%s: status %d, and no word of what to do:\n%.2000s", what, status, words)
		return "silent"
	case strings.Contains(words, "is damaged"):
		return "refused"
	}
	return "does not add up"
}
