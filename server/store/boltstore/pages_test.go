package boltstore_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/store"
	"bincard/server/store/boltstore"
)

// sealMeta updates the checksum of a meta page.
func sealMeta(data []byte, page int) {
	sum := fnv.New64a()
	_, _ = sum.Write(data[page+16 : page+72])
	binary.NativeEndian.PutUint64(data[page+72:], sum.Sum64())
}

// The test corrupts single fields of pages and checks that each error is found.
func TestOpen_CorruptPages(t *testing.T) {
	t.Parallel()
	size := os.Getpagesize()
	for want, corrupt := range map[string]func(data []byte, root, branch int){
		"more than it can hold":    func(d []byte, root, _ int) { binary.NativeEndian.PutUint16(d[root+10:], 60000) },
		"past the end of its page": func(d []byte, root, _ int) { binary.NativeEndian.PutUint32(d[root+16+4:], 1<<31) },
		"past the end\\b":          func(d []byte, root, _ int) { binary.NativeEndian.PutUint32(d[root+12:], 1<<31) },
		"an invalid type":          func(d []byte, root, _ int) { binary.NativeEndian.PutUint16(d[root+8:], 7) },
		"has the id of page":       func(d []byte, root, _ int) { binary.NativeEndian.PutUint64(d[root:], 9) },
		"branch without children":  func(d []byte, _, branch int) { binary.NativeEndian.PutUint16(d[branch+10:], 0) },
		"reference to page":        func(d []byte, _, branch int) { binary.NativeEndian.PutUint64(d[branch+16+8:], 1<<40) },
		"is used twice":            func(d []byte, _, branch int) { copy(d[branch+16+8:branch+16+16], d[branch:branch+8]) },
		"out of order":             func(d []byte, _, branch int) { binary.NativeEndian.PutUint32(d[branch+32+4:], 1) },
		"without a key":            func(d []byte, _, branch int) { binary.NativeEndian.PutUint32(d[branch+16+4:], 0) },
		"has an invalid type":      func(d []byte, root, _ int) { binary.NativeEndian.PutUint32(d[root+32:], 0) },
		"unreadable":               func(d []byte, _, _ int) { d[20]++; d[size+20]++ },
		"are swapped":              func(d []byte, _, _ int) { swapMetaPages(d, size) },
		"it has \\d+ bytes, want": func(d []byte, _, _ int) {
			for _, page := range []int{0, size} {
				binary.NativeEndian.PutUint64(d[page+56:], 1<<30)
				sealMeta(d, page)
			}
		},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			path, data, root, branch := largeDatabase(t)
			corrupt(data, root, branch)
			require.NoError(t, os.WriteFile(path, data, 0o600))
			_, err := boltstore.Open(filepath.Dir(path), boltstore.Options{})
			require.ErrorContains(t, err, "copy it, then restore a backup")
			require.Regexp(t, want, err.Error())
			unchanged, err := os.ReadFile(path)
			require.NoError(t, err)
			require.True(t, bytes.Equal(data, unchanged), "a damaged file is not changed")
		})
	}
}

// swapMetaPages swaps the two meta pages, after changing the root of the older one.
func swapMetaPages(data []byte, size int) {
	older := 0
	if binary.NativeEndian.Uint64(data[size+64:]) < binary.NativeEndian.Uint64(data[64:]) {
		older = size
	}
	data[older+32]++
	sealMeta(data, older)
	first := append([]byte(nil), data[:size]...)
	copy(data, data[size:2*size])
	copy(data[size:], first)
}

// largeDatabase returns a database with a table of several pages, and the offsets of the
// page with the tables and of the branch page of the table.
func largeDatabase(t *testing.T) (path string, data []byte, root, branch int) {
	t.Helper()
	dir := t.TempDir()
	s := open(t, dir)
	require.NoError(t, s.Update(ctx, p, func(tx store.Tx) error {
		for i := range 500 {
			if err := tx.Put("t", fmt.Appendf(nil, "%08d", i), make([]byte, 200)); err != nil {
				return err
			}
		}
		return nil
	}))
	require.NoError(t, put(t, s, "z", nil))
	require.NoError(t, s.Close())
	path = filepath.Join(dir, boltstore.File)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	size := os.Getpagesize()
	meta := 0
	if binary.NativeEndian.Uint64(data[size+64:]) > binary.NativeEndian.Uint64(data[64:]) {
		meta = size
	}
	root = int(binary.NativeEndian.Uint64(data[meta+32:])) * size
	element := root + 16 + 16 // the first one is the mark of the log
	value := element + int(binary.NativeEndian.Uint32(data[element+4:])+binary.NativeEndian.Uint32(data[element+8:]))
	return path, data, root, int(binary.NativeEndian.Uint64(data[value:])) * size
}

// A loss of power while writing a meta page corrupts it: the other one is used, and the
// corrupt one is repaired.
func TestOpen_RepairsMetaPage(t *testing.T) {
	t.Parallel()
	for name, from := range map[string]int{"header": 0, "checksum": 40} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, page := range []int{0, os.Getpagesize()} {
				path, data, _, _ := largeDatabase(t)
				for i := range 8 {
					data[page+from+i] ^= 0xff
				}
				require.NoError(t, os.WriteFile(path, data, 0o600))
				s := open(t, filepath.Dir(path))
				require.NoError(t, s.Check())
				require.GreaterOrEqual(t, len(keys(t, s)), 500)
				require.NoError(t, s.Close())
				repaired, err := os.ReadFile(path)
				require.NoError(t, err)
				require.NotEqual(t, data[page:page+80], repaired[page:page+80])
				s = open(t, filepath.Dir(path))
				require.NoError(t, s.Check())
				require.NoError(t, s.Close())
			}
		})
	}
}
