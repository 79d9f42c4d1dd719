package proof_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	bolt "go.etcd.io/bbolt"

	"bincard/server/store/boltstore"
)

const sector = 512 // what a disk writes whole or not at all

// A tape has every write to a database file in order. bbolt flushes before it
// writes a meta page and after: between two flushes a loss of power may keep
// any of the sectors.
type tape struct {
	mu     sync.Mutex
	base   []byte // the file before the first write
	writes []stroke
	epoch  int
}

// A stroke is one write; those of one epoch lie between the same two flushes.
type stroke struct {
	at    int64
	data  []byte
	size  int64 // of the file
	epoch int
	meta  bool
}

// record tapes what the store writes from now on.
func record(t *testing.T, st *boltstore.Store, dir string) *tape {
	t.Helper()
	path := filepath.Join(dir, boltstore.File)
	base, err := os.ReadFile(path)
	require.NoError(t, err)
	tp := &tape{base: base}

	db := inside[*bolt.DB](t, reflect.ValueOf(st).Elem(), "db")
	require.False(t, (*db).NoSync, "the store must flush")
	ops := reflect.ValueOf(*db).Elem().FieldByName("ops")
	require.True(t, ops.IsValid())
	write := inside[func([]byte, int64) (int, error)](t, ops, "writeAt")
	real := *write
	*write = func(b []byte, at int64) (int, error) {
		info, err := os.Stat(path)
		if err != nil {
			return 0, err
		}
		tp.note(b, at, info.Size())
		return real(b, at)
	}
	return tp
}

// inside is a field that is not exported.
func inside[T any](t *testing.T, of reflect.Value, name string) *T {
	t.Helper()
	f := of.FieldByName(name)
	require.True(t, f.IsValid(), "%s has no %s any more", of.Type(), name)
	return (*T)(unsafe.Pointer(f.UnsafeAddr()))
}

func (tp *tape) note(b []byte, at, size int64) {
	tp.mu.Lock()
	defer tp.mu.Unlock()
	meta := at < 2*int64(os.Getpagesize())
	if meta {
		tp.epoch++
	}
	tp.writes = append(tp.writes, stroke{at: at, data: append([]byte(nil), b...), size: size, epoch: tp.epoch, meta: meta})
	if meta {
		tp.epoch++
	}
}

// flushed is how many strokes there were up to the last meta page: a write
// that has been answered is among them.
func (tp *tape) flushed() int {
	tp.mu.Lock()
	defer tp.mu.Unlock()
	for i := len(tp.writes); i > 0; i-- {
		if tp.writes[i-1].meta {
			return i
		}
	}
	return 0
}

// lose writes the file as a loss of power leaves it within stroke number cut:
// all before its epoch is there, and of its epoch what chance keeps. It answers
// how many strokes are there for sure.
func (tp *tape) lose(t *testing.T, dir string, cut int, sameEpoch func(a, b stroke) bool, dice *rand.Rand) (kept int) {
	t.Helper()
	for kept = cut; kept > 0 && sameEpoch(tp.writes[kept-1], tp.writes[cut]); kept-- {
	}
	require.NoError(t, os.MkdirAll(dir, 0o700))
	file, err := os.Create(filepath.Join(dir, boltstore.File))
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	require.NoError(t, file.Truncate(tp.writes[cut].size)) // flushed when it grew
	put := func(b []byte, at int64) {
		_, err := file.WriteAt(b, at)
		require.NoError(t, err)
	}
	put(tp.base[:min(len(tp.base), 4*os.Getpagesize())], 0)
	for _, w := range tp.writes[:kept] {
		put(w.data, w.at)
	}
	for _, w := range tp.writes[kept : cut+1] {
		tear(w, put, dice)
	}
	return kept
}

// tear keeps all, nothing, or some sectors of a stroke; a sector that was
// being written may hold anything.
func tear(w stroke, put func([]byte, int64), dice *rand.Rand) {
	how := dice.IntN(4)
	switch how {
	case 0:
		return
	case 1:
		put(w.data, w.at)
		return
	}
	for i := 0; i < len(w.data); i += sector {
		part := append([]byte(nil), w.data[i:min(i+sector, len(w.data))]...)
		switch {
		case dice.IntN(2) == 0:
			continue
		case how == 3 && dice.IntN(8) == 0:
			for j := range part {
				part[j] = byte(dice.Uint32())
			}
		}
		put(part, w.at+int64(i))
	}
}
