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

// hideDamage damages a page of a closed database without changing the modification time, as
// a disk failure does.
func hideDamage(t *testing.T, damage func(data []byte, root, branch int)) (dir string) {
	t.Helper()
	path, data, root, branch := largeDatabase(t)
	info, err := os.Stat(path)
	require.NoError(t, err)
	damage(data, root, branch)
	require.NoError(t, os.WriteFile(path, data, 0o600))
	require.NoError(t, os.Chtimes(path, time.Time{}, info.ModTime()))
	return filepath.Dir(path)
}

// An unchanged database is checked in the background. Damage stops the store when found.
func TestOpen_AuditFindsDamage(t *testing.T) {
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
	view := func() error { return s.View(ctx, p, func(store.Reader) error { return nil }) }
	require.Eventually(t, func() bool { return view() != nil }, time.Minute, time.Millisecond)
	require.ErrorContains(t, view(), fmt.Sprintf("page %d has the id of page 0", last))
	require.ErrorContains(t, view(), "copy the whole directory")
	require.ErrorContains(t, put(t, s, "a", nil), "reads and writes are stopped")
}

// Any write to a closed database, even of the same data, causes a check at the next open.
func TestOpen_ChecksModifiedDatabase(t *testing.T) {
	t.Parallel()
	path, data, root, _ := largeDatabase(t)
	data[root+8] = 7
	require.NoError(t, os.WriteFile(path, data, 0o600))
	_, err := boltstore.Open(filepath.Dir(path), boltstore.Options{})
	require.ErrorContains(t, err, "nothing was changed")
}

// Reads return an error when the file is truncated while the store is open.
func TestView_TruncatedWhileOpen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	for i := range 200 {
		require.NoError(t, put(t, s, fmt.Sprintf("%03d", i), bytes.Repeat([]byte("v"), 2000)))
	}
	require.NoError(t, s.Check()) // moves everything to the database
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
