package boltstore_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	bolt "go.etcd.io/bbolt"

	"bincard/server/store"
	"bincard/server/store/boltstore"
	"bincard/server/store/storetest"
	"bincard/server/testenv"
)

// A missing or empty database is an error if the directory has other files of a ledger.
func TestOpen_MissingDatabase(t *testing.T) {
	t.Parallel()
	for _, rest := range []string{"ledger.owner", "ledger-1.log", "ledger-2.log", "ledger.sock"} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, rest), []byte("x"), 0o600))
		_, err := boltstore.Open(dir, boltstore.Options{})
		require.ErrorContains(t, err, "is missing, but its file "+rest)
		require.ErrorContains(t, err, "from a backup")
		require.NoFileExists(t, filepath.Join(dir, boltstore.File), "and no new one was created")
		require.NoError(t, os.WriteFile(filepath.Join(dir, boltstore.File), nil, 0o600))
		_, err = boltstore.Open(dir, boltstore.Options{})
		require.ErrorContains(t, err, "is empty, but its file "+rest)
	}
}

func TestStore(t *testing.T) {
	t.Parallel()
	storetest.RunDurable(t, testenv.BoltHistories, func(t *testing.T, dir string) store.Store { return open(t, dir) })
}

// With such a short log every commit starts a generation and waits for the previous one to
// be moved.
func TestStore_ShortLog(t *testing.T) {
	t.Parallel()
	storetest.RunDurable(t, testenv.BoltHistories, func(t *testing.T, dir string) store.Store {
		s := openWith(t, dir, boltstore.Options{CheckpointBytes: 1, NoSync: true})
		return s
	})
}

// With a size limit every commit goes to the database directly.
func TestStore_MaxSize(t *testing.T) {
	t.Parallel()
	storetest.RunDurable(t, testenv.BoltHistories, func(t *testing.T, dir string) store.Store {
		s := openWith(t, dir, boltstore.Options{MaxSize: 1 << 30, NoSync: true})
		return s
	})
}

// Pages of an append-only table are filled completely, even if each update adds one row.
func TestStore_FillsAppendedPages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openWith(t, dir, boltstore.Options{NoSync: true})
	for i := range 1000 {
		require.NoError(t, put(t, s, fmt.Sprintf("%08d", i), make([]byte, 200)))
	}
	require.NoError(t, s.Close())
	db, err := bolt.Open(filepath.Join(dir, boltstore.File), 0o600, nil)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	require.NoError(t, db.View(func(tx *bolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bolt.Bucket) error {
			stats := b.Stats()
			if !bytes.HasPrefix(name, p.Organization[:]) {
				return nil // the mark of the log
			}
			require.Equal(t, 1000, stats.KeyN)
			require.Greater(t, float64(stats.LeafInuse), 0.8*float64(stats.LeafAlloc))
			return nil
		})
	}))
}

func openWith(t testing.TB, dir string, opts boltstore.Options) *boltstore.Store {
	t.Helper()
	s, err := boltstore.Open(dir, opts)
	require.NoError(t, err)
	return s
}

func open(t testing.TB, dir string) *boltstore.Store {
	t.Helper()
	s := openWith(t, dir, boltstore.Options{})
	return s
}
