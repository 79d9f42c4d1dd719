package boltstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"sync/atomic"
)

// bbolt maps the file and trusts it: a page with an invalid reference crashes the process,
// and recover does not help. So all pages are checked first, read from the file rather than
// from the map.
//
// A page starts with its id, its type, its number of elements and its number of overflow
// pages. Elements of 16 bytes follow, each with the position of its key and value relative
// to itself.
const (
	headSize    = 16
	elementSize = 16

	branchPage   = 0x01
	leafPage     = 0x02
	metaPage     = 0x04
	freelistPage = 0x10

	bucketRow = 0x01 // leaf element whose value is the header of a bucket

	noFreelist = math.MaxUint64
	maxDepth   = 64
)

// A pageChecker checks the pages reachable from a meta page.
type pageChecker struct {
	stop  *atomic.Bool
	file  io.ReaderAt
	size  int64  // of a page
	count uint64 // number of pages in use
	seen  []uint64
	bufs  [maxDepth][]byte
}

// A keyRange bounds the keys of a page: from inclusive, to exclusive, nil unbounded.
type keyRange struct{ from, to []byte }

// check checks the file as m describes it. It returns an error early when stop is set.
func (m meta) check(file io.ReaderAt, stop *atomic.Bool) error {
	w := &pageChecker{stop: stop, file: file, size: m.pageSize, count: m.pages, seen: make([]uint64, m.pages/64+1)}
	if m.freelist != noFreelist {
		if err := w.freelist(m.freelist); err != nil {
			return err
		}
	}

	return w.tree(m.root, true, keyRange{}, 0)
}

// read reads a page with its overflow pages and checks that none is used twice.
func (w *pageChecker) read(id uint64, depth int) ([]byte, error) {
	if w.stop.Load() {
		return nil, errors.New("it was not read completely")
	}
	if depth >= maxDepth {
		return nil, fmt.Errorf("page %d exceeds the maximum tree depth", id)
	}
	if id < 2 || id >= w.count {
		return nil, fmt.Errorf("reference to page %d, but there are %d pages", id, w.count)
	}

	var head [headSize]byte
	if _, err := w.file.ReadAt(head[:], int64(id)*w.size); err != nil {
		return nil, fmt.Errorf("page %d cannot be read: %w", id, err)
	}
	if own := binary.NativeEndian.Uint64(head[:]); own != id {
		return nil, fmt.Errorf("page %d has the id of page %d", id, own)
	}

	more := uint64(binary.NativeEndian.Uint32(head[12:]))
	if more >= w.count-id {
		return nil, fmt.Errorf("page %d has %d overflow pages, past the end of the file", id, more)
	}

	for p := id; p <= id+more; p++ {
		if w.seen[p/64]&(1<<(p%64)) != 0 {
			return nil, fmt.Errorf("page %d is used twice", p)
		}
		w.seen[p/64] |= 1 << (p % 64)
	}

	n := int(int64(more+1) * w.size)
	if cap(w.bufs[depth]) < n {
		w.bufs[depth] = make([]byte, n)
	}

	page := w.bufs[depth][:n]
	if _, err := w.file.ReadAt(page, int64(id)*w.size); err != nil {
		return nil, fmt.Errorf("page %d cannot be read: %w", id, err)
	}

	return page, nil
}

// tree checks a page of a tree and the pages below it. The top tree has the tables, the
// others have rows.
func (w *pageChecker) tree(id uint64, top bool, keys keyRange, depth int) error {
	page, err := w.read(id, depth)
	if err != nil {
		return err
	}

	switch kind := binary.NativeEndian.Uint16(page[8:]); kind {
	case leafPage:
		err = w.leaf(page, top, keys, depth)
	case branchPage:
		err = w.branch(page, top, keys, depth)
	default:
		return fmt.Errorf("page %d has an invalid type (%#x)", id, kind)
	}

	if err != nil {
		return fmt.Errorf("page %d: %w", id, err)
	}

	return nil
}

func (w *pageChecker) branch(page []byte, top bool, keys keyRange, depth int) error {
	n, err := elements(page)
	if err != nil {
		return err
	}
	if n == 0 {
		return errors.New("branch without children")
	}

	// Read all children first: descending reuses the buffers.
	children, bounds := make([]uint64, n), make([][]byte, n+1)
	last := keys.from
	for i := range n {
		at := headSize + i*elementSize
		children[i] = binary.NativeEndian.Uint64(page[at+8:])
		bounds[i], err = elementData(page, at, uint16At(page, at), uint16At(page, at+4))
		if err != nil {
			return err
		}
		if err := checkOrder(last, bounds[i], i == 0, keys); err != nil {
			return err
		}

		last = bounds[i]
	}

	bounds[n] = keys.to
	for i, child := range children {
		if err := w.tree(child, top, keyRange{bounds[i], bounds[i+1]}, depth+1); err != nil {
			return err
		}
	}

	return nil
}

func (w *pageChecker) leaf(page []byte, top bool, keys keyRange, depth int) error {
	n, err := elements(page)
	if err != nil {
		return err
	}

	last := keys.from
	for i := range n {
		at := headSize + i*elementSize
		kind := uint16At(page, at)
		pos := uint16At(page, at+4)
		keySize := uint16At(page, at+8)
		valueSize := uint16At(page, at+12)
		row, err := elementData(page, at, pos, keySize+valueSize)
		if err != nil {
			return err
		}

		key, value := row[:keySize], row[keySize:]
		if err := checkOrder(last, key, i == 0, keys); err != nil {
			return err
		}

		last = key
		if top != (kind == bucketRow) || kind > bucketRow {
			return fmt.Errorf("row %d has an invalid type (%#x)", i, kind)
		}
		if !top {
			continue
		}
		if err := w.bucket(key, value, depth); err != nil {
			return err
		}
	}

	return nil
}

// bucket checks a table: a tree of its own or, if small, a page inside the row.
func (w *pageChecker) bucket(name, value []byte, depth int) error {
	if _, _, err := parseBucketName(name); err != nil {
		return err
	}
	if len(value) < 16 {
		return fmt.Errorf("table %x has no header", name)
	}
	if root := binary.NativeEndian.Uint64(value); root != 0 {
		return w.tree(root, false, keyRange{}, depth+1)
	}

	page := value[16:]
	if len(page) < headSize || binary.NativeEndian.Uint16(page[8:]) != leafPage {
		return fmt.Errorf("table %x has an invalid root", name)
	}

	return w.leaf(page, false, keyRange{}, depth)
}

// freelist checks the list of free pages, which a file has only if it is new or was closed cleanly.
func (w *pageChecker) freelist(id uint64) error {
	page, err := w.read(id, 0)
	if err != nil {
		return err
	}
	if kind := binary.NativeEndian.Uint16(page[8:]); kind != freelistPage {
		return fmt.Errorf("page %d should be a free list, has type %#x", id, kind)
	}

	n, at := uint64(binary.NativeEndian.Uint16(page[10:])), uint64(headSize)
	if n == math.MaxUint16 { // too many for the header
		n, at = binary.NativeEndian.Uint64(page[at:]), at+8
	}
	if n > (uint64(len(page))-at)/8 {
		return fmt.Errorf("page %d lists %d free pages, more than it can hold", id, n)
	}
	for i := range n {
		if free := binary.NativeEndian.Uint64(page[at+8*i:]); free < 2 || free >= w.count {
			return fmt.Errorf("page %d lists page %d as free, but there are %d pages", id, free, w.count)
		}
	}

	return nil
}

// elements returns the number of elements of a page.
func elements(page []byte) (int, error) {
	n := int(binary.NativeEndian.Uint16(page[10:]))
	if headSize+n*elementSize > len(page) {
		return 0, fmt.Errorf("it has %d elements, more than it can hold", n)
	}
	return n, nil
}

// elementData returns the size bytes at offset pos from an element.
func elementData(page []byte, at, pos, size int) ([]byte, error) {
	if from := at + pos; pos >= elementSize && from <= len(page) && size <= len(page)-from {
		return page[from : from+size], nil
	}
	return nil, errors.New("an element points past the end of its page")
}

// checkOrder checks that a key follows the last one and is in the range.
func checkOrder(last, key []byte, first bool, keys keyRange) error {
	switch {
	case len(key) == 0:
		return errors.New("row without a key")
	case !first && bytes.Compare(last, key) >= 0, first && last != nil && bytes.Compare(last, key) > 0,
		keys.to != nil && bytes.Compare(key, keys.to) >= 0:
		return fmt.Errorf("key %x is out of order", key[:min(len(key), 32)])
	}

	return nil
}

func uint16At(page []byte, at int) int { return int(binary.NativeEndian.Uint32(page[at:])) }
