package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline/journal"
)

const name = "work.journal"

func open(t *testing.T, dir string) (*journal.Journal, *journal.Contents) {
	t.Helper()
	return openOn(t, journal.Dir(dir))
}

func openOn(t *testing.T, folder journal.Folder) (*journal.Journal, *journal.Contents) {
	t.Helper()
	j, found, err := journal.Open(folder, name)
	require.NoError(t, err)
	t.Cleanup(func() { _ = j.Close() })
	return j, found
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return data
}

func recordTexts(found *journal.Contents) (list []string) {
	for _, r := range found.Records {
		list = append(list, string(r))
	}
	return list
}

// writeJournal returns a directory with a journal of n appends, "r1" to "rn".
func writeJournal(t *testing.T, n int) (dir string, ends []int64) {
	t.Helper()
	dir = t.TempDir()
	j, _ := open(t, dir)
	for i := range n {
		require.NoError(t, j.Append(fmt.Appendf(nil, "r%d", i+1)))
		ends = append(ends, j.Size())
	}
	require.NoError(t, j.Close())
	return dir, ends
}

func TestAppend_SurvivesReopen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	j, found := open(t, dir)
	require.Empty(t, found.Records)
	require.NoError(t, j.Append([]byte("one")))
	require.NoError(t, j.Append([]byte("two"), nil, []byte("four")))
	require.NoError(t, j.Close())
	require.Error(t, j.Append([]byte("late")))

	j, found = open(t, dir)
	require.Equal(t, []string{"one", "two", "", "four"}, recordTexts(found))
	require.Zero(t, found.Truncated)
	require.Empty(t, found.Damage)
	require.NoError(t, j.Append([]byte("five")))
	require.NoError(t, j.Close())
	_, found = open(t, dir)
	require.Equal(t, []string{"one", "two", "", "four", "five"}, recordTexts(found))
}

func TestOpen_CutsOffUnfinishedFrame(t *testing.T) {
	t.Parallel()
	dir, ends := writeJournal(t, 3)
	whole := read(t, filepath.Join(dir, name))
	for size := ends[1]; size < ends[2]; size++ {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), whole[:size], 0o600))
		j, found := open(t, dir)
		require.Equal(t, []string{"r1", "r2"}, recordTexts(found))
		require.Equal(t, size-ends[1], found.Truncated)
		require.Empty(t, found.Damage)
		if found.Truncated > 0 {
			saved := read(t, filepath.Join(dir, name+".cut-3"))
			require.Equal(t, whole[ends[1]:size], saved)
		}
		require.NoError(t, j.Append([]byte("r3 again")))
		require.NoError(t, j.Close())
		_, found = open(t, dir)
		require.Equal(t, []string{"r1", "r2", "r3 again"}, recordTexts(found))
	}
}

func TestOpen_ReportsDamageAndReadsTheRest(t *testing.T) {
	t.Parallel()
	dir, ends := writeJournal(t, 4)
	whole := read(t, filepath.Join(dir, name))
	for at := range ends[2] {
		damaged := bytes.Clone(whole)
		damaged[at] ^= 0x40
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), damaged, 0o600))
		j, found := open(t, dir)
		require.Len(t, found.Damage, 1, "byte %d", at)
		require.EqualValues(t, 1, found.Damage[0].Lost)
		require.Zero(t, found.Truncated)
		require.Len(t, found.Records, 3)
		require.Contains(t, recordTexts(found), "r4")
		require.NoError(t, j.Append([]byte("r5")))

		require.NoError(t, j.Rewrite(found.Records...))
		require.NoError(t, j.Append([]byte("r6")))
		require.NoError(t, j.Close())
		saved := read(t, filepath.Join(dir, name+".damaged-5"))
		require.Equal(t, damaged, saved[:len(damaged)])
		_, again := open(t, dir)
		require.Empty(t, again.Damage)
		require.Len(t, again.Records, 4)
	}
}

// TestOpen_ReportsDamageAtTheEnd changes the end of a file in ways that no unfinished
// write leaves behind. The damage is reported until a Rewrite.
func TestOpen_ReportsDamageAtTheEnd(t *testing.T) {
	t.Parallel()
	dir, ends := writeJournal(t, 4)
	whole := read(t, filepath.Join(dir, name))
	flip := func(at int64) []byte {
		data := bytes.Clone(whole)
		data[at] ^= 0x40
		return data
	}
	both := bytes.Clone(whole[:len(whole)-1])
	both[ends[1]+16] ^= 1
	for damage, data := range map[string][]byte{
		"payload":       flip(int64(len(whole)) - 1),
		"checksum":      flip(ends[2] + 16),
		"number":        flip(ends[2] + 8),
		"marker":        flip(ends[2]),
		"zeros":         append(bytes.Clone(whole[:ends[2]]), make([]byte, 4096)...),
		"a zero":        append(bytes.Clone(whole[:ends[2]]), 0),
		"zeroed":        append(bytes.Clone(whole[:ends[2]]), make([]byte, len(whole)-int(ends[2]))...),
		"two frames":    both,
		"huge":          append(bytes.Clone(whole[:ends[2]+7]), 0x7f, 4, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4),
		"other writing": append(bytes.Clone(whole[:ends[2]]), "something else"...),
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, data, 0o600))
		j, found := open(t, dir)
		intact := []string{"r1", "r2", "r3"}
		if damage == "two frames" {
			intact = intact[:2]
		}
		require.Equal(t, intact, recordTexts(found), damage)
		require.Zero(t, found.Truncated, damage)
		require.Len(t, found.Damage, 1, damage)
		require.EqualValues(t, 4-len(intact), found.Damage[0].Lost, damage)
		require.NoError(t, j.Append([]byte("r5")))
		require.NoError(t, j.Close())

		j, again := open(t, dir)
		require.Equal(t, append(intact, "r5"), recordTexts(again), damage)
		require.Equal(t, found.Damage, again.Damage, damage)
		require.NoError(t, j.Rewrite(again.Records...))
		require.NoError(t, j.Close())
		_, again = open(t, dir)
		require.Empty(t, again.Damage, damage)
		saved, err := filepath.Glob(path + ".damaged-*")
		require.NoError(t, err)
		require.Len(t, saved, 1, damage)
	}
}

func TestOpen_ReportsEveryDamagedRange(t *testing.T) {
	t.Parallel()
	dir, ends := writeJournal(t, 9)
	path := filepath.Join(dir, name)
	data := read(t, path)
	clear(data[ends[0]+2 : ends[2]-1]) // r2, r3
	data[ends[5]] = 0                  // r7
	require.NoError(t, os.WriteFile(path, data, 0o600))
	_, found := open(t, dir)
	require.Equal(t, []string{"r1", "r4", "r5", "r6", "r8", "r9"}, recordTexts(found))
	require.Equal(t, []journal.Damage{{From: ends[0], To: ends[2], Lost: 2}, {From: ends[5], To: ends[6], Lost: 1}}, found.Damage)
}

func TestRewrite_ReplacesAllRecords(t *testing.T) {
	t.Parallel()
	dir, _ := writeJournal(t, 5)
	// An earlier unfinished rewrite is ignored.
	require.NoError(t, os.WriteFile(filepath.Join(dir, name+".new"), []byte("half"), 0o600))
	j, found := open(t, dir)
	require.Len(t, found.Records, 5)
	before := j.Size()
	require.NoError(t, j.Rewrite([]byte("r2"), []byte("r5")))
	require.Less(t, j.Size(), before)
	require.NoError(t, j.Append([]byte("r6")))
	require.NoError(t, j.Close())
	_, found = open(t, dir)
	require.Equal(t, []string{"r2", "r5", "r6"}, recordTexts(found))
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Len(t, files, 1)
}

func TestRewrite_Empty(t *testing.T) {
	t.Parallel()
	dir, _ := writeJournal(t, 2)
	j, _ := open(t, dir)
	require.NoError(t, j.Rewrite())
	require.Zero(t, j.Size())
	require.NoError(t, j.Append([]byte("r3")))
	require.NoError(t, j.Close())
	_, found := open(t, dir)
	require.Equal(t, []string{"r3"}, recordTexts(found))
	require.Empty(t, found.Damage)
}

var errDisk = errors.New("disk")

// A faultyFolder is a folder whose files fail with the errors it is given.
type faultyFolder struct {
	journal.Folder
	write, sync, cut error
}

type faultyFile struct {
	journal.File
	of *faultyFolder
}

func (f *faultyFolder) Open(name string) (journal.File, error) {
	file, err := f.Folder.Open(name)
	return &faultyFile{file, f}, err
}

// WriteAt writes half of p before it fails, as a full disk does.
func (f *faultyFile) WriteAt(p []byte, at int64) (int, error) {
	if f.of.write == nil {
		return f.File.WriteAt(p, at)
	}
	n, _ := f.File.WriteAt(p[:len(p)/2], at)
	return n, f.of.write
}

func (f *faultyFile) Sync() error {
	if f.of.sync != nil {
		return f.of.sync
	}
	return f.File.Sync()
}

func (f *faultyFile) Truncate(size int64) error {
	if f.of.cut != nil {
		return f.of.cut
	}
	return f.File.Truncate(size)
}

func TestAppend_FailedWriteLeavesNothing(t *testing.T) {
	t.Parallel()
	dir, _ := writeJournal(t, 2)
	disk := &faultyFolder{Folder: journal.Dir(dir)}
	j, _ := openOn(t, disk)
	disk.write = errDisk
	err := j.Append([]byte("too much"))
	require.ErrorIs(t, err, errDisk)
	require.NotErrorIs(t, err, journal.ErrUncertain)
	disk.write = nil
	require.NoError(t, j.Append([]byte("r3")))
	require.NoError(t, j.Close())
	_, found := open(t, dir)
	require.Equal(t, []string{"r1", "r2", "r3"}, recordTexts(found))
	require.Zero(t, found.Truncated)
}

func TestAppend_UncertainWriteStopsTheJournal(t *testing.T) {
	t.Parallel()
	dir, _ := writeJournal(t, 1)
	disk := &faultyFolder{Folder: journal.Dir(dir)}
	j, _ := openOn(t, disk)
	disk.sync, disk.cut = errDisk, errDisk
	require.ErrorIs(t, j.Append([]byte("perhaps")), journal.ErrUncertain)
	disk.sync, disk.cut = nil, nil
	require.ErrorIs(t, j.Append([]byte("no")), journal.ErrUncertain)
	require.ErrorIs(t, j.Rewrite(), journal.ErrUncertain)
	require.NoError(t, j.Close())
	_, found := open(t, dir)
	require.Equal(t, []string{"r1", "perhaps"}, recordTexts(found))
}

func TestTryWrite_LeavesNothing(t *testing.T) {
	t.Parallel()
	dir, _ := writeJournal(t, 2)
	disk := &faultyFolder{Folder: journal.Dir(dir)}
	j, _ := openOn(t, disk)
	disk.write = errDisk
	require.ErrorIs(t, j.TryWrite(), errDisk)
	disk.write = nil
	require.NoError(t, j.TryWrite())
	require.NoError(t, j.Append([]byte("r3")))
	require.NoError(t, j.Close())
	require.Error(t, j.TryWrite(), "the journal is closed")
	_, found := open(t, dir)
	require.Equal(t, []string{"r1", "r2", "r3"}, recordTexts(found))
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 1)
}

func TestRewrite_FailureLeavesOldRecords(t *testing.T) {
	t.Parallel()
	dir, _ := writeJournal(t, 3)
	disk := &faultyFolder{Folder: journal.Dir(dir)}
	j, found := openOn(t, disk)
	disk.write = errDisk
	require.ErrorIs(t, j.Rewrite(found.Records[1:]...), errDisk)
	disk.write = nil
	require.NoError(t, j.Append([]byte("r4")))
	require.NoError(t, j.Close())
	_, found = open(t, dir)
	require.Equal(t, []string{"r1", "r2", "r3", "r4"}, recordTexts(found))
}

// A crashingFolder ends the program before a given step.
type crashingFolder struct {
	journal.Folder
	steps int
}

type crashingFile struct {
	journal.File
	of *crashingFolder
}

var errCrash = errors.New("the program ended")

func (d *crashingFolder) step() {
	if d.steps--; d.steps < 0 {
		panic(errCrash)
	}
}

func (d *crashingFolder) Open(name string) (journal.File, error) {
	d.step()
	file, err := d.Folder.Open(name)
	return &crashingFile{file, d}, err
}

func (d *crashingFolder) Rename(from, to string) error {
	d.step()
	return d.Folder.Rename(from, to)
}

func (d *crashingFolder) Remove(name string) error {
	d.step()
	return d.Folder.Remove(name)
}

func (f *crashingFile) WriteAt(p []byte, at int64) (int, error) {
	f.of.step()
	return f.File.WriteAt(p, at)
}

func (f *crashingFile) Sync() error {
	f.of.step()
	return f.File.Sync()
}

// TestRewrite_CrashAtAnyStepLosesNothing crashes before each step of a
// Rewrite, of an intact journal and of a damaged one.
func TestRewrite_CrashAtAnyStepLosesNothing(t *testing.T) {
	t.Parallel()
	for _, damaged := range []bool{false, true} {
		done := false
		for at := 0; !done; at++ {
			dir, ends := writeJournal(t, 4)
			if damaged {
				path := filepath.Join(dir, name)
				data := read(t, path)
				data[ends[0]+3] ^= 1 // r2
				require.NoError(t, os.WriteFile(path, data, 0o600))
			}
			disk := &crashingFolder{Folder: journal.Dir(dir), steps: 1000}
			j, found := openOn(t, disk)
			before := recordTexts(found)
			func() {
				defer func() { done = recover() == nil }()
				disk.steps = at
				require.NoError(t, j.Rewrite(found.Records[1:]...))
			}()
			_ = j.Close()
			_, found = open(t, dir)
			require.Contains(t, [][]string{before, before[1:]}, recordTexts(found), "step %d, damaged %v", at, damaged)
		}
	}
}

func FuzzOpen(f *testing.F) {
	dir := f.TempDir()
	j, _, err := journal.Open(journal.Dir(dir), name)
	require.NoError(f, err)
	require.NoError(f, j.Append([]byte("one"), []byte("two")))
	require.NoError(f, j.Append([]byte("three")))
	require.NoError(f, j.Close())
	seed, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(f, err)
	f.Add(seed)
	f.Add(seed[:len(seed)-2])
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
		j, found, err := journal.Open(journal.Dir(dir), name)
		require.NoError(t, err)
		require.NoError(t, j.Append([]byte("more")))
		require.NoError(t, j.Close())
		again, after, err := journal.Open(journal.Dir(dir), name)
		require.NoError(t, err)
		require.NoError(t, again.Close())
		require.Equal(t, len(found.Records)+1, len(after.Records))
		require.Equal(t, found.Damage, after.Damage)
		require.Zero(t, after.Truncated)
	})
}
