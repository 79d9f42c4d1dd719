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

	"bincard/server/store/redo"
)

// corruptLog damages one file of a log at random and says how, and whether up to
// the end of the last record.
func corruptLog(t *testing.T, dir string, last diskWrite, dice *rand.Rand) (how string, toTheEnd bool) {
	t.Helper()
	names := []string{}
	for _, name := range redo.Files {
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
		return fmt.Sprintf("%s cut at %d of %d", name, at, used), false
	case 2:
		other := redo.Files[0]
		if name == other {
			other = redo.Files[1]
		}
		require.NoError(t, os.Rename(path, filepath.Join(dir, other)))
		return name + " in the place of the other one", false
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

// TestDamagedLogs damages the log that a ledger was killed with: it says what
// is wrong and what to do, or everything that was answered is there. Damage up
// to the end of the last record alone looks like a loss of power.
func TestDamagedLogs(t *testing.T) {
	t.Parallel()
	b := recordLedger(t, cases(150, 400))
	var refused, well, lost atomic.Int64
	t.Cleanup(func() { t.Logf("%d refused, %d well, %d without their end", refused.Load(), well.Load(), lost.Load()) })
	for lane := range 4 {
		t.Run(fmt.Sprint("lane ", lane), func(t *testing.T) {
			t.Parallel()
			for range cases(60, 1000) / 4 {
				seed := rand.Uint64()
				dice := rand.New(rand.NewPCG(seed, 0))
				dir := filepath.Join(t.TempDir(), "data")
				cut := b.recording.cut(dice)
				for cut > 0 && !flushesChanges(b.recording.writes, cut) {
					cut--
				}
				b.recording.lose(t, dir, cut, func(diskWrite) bool { return false }, dice)
				if files, _ := filepath.Glob(filepath.Join(dir, "*.log")); len(files) == 0 {
					continue // it was cut before there was a log
				}
				how, toTheEnd := corruptLog(t, dir, b.recording.writes[max(0, cut-1)], dice)
				what := fmt.Sprintf("seed %d: cut in stroke %d, %s", seed, cut, how)
				_, err := b.open(dir, cut)
				var words *redo.Damage
				switch {
				case err == nil:
					well.Add(1)
				case toTheEnd && strings.HasSuffix(err.Error(), "is lost"):
					lost.Add(1)
				case errors.As(err, &words):
					require.ErrorContains(t, err, "copy the whole directory", what)
					refused.Add(1)
				default:
					require.NoError(t, err, what)
				}
				require.NoError(t, os.RemoveAll(dir))
			}
		})
	}
}

// flushesChanges tells whether a stroke flushes a record with changes.
func flushesChanges(strokes []diskWrite, i int) bool {
	const kind = 32 // after the head
	return i > 0 && strokes[i].file > 0 && strokes[i].flush() && strokes[i-1].file == strokes[i].file &&
		len(strokes[i-1].data) > kind && strokes[i-1].data[kind] == 'c'
}
