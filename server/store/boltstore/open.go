package boltstore

import (
	"encoding/binary"
	"errors"
	"fmt"
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

		return fmt.Errorf(
			"database %s is %s, but its file %s exists; nothing was changed; copy the whole directory, then restore the database from a backup (for a new ledger, choose an empty directory)",
			filepath.Join(dir, File),
			state,
			name,
		)
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

// mapSize returns the initial size of the memory map, so that a small file does not block
// its readers each time it grows. On Windows the file itself would get that size.
func mapSize() int {
	if runtime.GOOS == "windows" || strconv.IntSize < 64 {
		return 0
	}
	return 256 << 20
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
