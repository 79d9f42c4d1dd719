package proof_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/store/wal"
	"bincard/server/testenv"
)

// corruptLog damages a file of a log at random, and describes how. atEnd reports whether the
// damage reaches past the last record.
func corruptLog(t *testing.T, dir string, last diskWrite, dice *rand.Rand) (how string, atEnd bool) {
	t.Helper()
	names := []string{}
	for _, name := range wal.Files {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			names = append(names, name)
		}
	}
	name := names[dice.IntN(len(names))]
	path := filepath.Join(dir, name)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	used := len(strings.TrimRight(string(data), "\x00"))
	at := dice.IntN(used + 1)
	n := 1
	switch dice.IntN(6) {
	case 0:
		require.NoError(t, os.Remove(path))
		return name + " removed", false
	case 1:
		require.NoError(t, os.Truncate(path, int64(at)))
		return fmt.Sprintf("%s truncated at %d of %d", name, at, used), false
	case 2:
		other := wal.Files[0]
		if name == other {
			other = wal.Files[1]
		}
		require.NoError(t, os.Rename(path, filepath.Join(dir, other)))
		return name + " renamed to the other file", false
	case 3:
		n = min(len(data)-at, 1+dice.IntN(2*sector))
		clear(data[at : at+n])
		how = fmt.Sprintf("%d bytes zeroed at %d of %d", n, at, used)
	case 4:
		n = min(len(data)-at, 1+dice.IntN(2*sector))
		for i := range n {
			data[at+i] = byte(dice.Uint32())
		}
		how = fmt.Sprintf("%d bytes random at %d of %d", n, at, used)
	case 5:
		at = max(0, min(at, used-1))
		data[at] ^= 1 << dice.IntN(8)
		how = fmt.Sprintf("a bit flipped at %d of %d", at, used)
	}
	require.NoError(t, os.WriteFile(path, data, 0o600))
	return name + ": " + how, name == recordedFiles[last.file] && int64(at+n) > last.at
}

// Opening a ledger with a damaged log reports what is wrong and what to do, or returns every
// acknowledged write. Only damage of the last record looks like a loss of power.
func TestOpen_DamagedLog(t *testing.T) {
	t.Parallel()
	cases, from := testenv.DamagedLogs.Cases(t), testenv.Seed(t)
	b := recordLedger(t)
	var rejected, intact, lost atomic.Int64
	t.Cleanup(func() {
		t.Logf("%d rejected, %d intact, %d without the last record", rejected.Load(), intact.Load(), lost.Load())
	})
	for lane := range 4 {
		t.Run(fmt.Sprint("lane ", lane), func(t *testing.T) {
			t.Parallel()
			for i := lane; i < cases; i += 4 {
				seed := from + uint64(i)
				dice := rand.New(rand.NewPCG(seed, 0))
				dir := filepath.Join(t.TempDir(), "data")
				cut := b.recording.cut(dice)
				for cut > 0 && !flushesChanges(b.recording.writes, cut) {
					cut--
				}
				b.recording.lose(t, dir, cut, func(diskWrite) bool { return false }, dice)
				if files, _ := filepath.Glob(filepath.Join(dir, "*.log")); len(files) == 0 {
					continue // the cut is before the first log
				}
				how, atEnd := corruptLog(t, dir, b.recording.writes[max(0, cut-1)], dice)
				what := fmt.Sprintf("seed %d: cut in write %d, %s", seed, cut, how)
				_, err := b.open(dir, cut)
				var damage *wal.Damage
				switch {
				case err == nil:
					intact.Add(1)
				case atEnd && strings.HasSuffix(err.Error(), "is lost"):
					lost.Add(1)
				case errors.As(err, &damage):
					require.ErrorContains(t, err, "copy the whole directory", what)
					rejected.Add(1)
				default:
					require.NoError(t, err, what)
				}
				require.NoError(t, os.RemoveAll(dir))
			}
		})
	}
}

// flushesChanges reports whether write i flushes a record with changes.
func flushesChanges(writes []diskWrite, i int) bool {
	const kind = 32 // after the header
	return i > 0 && writes[i].file > 0 && writes[i].flush() && writes[i-1].file == writes[i].file &&
		len(writes[i-1].data) > kind && writes[i-1].data[kind] == 'c'
}
