package boltstore_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/store"
	"bincard/server/store/boltstore"
)

var (
	ctx = context.Background()
	p   = store.Partition{Organization: uuid.New(), Environment: "live"}
)

func put(t testing.TB, s *boltstore.Store, key string, value []byte) error {
	t.Helper()
	return s.Update(ctx, p, func(tx store.Tx) error { return tx.Put("t", []byte(key), value) })
}

func keys(t testing.TB, s *boltstore.Store) []string {
	t.Helper()
	list := []string{}
	require.NoError(t, s.View(ctx, p, func(r store.Reader) error {
		return r.Scan("t", store.Range{}, func(key, _ []byte) error {
			list = append(list, string(key))
			return nil
		})
	}))
	return list
}

func TestBackup(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "backup-1.tmp"), nil, 0o600))
	s := open(t, dir)
	defer func() { require.NoError(t, s.Close()) }()
	require.NoError(t, put(t, s, "before", nil))
	var copied bytes.Buffer
	require.NoError(t, s.Backup(&copied))
	require.NoError(t, put(t, s, "after", nil))
	require.NoError(t, s.Check())
	copies, err := filepath.Glob(filepath.Join(dir, "backup-*"))
	require.NoError(t, err)
	require.Empty(t, copies, "the temporary files are removed")

	restored := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(restored, boltstore.File), copied.Bytes(), 0o600))
	s2 := open(t, restored)
	defer func() { require.NoError(t, s2.Close()) }()
	require.NoError(t, s2.Check())
	require.Equal(t, []string{"before"}, keys(t, s2))
}

func TestUpdate_MaxSizeExceeded(t *testing.T) {
	t.Parallel()
	s := openWith(t, t.TempDir(), boltstore.Options{MaxSize: 1 << 20})
	defer func() { require.NoError(t, s.Close()) }()
	require.NoError(t, put(t, s, "a", nil))
	require.ErrorIs(t, put(t, s, "large", make([]byte, 2<<20)), boltstore.ErrFull)
	require.NoError(t, put(t, s, "b", nil), "smaller updates still succeed")
	require.Equal(t, []string{"a", "b"}, keys(t, s))
	require.NoError(t, s.Check())
}

// A file that a disk failure has damaged is reported, never a crash.
func TestOpen_DamagedFile(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func([]byte) []byte{
		"keys out of order": func(data []byte) []byte {
			rows := bytes.Repeat([]byte("b"), 3001)
			return bytes.ReplaceAll(data, rows, append([]byte("z"), rows[1:]...))
		},
		"truncated":              func(data []byte) []byte { return data[:5*os.Getpagesize()] },
		"truncated to 100 bytes": func(data []byte) []byte { return data[:100] },
		"not a database":         func([]byte) []byte { return bytes.Repeat([]byte("x"), 5*os.Getpagesize()) },
		"meta pages missing": func(data []byte) []byte {
			return append(make([]byte, 2*os.Getpagesize()), data[2*os.Getpagesize():]...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := open(t, dir)
			for _, key := range []string{"a", "b", "c", "d", "e"} {
				require.NoError(t, put(t, s, key, bytes.Repeat([]byte(key), 3000)))
			}
			require.NoError(t, s.Close())
			path := filepath.Join(dir, boltstore.File)
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			damaged := damage(bytes.Clone(data))
			require.NotEqual(t, data, damaged)
			require.NoError(t, os.WriteFile(path, damaged, 0o600))
			_, err = boltstore.Open(dir, boltstore.Options{})
			require.ErrorContains(t, err, path)

			require.NoError(t, os.Remove(path)) // like restoring a backup
			require.NoError(t, os.WriteFile(path, data, 0o600))
			s = open(t, dir)
			require.Equal(t, []string{"a", "b", "c", "d", "e"}, keys(t, s))
			require.NoError(t, s.Close())
		})
	}
}

func TestOpen_FileModes(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Unix file modes")
	}
	dir := filepath.Join(t.TempDir(), "a", "b")
	s := open(t, dir)
	defer func() { require.NoError(t, s.Close()) }()
	for name, want := range map[string]os.FileMode{".": 0o700, boltstore.File: 0o600, "ledger.owner": 0o600} {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Equal(t, want, info.Mode().Perm(), name)
	}
}

func TestView_EnvironmentTooLong(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir())
	defer func() { require.NoError(t, s.Close()) }()
	long := store.Partition{Environment: string(make([]byte, 256))}
	require.ErrorContains(t, s.View(ctx, long, func(store.Reader) error { return nil }), "256 bytes; the maximum is 255")
	require.ErrorContains(t, s.Update(ctx, long, func(store.Tx) error { return nil }), "256 bytes; the maximum is 255")
}
