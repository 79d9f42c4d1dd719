package proof_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	bolt "go.etcd.io/bbolt"

	"bincard/server/store/boltstore"
	"bincard/server/store/redo"
)

const sector = 512 // what a disk writes whole or not at all

// The files that are taped: the database and the two of its log.
var recordedFiles = []string{boltstore.File, redo.Files[0], redo.Files[1]}

// A recording has every write to the files of a ledger, and every flush, in order.
// What was written to a file since its last flush is what a loss of power may
// keep any of the sectors of.
type recording struct {
	mu     sync.Mutex
	base   []byte // the database before the first write; there is no log then
	writes []diskWrite
}

// A diskWrite is a write to a file or, without data, a flush of it.
type diskWrite struct {
	file int
	at   int64
	data []byte
	size int64 // of the database
	meta bool  // a meta page of the database, or the flush before one
}

func (s diskWrite) flush() bool { return s.data == nil }

// startRecording tapes what the store writes from now on.
func startRecording(t *testing.T, st *boltstore.Store, dir string) *recording {
	t.Helper()
	path := filepath.Join(dir, boltstore.File)
	base, err := os.ReadFile(path)
	require.NoError(t, err)
	tp := &recording{base: base}

	db := unexportedField[*bolt.DB](t, reflect.ValueOf(st).Elem(), "db")
	require.False(t, (*db).NoSync, "the store must flush")
	ops := reflect.ValueOf(*db).Elem().FieldByName("ops")
	require.True(t, ops.IsValid())
	write := unexportedField[func([]byte, int64) (int, error)](t, ops, "writeAt")
	real := *write
	*write = func(b []byte, at int64) (int, error) {
		info, err := os.Stat(path)
		if err != nil {
			return 0, err
		}
		tp.page(b, at, info.Size())
		return real(b, at)
	}
	tp.log(t, *unexportedField[*redo.Log](t, reflect.ValueOf(st).Elem(), "log"))
	return tp
}

// log tapes what is written to the log.
func (tp *recording) log(t *testing.T, log *redo.Log) {
	t.Helper()
	write := unexportedField[func(*os.File, []byte, int64) (int, error)](t, reflect.ValueOf(log).Elem(), "writeAt")
	flush := unexportedField[func(*os.File) error](t, reflect.ValueOf(log).Elem(), "flush")
	realWrite, realFlush := *write, *flush
	*write = func(f *os.File, b []byte, at int64) (int, error) {
		tp.note(diskWrite{file: number(f), at: at, data: append([]byte{}, b...)})
		return realWrite(f, b, at)
	}
	*flush = func(f *os.File) error {
		err := realFlush(f)
		if err == nil {
			tp.note(diskWrite{file: number(f)})
		}
		return err
	}
}

func number(f *os.File) int { return slices.Index(recordedFiles, filepath.Base(f.Name())) }

// unexportedField is a field that is not exported.
func unexportedField[T any](t *testing.T, of reflect.Value, name string) *T {
	t.Helper()
	f := of.FieldByName(name)
	require.True(t, f.IsValid(), "%s has no %s any more", of.Type(), name)
	return (*T)(unsafe.Pointer(f.UnsafeAddr()))
}

// page tapes a page of the database: bbolt flushes before it writes a meta page
// and after.
func (tp *recording) page(b []byte, at, size int64) {
	meta := at < 2*int64(os.Getpagesize())
	page := diskWrite{at: at, data: append([]byte{}, b...), size: size, meta: meta}
	if !meta {
		tp.note(page)
		return
	}
	tp.note(diskWrite{meta: true}, page, diskWrite{})
}

func (tp *recording) note(s ...diskWrite) {
	tp.mu.Lock()
	defer tp.mu.Unlock()
	tp.writes = append(tp.writes, s...)
}

// length is how many strokes there are: a write that has been answered is among
// those that are flushed.
func (tp *recording) length() int {
	tp.mu.Lock()
	defer tp.mu.Unlock()
	return len(tp.writes)
}

// cut is a stroke at random that writes.
func (tp *recording) cut(dice *rand.Rand) int {
	for {
		if at := dice.IntN(len(tp.writes)); !tp.writes[at].flush() {
			return at
		}
	}
}

// lose writes the files as a loss of power leaves them within stroke number
// cut: of each file all that was flushed before is there, and of the rest what
// chance keeps. It does without the flushes that are skipped.
func (tp *recording) lose(t *testing.T, dir string, cut int, skipped func(diskWrite) bool, dice *rand.Rand) {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o700))
	for file, name := range recordedFiles {
		sure, size := 0, int64(0)
		for i, e := range tp.writes[:cut+1] {
			if e.file == file && e.flush() && !skipped(e) {
				sure = i
			}
			if e.file == file {
				size = max(size, e.size)
			}
		}
		f := &image{t: t, path: filepath.Join(dir, name)}
		if file == 0 {
			f.put(tp.base[:min(len(tp.base), 4*os.Getpagesize())], 0)
			require.NoError(t, f.file.Truncate(max(size, int64(len(tp.base))))) // flushed when it grew
		}
		for i, e := range tp.writes[:cut+1] {
			switch {
			case e.file != file || e.flush():
			case i < sure:
				f.put(e.data, e.at)
			default:
				tearWrite(e, f.put, dice)
			}
		}
		f.close()
	}
}

// An image is a file that is made when something is in it.
type image struct {
	t    *testing.T
	path string
	file *os.File
}

func (f *image) put(b []byte, at int64) {
	var err error
	if f.file == nil {
		f.file, err = os.Create(f.path)
		require.NoError(f.t, err)
	}
	_, err = f.file.WriteAt(b, at)
	require.NoError(f.t, err)
}

func (f *image) close() {
	if f.file != nil {
		require.NoError(f.t, f.file.Close())
	}
}

// tearWrite keeps all, nothing, or some sectors of a stroke; a sector that was
// being written may hold anything.
func tearWrite(w diskWrite, put func([]byte, int64), dice *rand.Rand) {
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
