package boltstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	bolt "go.etcd.io/bbolt"
)

// openFile opens the database after checking all its pages. If the database is marked
// clean, the check is skipped and m is set to the meta page to check from later.
func openFile(path string, opts Options) (db *bolt.DB, m *meta, err error) {
	var file *os.File
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if v := recover(); v != nil {
			_ = file.Close() // its mapping and lock stay until the process ends
			db, m, err = nil, nil, newDamageError(path, fmt.Errorf("%v", v))
		}
	}()
	db, err = bolt.Open(path, 0o600, &bolt.Options{
		Timeout:         opts.Wait,
		NoSync:          opts.NoSync,
		MaxSize:         opts.MaxSize,
		NoFreelistSync:  true,
		FreelistType:    bolt.FreelistMapType,
		InitialMmapSize: mapSize(),
		NoStatistics:    true,
		OpenFile: func(name string, flag int, mode os.FileMode) (_ *os.File, err error) {
			file, m, err = openChecked(name, flag, mode, opts.Wait)
			return file, err
		},
	})
	var damaged *damageError
	if errors.As(err, &damaged) {
		return nil, nil, err
	}
	if err != nil {
		return nil, nil, fmt.Errorf("cannot open database %s: %w", path, err)
	}
	if err := repairMeta(db, file); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("cannot write database %s: %w", path, err), db.Close())
	}
	return db, m, nil
}

// checkNotOrphaned rejects a directory that has other files of a ledger but no database,
// so that a missing database is not silently replaced by a new one.
func checkNotOrphaned(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("cannot read data directory %s: %w", dir, err)
	}
	for _, e := range entries {
		name := e.Name()
		if name == File || !strings.HasPrefix(name, "ledger.") && !strings.HasPrefix(name, "ledger-") {
			continue
		}
		// Check the database last: another process creates it before the other files.
		info, err := os.Stat(filepath.Join(dir, File))
		state := "missing"
		switch {
		case err == nil && info.Size() > 0, err != nil && !errors.Is(err, os.ErrNotExist):
			return nil
		case err == nil:
			state = "empty"
		}
		return fmt.Errorf("database %s is %s, but its file %s exists; nothing was changed; copy the whole directory, then restore the database from a backup (for a new ledger, choose an empty directory)",
			filepath.Join(dir, File), state, name)
	}
	return nil
}

// openChecked opens and locks the file and checks its pages, unless it returns m, from
// which they are to be checked later.
func openChecked(path string, flag int, mode os.FileMode, wait time.Duration) (file *os.File, m *meta, err error) {
	if file, err = os.OpenFile(path, flag, mode); err != nil {
		return nil, nil, err
	}
	if err := lock(file, wait); err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	if m, err = checkFile(file); err != nil {
		return nil, nil, errors.Join(newDamageError(path, err), file.Close())
	}
	return file, m, nil
}

// A meta page of bbolt has, after a header of 16 bytes, the page size, the number of
// pages and the root of the tree. The newer intact one is valid; the other one has the
// state before.
const (
	metaSize   = 16 + 64
	metaMagic  = 0xED0CDAED
	atMagic    = 16
	atVersion  = 20
	atPageSize = 24
	atRoot     = 32
	atFreelist = 48
	atPages    = 56
	atTx       = 64
	atSum      = 72
)

type meta struct {
	pageSize                  int64
	root, freelist, pages, tx uint64
}

// checkFile checks a file that is not empty. It returns the meta page to check from later
// if the file is marked clean.
func checkFile(file *os.File) (*meta, error) {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return nil, err
	}
	m, err := newestMeta(file)
	if err != nil {
		return nil, err
	}
	if want := m.pages * uint64(m.pageSize); uint64(info.Size()) < want {
		return nil, fmt.Errorf("it has %d bytes, want %d", info.Size(), want)
	}
	if isMarkedClean(file, m) {
		return &m, nil
	}
	return nil, m.check(file, new(atomic.Bool))
}

// newestMeta returns the meta page that bbolt uses. The first page has the page size and
// so the position of the second; if it is unreadable, all page sizes are tried.
//
// bbolt writes them alternately, by the parity of the transaction. If they are swapped it
// would overwrite the current one. In a backup both are the same, which is allowed.
func newestMeta(file io.ReaderAt) (m meta, err error) {
	first, ok := readMeta(file, 0)
	at := uint64(0)
	var other meta
	if ok {
		m = first
		if other, ok = readMeta(file, first.pageSize); ok && other.tx > first.tx {
			m, other, at = other, first, 1
		}
	} else {
		for size := int64(1 << 10); size <= 16<<20 && at == 0; size *= 2 {
			if second, ok := readMeta(file, size); ok && second.pageSize == size {
				m, at = second, 1
			}
		}
		if at == 0 {
			return m, errors.New("both meta pages are unreadable")
		}
	}
	if m.tx%2 != at && m.root != other.root {
		return m, errors.New("its meta pages are swapped, or one is missing")
	}
	return m, nil
}

// repairMeta rewrites a meta page that a loss of power has torn, so that both are intact.
func repairMeta(db *bolt.DB, file io.ReaderAt) error {
	for range 2 {
		if metaHeaderIntact(file, 0) && metaHeaderIntact(file, int64(db.Info().PageSize)) {
			return nil
		}
		if err := db.Update(func(*bolt.Tx) error { return nil }); err != nil {
			return err
		}
	}
	return nil
}

// metaHeaderIntact reports whether a meta page is intact including its header, which
// bbolt's checksum does not cover.
func metaHeaderIntact(file io.ReaderAt, at int64) bool {
	m, ok := readMeta(file, at)
	var header [headSize]byte
	_, err := file.ReadAt(header[:], at)
	return ok && err == nil && binary.NativeEndian.Uint64(header[:]) == uint64(at/m.pageSize) &&
		binary.NativeEndian.Uint16(header[8:]) == metaPage
}

func readMeta(file io.ReaderAt, at int64) (m meta, ok bool) {
	var data [metaSize]byte
	if _, err := file.ReadAt(data[:], at); err != nil || !metaIntact(data[:]) {
		return m, false
	}
	long := func(at int) uint64 { return binary.NativeEndian.Uint64(data[at:]) }
	return meta{pageSize: int64(binary.NativeEndian.Uint32(data[atPageSize:])),
		root: long(atRoot), freelist: long(atFreelist), pages: long(atPages), tx: long(atTx)}, true
}

func metaIntact(meta []byte) bool {
	sum := fnv.New64a()
	_, _ = sum.Write(meta[atMagic:atSum])
	return binary.NativeEndian.Uint32(meta[atMagic:]) == metaMagic &&
		binary.NativeEndian.Uint32(meta[atVersion:]) == 2 &&
		binary.NativeEndian.Uint64(meta[atSum:]) == sum.Sum64()
}

// A damageError describes the damage of a file and what to do.
type damageError struct {
	path  string
	err   error
	inUse bool // found while the database was in use
}

func (d *damageError) Error() string {
	if d.inUse {
		return fmt.Sprintf("database %s is damaged: %v; reads and writes are stopped; copy the whole directory, then restore a backup", d.path, d.err)
	}
	return fmt.Sprintf("database %s is damaged: %v; nothing was changed; copy it, then restore a backup", d.path, d.err)
}

func (d *damageError) Unwrap() error { return d.err }

func newDamageError(path string, err error) error { return &damageError{path: path, err: err} }

// mapSize returns the initial size of the memory map, so that a small file does not block
// its readers each time it grows. On Windows the file itself would get that size.
func mapSize() int {
	if runtime.GOOS == "windows" || strconv.IntSize < 64 {
		return 0
	}
	return 256 << 20
}
