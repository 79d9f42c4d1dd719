// Package redo is the log that makes changes durable before they are moved to the database:
// one record per commit with the changed rows, appended and flushed once.
//
// The log consists of generations. A generation is written to one of two files; when it
// ends the next one starts in the other file, and the ended one is moved to the database as
// a whole, which frees its file. So the size of the files and the time to read them are
// bounded.
//
// A record has its length, a checksum, and the number and the salt of its generation, so
// that leftovers of an older generation are never taken for records. The database stores a
// Mark: the generation moved last, and the salt of the next one. The last record of an ended
// generation has the salt of the next. So everything acknowledged, from the Mark to the last
// record, forms one chain:
//
//   - If what the Mark or an ended generation leads to is missing, something was lost, and
//     Open reports it.
//   - A file must not be shorter than its records say.
//   - An incomplete record ends the log, because a loss of power leaves one that was not
//     acknowledged yet. If complete records follow it, it was damaged later, and Open
//     reports that.
//   - Damage of the last record cannot be distinguished from a loss of power.
//
// The files are filled with zeros ahead of the records, so that a flush writes a record and
// no file metadata.
package redo

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"bincard/server/store/wal"
)

// Files are the names of the two files.
var Files = [2]string{"ledger-1.log", "ledger-2.log"}

// A Mark is the database's position in its log, written together with what is moved. The
// zero Mark is that of a database that never had a log.
type Mark struct {
	Checkpointed uint64 // the generation moved last
	Next         uint64 // the salt of the next one, 0 if it was not started
}

// A Damage reports what is missing or unreadable in a log.
type Damage struct {
	Path string
	Err  error
}

func (d *Damage) Error() string {
	return fmt.Sprintf("log %s is damaged: %v; it holds the latest acknowledged changes, which are not in the database yet; "+
		"nothing was changed; copy the whole directory, then restore a backup", d.Path, d.Err)
}

func (d *Damage) Unwrap() error { return d.Err }

// Options of Open.
type Options struct {
	NoSync bool // leave flushing to the operating system
}

// A Log is the log of one database. Its methods are for one goroutine at a time, except
// that Free and Mark may run concurrently with Append.
type Log struct {
	dir   string
	slots [2]*slot

	first uint64 // the generation moved last when the log was opened

	at   *slot  // the file of the current generation, or nil
	gen  uint64 // its number, or that of the last one
	salt uint64
	seq  uint32 // of the next record
	end  int64  // where the next record goes
	full int64  // how far the file is filled with zeros

	writeAt func(*os.File, []byte, int64) (int, error)
	flush   func(*os.File) error
}

// Open reads the log in dir. If something is missing or unreadable the error is a *Damage.
func Open(dir string, at Mark, opts Options) (_ *Log, err error) {
	l := &Log{dir: dir, first: at.Checkpointed, gen: at.Checkpointed, writeAt: (*os.File).WriteAt, flush: wal.Flush}
	if opts.NoSync {
		l.flush = func(*os.File) error { return nil }
	}
	defer func() {
		if err != nil {
			l.Close()
		}
	}()
	for i, name := range Files {
		if l.slots[i], err = readSlot(filepath.Join(dir, name), at.Checkpointed); err != nil {
			return nil, err
		}
	}
	if err := l.chain(at); err != nil {
		return nil, err
	}
	return l, nil
}

// chain follows the generations from the mark and marks those that are to be moved as
// pending. It sets l.gen to the last one.
func (l *Log) chain(at Mark) error {
	salt := at.Next
	var found []*slot
	for gen := at.Checkpointed + 1; salt != 0; gen++ {
		s := l.find(gen, salt)
		if s == nil {
			return &Damage{filepath.Join(l.dir, Files[0]), fmt.Errorf(
				"segment %d is in neither of its files (%s, %s); they are missing, unreadable or belong to another state of the database", gen, Files[0], Files[1])}
		}
		found = append(found, s)
		l.gen, l.salt, salt = gen, salt, s.next
	}
	for _, s := range l.slots {
		s.pending = false
		for _, f := range found {
			s.pending = s.pending || s == f
		}
		if !s.pending && len(s.changes) > 0 && s.gen > at.Checkpointed {
			return &Damage{s.path, fmt.Errorf("segment %d does not follow the database's (%d)", s.gen, at.Checkpointed)}
		}
	}
	return nil
}

func (l *Log) find(gen, salt uint64) *slot {
	for _, s := range l.slots {
		if s.gen == gen && s.salt == salt {
			return s
		}
	}
	return nil
}

// Pending calls fn with the payloads that were appended but not moved when the log was
// opened, in order. It returns the last generation among them, or 0 if there are none.
func (l *Log) Pending(fn func(payload []byte) error) (last uint64, err error) {
	first, second := l.slots[0], l.slots[1]
	if first.gen > second.gen {
		first, second = second, first
	}
	for _, s := range []*slot{first, second} {
		if !s.pending {
			continue
		}
		last = s.gen
		for _, payload := range s.changes {
			if err := fn(payload); err != nil {
				return 0, err
			}
		}
		s.changes = nil
	}
	return last, nil
}

// Mark returns the mark to store once everything up to a generation, ended or pending, is
// moved.
func (l *Log) Mark(moved uint64) Mark {
	if l.at != nil && l.gen == moved+1 {
		return Mark{moved, l.salt}
	}
	return Mark{Checkpointed: moved}
}

// Free allows the files of the generations up to moved to be reused.
func (l *Log) Free(moved uint64) {
	for _, s := range l.slots {
		if s.gen <= moved {
			s.pending = false
		}
	}
}

// Begin ends the current generation and starts the next one in a free file. It is on disk
// when Begin returns, but becomes part of the log only when the database has its Mark or
// while the generation before it has not been moved.
func (l *Log) Begin() error {
	s := l.slots[0]
	if s.pending || !l.slots[1].pending && l.slots[1].size > s.size {
		s = l.slots[1] // on a full disk, prefer the larger file
	}
	if s.pending {
		return errors.New("redo: no free file")
	}
	before := *l
	salt := newSalt()
	if err := l.begin(s, salt); err != nil {
		*l = before
		return err
	}
	if before.at == nil {
		return nil
	}
	after := *l
	*l = before
	if err := l.append(kindEnd, salt); err != nil {
		s.pending = false
		return err
	}
	*l = after
	return nil
}

func (l *Log) begin(s *slot, salt uint64) error {
	created, err := s.open()
	if err != nil {
		return err
	}
	l.at, l.gen, l.salt, l.seq, l.end, l.full = s, l.gen+1, salt, 0, 0, s.size
	if err := l.grow(4 * noteSize); err != nil {
		return err
	}
	if err := l.append(kindBegin, uint64(l.full)); err != nil {
		return err
	}
	if created {
		if err := wal.SyncDir(l.dir); err != nil {
			return uncertainError(err)
		}
	}
	s.gen, s.salt, s.pending = l.gen, salt, true
	return nil
}

// Abandon discards the current generation, which must be empty.
func (l *Log) Abandon() {
	l.at.pending = false
	l.at, l.gen = nil, l.gen-1
}

// Stop ends the current generation without starting another.
func (l *Log) Stop() { l.at = nil }

// Generation returns the number of the current or the last generation.
func (l *Log) Generation() uint64 { return l.gen }

// HasChanges reports whether the log has or had generations after the one moved at Open.
func (l *Log) HasChanges() bool { return l.gen > l.first }

// Close closes the files.
func (l *Log) Close() {
	for _, s := range l.slots {
		if s != nil && s.file != nil {
			s.file.Close()
			s.file = nil
		}
	}
	l.at = nil
}

// Remove closes the files and deletes them. Everything in them must have been moved.
func (l *Log) Remove() error {
	l.Close()
	var errs []error
	for _, s := range l.slots {
		if err := os.Remove(s.path); err != nil && !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
