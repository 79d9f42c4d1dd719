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
	"bincard/server/store/wal"
)

const sector = 512 // a disk writes it completely or not at all

// The recorded files: the database and the two of its log.
var recordedFiles = []string{boltstore.File, wal.Files[0], wal.Files[1]}

// A recording has every write and every flush of the files of a ledger, in order. A loss of
// power may keep any sectors of what was written to a file since its last flush.
type recording struct {
	mu     sync.Mutex
	base   []byte // the database before the first write; there is no log yet
	writes []diskWrite
}

// A diskWrite is a write to a file or, without data, a flush of it.
type diskWrite struct {
	file int
	at   int64
	data []byte
	size int64 // size of the database
	meta bool  // a meta page of the database, or the flush before one
}

func (s diskWrite) flush() bool { return s.data == nil }

// startRecording records what the store writes from now on.
func startRecording(t *testing.T, st *boltstore.Store, dir string) *recording {
	t.Helper()
	path := filepath.Join(dir, boltstore.File)
	base, err := os.ReadFile(path)
	require.NoError(t, err)
	rec := &recording{base: base}

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
		rec.page(b, at, info.Size())
		return real(b, at)
	}
	rec.log(t, *unexportedField[*wal.Log](t, reflect.ValueOf(st).Elem(), "log"))
	return rec
}

// log records the writes to the log.
func (rec *recording) log(t *testing.T, log *wal.Log) {
	t.Helper()
	write := unexportedField[func(*os.File, []byte, int64) (int, error)](t, reflect.ValueOf(log).Elem(), "writeAt")
	flush := unexportedField[func(*os.File) error](t, reflect.ValueOf(log).Elem(), "flush")
	realWrite, realFlush := *write, *flush
	*write = func(f *os.File, b []byte, at int64) (int, error) {
		rec.add(diskWrite{file: number(f), at: at, data: append([]byte{}, b...)})
		return realWrite(f, b, at)
	}
	*flush = func(f *os.File) error {
		err := realFlush(f)
		if err == nil {
			rec.add(diskWrite{file: number(f)})
		}
		return err
	}
}

func number(f *os.File) int { return slices.Index(recordedFiles, filepath.Base(f.Name())) }

// unexportedField returns a pointer to an unexported field.
func unexportedField[T any](t *testing.T, of reflect.Value, name string) *T {
	t.Helper()
	f := of.FieldByName(name)
	require.True(t, f.IsValid(), "%s has no field %s", of.Type(), name)
	return (*T)(unsafe.Pointer(f.UnsafeAddr()))
}

// page records a page of the database: bbolt flushes before and after writing a meta page.
func (rec *recording) page(b []byte, at, size int64) {
	meta := at < 2*int64(os.Getpagesize())
	page := diskWrite{at: at, data: append([]byte{}, b...), size: size, meta: meta}
	if !meta {
		rec.add(page)
		return
	}
	rec.add(diskWrite{meta: true}, page, diskWrite{})
}

func (rec *recording) add(s ...diskWrite) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	rec.writes = append(rec.writes, s...)
}

// length returns the number of writes so far. The flush of an acknowledged write is among
// them.
func (rec *recording) length() int {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	return len(rec.writes)
}

// cut returns a random write that is not a flush.
func (rec *recording) cut(dice *rand.Rand) int {
	for {
		if at := dice.IntN(len(rec.writes)); !rec.writes[at].flush() {
			return at
		}
	}
}

// lose creates the files as a loss of power during write number cut leaves them: everything
// flushed before, and a random part of the rest. It ignores flushes for which skipped is
// true.
func (rec *recording) lose(t *testing.T, dir string, cut int, skipped func(diskWrite) bool, dice *rand.Rand) {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o700))
	for file, name := range recordedFiles {
		flushed, size := 0, int64(0)
		for i, e := range rec.writes[:cut+1] {
			if e.file == file && e.flush() && !skipped(e) {
				flushed = i
			}
			if e.file == file {
				size = max(size, e.size)
			}
		}
		f := &image{t: t, path: filepath.Join(dir, name)}
		if file == 0 {
			f.put(rec.base[:min(len(rec.base), 4*os.Getpagesize())], 0)
			require.NoError(t, f.file.Truncate(max(size, int64(len(rec.base))))) // flushed when it grew
		}
		for i, e := range rec.writes[:cut+1] {
			switch {
			case e.file != file || e.flush():
			case i < flushed:
				f.put(e.data, e.at)
			default:
				tearWrite(e, f.put, dice)
			}
		}
		f.close()
	}
}

// An image is a file that is created on the first write.
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

// tearWrite keeps all, none or some sectors of a write; a sector that was being written may
// have any content.
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
