package boltstore_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/store"
	"bincard/server/store/boltstore"
)

// hideDamage damages a page of a closed database so that nobody sees it by the time
// of the file, as a disk does.
func hideDamage(t *testing.T, hurt func(data []byte, root, branch int)) (dir string) {
	t.Helper()
	path, data, root, branch := largeDatabase(t)
	info, err := os.Stat(path)
	require.NoError(t, err)
	hurt(data, root, branch)
	require.NoError(t, os.WriteFile(path, data, 0o600))
	require.NoError(t, os.Chtimes(path, time.Time{}, info.ModTime()))
	return filepath.Dir(path)
}

// A database that is as it was closed is read beside the work. Damage in it
// stops the store as soon as it is found.
func TestReadBesideTheWork(t *testing.T) {
	t.Parallel()
	var last int
	dir := hideDamage(t, func(data []byte, _, branch int) {
		n := int(data[branch+10]) // the last page of the rows
		element := branch + n*16
		last = int(data[element+8]) + int(data[element+9])<<8
		clear(data[last*os.Getpagesize() : last*os.Getpagesize()+8])
	})
	s := open(t, dir)
	defer s.Close()
	look := func() error { return s.View(ctx, p, func(store.Reader) error { return nil }) }
	require.Eventually(t, func() bool { return look() != nil }, time.Minute, time.Millisecond)
	require.ErrorContains(t, look(), fmt.Sprintf("page %d has the id of page 0", last))
	require.ErrorContains(t, look(), "copy the whole directory")
	require.ErrorContains(t, put(t, s, "a", nil), "reads and writes are stopped")
}

// Whatever writes to a closed database, even the same, has it read before it
// is used.
func TestWrittenSince(t *testing.T) {
	t.Parallel()
	path, data, root, _ := largeDatabase(t)
	data[root+8] = 7
	require.NoError(t, os.WriteFile(path, data, 0o600))
	_, err := boltstore.Open(filepath.Dir(path), boltstore.Options{})
	require.ErrorContains(t, err, "nothing was changed")
}

// A file that is cut under the store is an error of who reads it.
func TestCutWhileOpen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	for i := range 200 {
		require.NoError(t, put(t, s, fmt.Sprintf("%03d", i), bytes.Repeat([]byte("v"), 2000)))
	}
	require.NoError(t, s.Check()) // moves all to the database
	require.NoError(t, os.Truncate(filepath.Join(dir, boltstore.File), int64(2*os.Getpagesize())))
	read := func() error {
		return s.View(ctx, p, func(r store.Reader) error {
			return r.Scan("t", store.Range{}, func(_, value []byte) error { return nil })
		})
	}
	for range 2 {
		require.ErrorContains(t, read(), "it can no longer be read")
	}
	require.ErrorContains(t, put(t, s, "a", nil), "it can no longer be read")
	require.NoError(t, s.Close())
}
