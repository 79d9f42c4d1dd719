package sim_test

import (
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"

	"bincard/offline"
	"bincard/offline/journal"
)

var errDiskFull = errors.New("no space left on device")

// A crash is the panic that ends a program in the middle of a write.
type crash struct{}

var errIO = errors.New("input/output error")

// A disk is the folder of a node. After a power failure it keeps the flushed
// writes, and a random part of the others.
type disk struct {
	rng     *rand.Rand
	files   map[string]*file
	full    bool
	failing bool // operations fail at random
	count   func(fault)
	logf    func(format string, args ...any)
	// stepsLeft is the number of writes and flushes until the program crashes;
	// negative means never.
	stepsLeft int
}

func newDisk(rng *rand.Rand, count func(fault), logf func(format string, args ...any)) *disk {
	return &disk{rng: rng, files: map[string]*file{}, stepsLeft: -1, count: count, logf: logf}
}

// backup returns a copy of the flushed files.
func (d *disk) backup() map[string]*file {
	list := map[string]*file{}
	for name, f := range d.files {
		list[name] = &file{disk: d, name: name, flushed: slices.Clone(f.flushed), content: slices.Clone(f.flushed)}
	}
	return list
}

// restore replaces the files by those of a backup.
func (d *disk) restore(backup map[string]*file) {
	d.files = backup
	d.files = d.backup() // the backup may be needed again
}

// inject reports whether the disk fails now.
func (d *disk) inject(f fault) bool {
	odds := 6
	if f == renameFailed { // renames are rare
		odds = 2
	}
	if !d.failing || d.rng.IntN(odds) > 0 {
		return false
	}
	d.count(f)
	return true
}

// A file is its flushed bytes and the writes since.
type file struct {
	disk    *disk
	name    string
	flushed []byte
	content []byte
	pending []write
}

// A write is a write that is not flushed, or a truncation if size is not
// negative.
type write struct {
	at   int64
	data []byte
	size int64
}

func (d *disk) step() {
	if d.stepsLeft == 0 {
		d.stepsLeft = -1
		panic(crash{})
	}
	if d.stepsLeft > 0 {
		d.stepsLeft--
	}
}

func (d *disk) Open(name string) (journal.File, error) {
	d.step()
	if d.inject(openFailed) {
		return nil, errIO
	}
	if d.files[name] == nil {
		d.files[name] = &file{disk: d, name: name}
	}
	return d.files[name], nil
}

func (d *disk) Rename(from, to string) error {
	d.step()
	if d.inject(renameFailed) {
		return errIO
	}
	d.count(shortened)
	d.files[to] = d.files[from]
	delete(d.files, from)
	return nil
}

func (d *disk) Remove(name string) error {
	d.step()
	if d.inject(openFailed) {
		return errIO
	}
	delete(d.files, name)
	return nil
}

// losePower simulates a power failure: each unflushed write survives wholly,
// in part or not at all.
func (d *disk) losePower() {
	for _, name := range slices.Sorted(maps.Keys(d.files)) {
		f := d.files[name]
		for _, w := range f.pending {
			switch d.rng.IntN(3) {
			case 0:
				w.data = w.data[:d.rng.IntN(len(w.data)+1)]
				f.flushed = w.apply(f.flushed)
			case 1:
				f.flushed = w.apply(f.flushed)
			}
		}
		f.pending = nil
		f.content = append([]byte(nil), f.flushed...)
	}
}

func (w write) apply(b []byte) []byte {
	if w.size >= 0 {
		return b[:min(int64(len(b)), w.size)]
	}
	if end := w.at + int64(len(w.data)); end > int64(len(b)) {
		b = append(b, make([]byte, end-int64(len(b)))...)
	}
	copy(b[w.at:], w.data)
	return b
}

func (f *file) change(w write) {
	f.content = w.apply(f.content)
	f.pending = append(f.pending, w)
}

func (f *file) WriteAt(p []byte, at int64) (int, error) {
	f.disk.step()
	n := len(p)
	var err error
	if f.disk.full && at+int64(n) > int64(len(f.content)) {
		n, err = f.disk.rng.IntN(n+1), errDiskFull
		f.disk.count(diskFull)
	}
	if err == nil && f.disk.inject(writeFailed) {
		n, err = f.disk.rng.IntN(n+1), errIO
	}
	f.change(write{at: at, data: append([]byte(nil), p[:n]...), size: -1})
	if f.name == offline.JournalName {
		f.disk.logWrite(p[:n], err)
	}
	f.disk.step()
	return n, err
}

// logWrite logs the readable part of a write to the journal: its entries are text.
func (d *disk) logWrite(p []byte, err error) {
	if d.logf == nil {
		return
	}
	text := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && r != unicode.ReplacementChar {
			return r
		}
		return -1
	}, string(p))
	d.logf("writes %s: %v", text, err)
}

func (f *file) Truncate(size int64) error {
	f.disk.step()
	if f.disk.inject(writeFailed) {
		return errIO
	}
	f.change(write{size: size})
	return nil
}

func (f *file) Sync() error {
	f.disk.step()
	if f.disk.inject(flushFailed) { // these writes are not flushed again
		for _, w := range f.pending {
			if f.disk.rng.IntN(2) == 0 {
				f.flushed = w.apply(f.flushed)
			}
		}
		f.pending = nil
		return errIO
	}
	for _, w := range f.pending {
		f.flushed = w.apply(f.flushed)
	}
	f.pending = nil
	f.disk.step()
	return nil
}

func (f *file) ReadAt(p []byte, at int64) (int, error) {
	if at >= int64(len(f.content)) {
		return 0, io.EOF
	}
	n := copy(p, f.content[at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (f *file) Size() (int64, error) { return int64(len(f.content)), nil }
func (f *file) Close() error         { return nil }
