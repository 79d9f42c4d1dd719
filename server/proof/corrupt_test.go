package proof_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// files are the files of a data directory by name, without their trailing zeros.
type files map[string]file

type file struct {
	data []byte
	size int64 // including trailing zeros
}

// load reads all files of a directory.
func load(t *testing.T, dir string) files {
	t.Helper()
	out := files{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		out[name] = file{bytes.TrimRight(data, "\x00"), int64(len(data))}
		return err
	}))
	return out
}

// save writes the files to a new directory.
func (f files) save(t *testing.T, dir string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o700))
	for name, x := range f {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, x.data, 0o600))
		if x.size > int64(len(x.data)) {
			require.NoError(t, os.Truncate(path, x.size))
		}
	}
}

// corrupt damages one of the files, or swaps or removes files, and describes how. older is
// the content of the directory before its last writes.
func (f files) corrupt(older files, dice *rand.Rand) (files, string) {
	out := maps.Clone(f)
	var names []string
	for name, x := range f {
		if len(x.data) > 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	name := names[dice.IntN(len(names))]
	x := f[name]
	x.data = bytes.Clone(x.data)
	result := func(how string, args ...any) (files, string) { return out, name + ": " + fmt.Sprintf(how, args...) }
	switch dice.IntN(14) {
	case 0:
		delete(out, name)
		return result("missing")
	case 1:
		out[name] = file{}
		return result("empty")
	case 2:
		out[name] = file{data: []byte("Dear diary,\nthis is no ledger.\n")}
		return result("other text")
	case 3:
		noise := make([]byte, 1+dice.IntN(1<<18))
		for i := range noise {
			noise[i] = byte(dice.Uint32())
		}
		out[name] = file{data: noise}
		return result("%d bytes of noise", len(noise))
	case 4:
		other := names[dice.IntN(len(names))]
		out[name], out[other] = f[other], f[name]
		return result("swapped with %s", other)
	case 5:
		if old, known := older[name]; known {
			out[name] = old
			return result("from before the last writes")
		}
		delete(out, name)
		return result("missing, as before the last writes")
	case 6:
		n := dice.IntN(len(x.data))
		out[name] = file{data: x.data[:n]}
		return result("truncated at %d of %d bytes", n, len(x.data))
	case 7:
		n := max(0, len(x.data)-1-dice.IntN(64))
		out[name] = file{data: x.data[:n]}
		return result("truncated by %d bytes", len(x.data)-n)
	}
	how := corruptBytes(x.data, dice)
	out[name] = x
	return result("%s", how)
}

// corruptBytes damages data in place and describes how.
func corruptBytes(data []byte, dice *rand.Rand) string {
	page := min(4096, len(data))
	pages := len(data) / page
	randomPage := func() int { // the first pages more often, because everything depends on them
		if dice.IntN(4) == 0 {
			return dice.IntN(min(6, pages))
		}
		return dice.IntN(pages)
	}
	p := randomPage()
	part := data[p*page : (p+1)*page]
	switch dice.IntN(7) {
	case 0, 1:
		n := 1 << dice.IntN(8)
		for range n {
			part[dice.IntN(page)] ^= 1 << dice.IntN(8)
		}
		return fmt.Sprintf("%d bits flipped in page %d", n, p)
	case 2:
		at := dice.IntN(min(page, 160)) // headers and elements
		part[at] = byte(dice.Uint32())
		return fmt.Sprintf("byte %d of page %d changed", at, p)
	case 3:
		clear(part)
		return fmt.Sprintf("page %d zeroed", p)
	case 4:
		q := randomPage()
		other := data[q*page : (q+1)*page]
		old := bytes.Clone(part)
		copy(part, other)
		copy(other, old)
		return fmt.Sprintf("pages %d and %d swapped", p, q)
	case 5:
		q := randomPage()
		copy(part, bytes.Clone(data[q*page:(q+1)*page]))
		return fmt.Sprintf("page %d is a copy of page %d", p, q)
	}
	for i := range part {
		part[i] = byte(dice.Uint32())
	}
	return fmt.Sprintf("page %d random", p)
}
