package boltstore_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	bolt "go.etcd.io/bbolt"

	"bincard/server/store"
	"bincard/server/store/boltstore"
	"bincard/server/store/wal"
)

// filesIn lists the files in a directory.
func filesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// copyOfKilled copies the files of an open store as if its process had been killed. It
// repeats until they do not change, because a checkpoint may be running.
func copyOfKilled(t *testing.T, dir string) string {
	t.Helper()
	files := contents(t, dir)
	for again := contents(t, dir); !maps.Equal(files, again); again = contents(t, dir) {
		files = again
	}
	to := t.TempDir()
	for name, data := range files {
		require.NoError(t, os.WriteFile(filepath.Join(to, name), []byte(data), 0o600))
	}
	return to
}

// contents returns the contents of the database and its log by file name.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, name := range append([]string{boltstore.File}, wal.Files[:]...) {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if os.IsNotExist(err) {
			continue
		}
		require.NoError(t, err)
		files[name] = string(data)
	}
	return files
}

func TestClose_LeavesOnlyTheDatabase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	require.Equal(t, []string{"ledger.db", "ledger.owner"}, filesIn(t, dir), "reading needs no log")
	require.NoError(t, put(t, s, "a", nil))
	require.Equal(t, []string{"ledger-1.log", "ledger.db", "ledger.owner"}, filesIn(t, dir))
	require.Positive(t, s.LogBytes())
	require.NoError(t, s.Close())
	require.Equal(t, []string{"ledger.db"}, filesIn(t, dir))

	db, err := bolt.Open(filepath.Join(dir, boltstore.File), 0o600, nil)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	require.NoError(t, db.View(func(tx *bolt.Tx) error {
		rows := 0
		err := tx.ForEach(func(_ []byte, b *bolt.Bucket) error { rows += b.Stats().KeyN; return nil })
		require.Equal(t, 2, rows, "the row, and the mark of the log")
		return err
	}))
}

func TestOpen_ReplaysLog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	defer s.Close()
	want := []string{}
	for round := range 3 {
		for i := range 50 {
			key := fmt.Sprintf("%d-%02d", round, i)
			require.NoError(t, put(t, s, key, make([]byte, 100)))
			want = append(want, key)
		}
		again := open(t, copyOfKilled(t, dir))
		require.Equal(t, want, keys(t, again))
		require.NoError(t, put(t, again, "z", nil))
		require.NoError(t, again.Check())
		require.Zero(t, again.LogBytes(), "Check moves everything to the database")
		require.Equal(t, append(slices.Clone(want), "z"), keys(t, again))
		require.NoError(t, again.Close())
	}
}

// A write that has no space for another file of the log uses the existing one again, and
// without one it fails.
func TestUpdate_NoSpaceForLog(t *testing.T) {
	t.Parallel()
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Skipf("the system has no file that is always full: %v", err)
	}
	fill := func(dir, name string) { require.NoError(t, os.Symlink(full, filepath.Join(dir, name))) }

	dir := t.TempDir()
	s := openWith(t, dir, boltstore.Options{CheckpointBytes: 1, NoSync: true})
	defer func() { require.NoError(t, s.Close()) }()
	fill(dir, wal.Files[1])
	var want []string
	for i := range 300 { // sometimes the checkpointer notices first
		want = append(want, fmt.Sprintf("%03d", i))
		require.NoError(t, put(t, s, want[i], nil))
	}
	require.Equal(t, want, keys(t, s))

	dir = t.TempDir()
	none := open(t, dir)
	defer func() { require.NoError(t, none.Close()) }()
	fill(dir, wal.Files[0])
	require.ErrorIs(t, put(t, none, "a", nil), boltstore.ErrFull)
	require.Empty(t, keys(t, none))
}

func TestOpen_MissingLog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	defer s.Close()
	require.NoError(t, put(t, s, "a", nil))
	copied := copyOfKilled(t, dir)
	for _, name := range wal.Files { // a slow machine may already use the second file
		require.NoError(t, os.RemoveAll(filepath.Join(copied, name)))
	}
	_, err := boltstore.Open(copied, boltstore.Options{})
	require.ErrorContains(t, err, "the latest acknowledged changes")
	require.Equal(t, []string{"ledger.db"}, filesIn(t, copied), "nothing was changed")
}

// A backup opens without a log and is consistent even if a checkpoint runs meanwhile.
func TestBackup_DuringCheckpoints(t *testing.T) {
	t.Parallel()
	s := openWith(t, t.TempDir(), boltstore.Options{CheckpointBytes: 2 << 10, NoSync: true})
	defer s.Close()
	stop, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				ended <- nil
				return
			default:
			}
			err := s.Update(ctx, p, func(tx store.Tx) error {
				for _, table := range []string{"t", "a", "z"} {
					if err := tx.Put(table, []byte("n"), fmt.Append(nil, i)); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				ended <- err
				return
			}
		}
	}()
	for range 20 {
		dir := t.TempDir()
		copied, err := os.Create(filepath.Join(dir, boltstore.File))
		require.NoError(t, err)
		require.NoError(t, s.Backup(copied))
		require.NoError(t, copied.Close())
		again := open(t, dir)
		seen := map[string]bool{}
		require.NoError(t, again.View(ctx, p, func(r store.Reader) error {
			for _, table := range []string{"t", "a", "z"} {
				value, err := r.Get(table, []byte("n"))
				require.NoError(t, err)
				seen[string(value)] = true
			}
			return nil
		}))
		require.Len(t, slices.Collect(maps.Keys(seen)), 1)
		require.NoError(t, again.Close())
	}
	close(stop)
	require.NoError(t, <-ended)
}
