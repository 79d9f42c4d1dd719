package boltstore

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
	"io"
)

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
