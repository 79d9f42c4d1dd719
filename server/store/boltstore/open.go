package boltstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"runtime"
	"strconv"

	bolt "go.etcd.io/bbolt"
)

// openFile opens the database. bbolt walks all its pages to find the free
// ones and panics where they are damaged.
func openFile(path string, opts Options) (db *bolt.DB, err error) {
	var file *os.File
	if err := whole(path); err != nil {
		return nil, damaged(path, err)
	}
	defer func() {
		if v := recover(); v != nil {
			_ = file.Close() // its map, and the lock with it, stay until the process ends
			db, err = nil, damaged(path, fmt.Errorf("%v", v))
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
			file, err = os.OpenFile(name, flag, mode)
			return file, err
		},
	})
	if err != nil {
		return nil, fmt.Errorf("cannot open the database %s: %w", path, err)
	}
	return db, nil
}

// A meta page of bbolt says, after a head of 16 bytes, how large its pages are
// and how many the file has. The younger one that is intact holds.
const (
	metaSize   = 16 + 64
	metaMagic  = 0xED0CDAED
	atMagic    = 16
	atPageSize = 24
	atPages    = 56
	atTx       = 64
	atSum      = 72
)

// whole returns an error when the file ends before its last page, where to
// read it would end the process. What else may be wrong bbolt finds itself.
func whole(path string) error {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	var tx, want uint64
	for _, at := range []int64{0, int64(os.Getpagesize())} {
		var meta [metaSize]byte
		if _, err := file.ReadAt(meta[:], at); err != nil || !intact(meta[:]) {
			continue
		}
		if id := binary.NativeEndian.Uint64(meta[atTx:]); id >= tx {
			page := uint64(binary.NativeEndian.Uint32(meta[atPageSize:]))
			tx, want = id, binary.NativeEndian.Uint64(meta[atPages:])*page
		}
	}
	if uint64(info.Size()) < want {
		return fmt.Errorf("it has %d bytes and must have %d", info.Size(), want)
	}
	return nil
}

func intact(meta []byte) bool {
	sum := fnv.New64a()
	_, _ = sum.Write(meta[atMagic:atSum])
	return binary.NativeEndian.Uint32(meta[atMagic:]) == metaMagic &&
		binary.NativeEndian.Uint64(meta[atSum:]) == sum.Sum64()
}

func damaged(path string, err error) error {
	return fmt.Errorf("the database %s is damaged; restore it from a backup: %w", path, err)
}

// mapSize is the address space to map at first, so that a young file does not
// stop its readers at each growth. Windows would make the file that large.
func mapSize() int {
	if runtime.GOOS == "windows" || strconv.IntSize < 64 {
		return 0
	}
	return 256 << 20
}
