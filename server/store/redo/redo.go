// Package redo is the log that makes a change durable before it is moved to
// the database: one record with the rows as the change leaves them, appended
// and flushed once.
//
// The log is cut into generations. A generation is written to one of two
// files; when it ends the next one begins in the other, and the ended one is
// moved to the database, all of it, after which its file is free. So neither
// the files nor what is read when they are opened grow without bound.
//
// A record holds its length, a sum, and the number and the salt of its
// generation, so that what an older generation left in a file is never taken
// for a record. The database keeps a Mark: which generation was moved last,
// and the salt of the one that follows it. The last record of an ended
// generation has the salt of the next. So from the Mark to the last record
// everything that was answered hangs in one chain:
//
//   - what the Mark or an ended generation leads to must be there, or something
//     was lost, and Open says so;
//   - a file may not be shorter than its records say;
//   - a record that is not whole ends the log, as a loss of power in the writing
//     of it does: nobody was answered. Where a whole one follows, it was damaged
//     later, and Open says that;
//   - damage up to the end of the last record cannot be told from a loss of power.
//
// The files are written full of zeros ahead of the records, so that a flush
// writes a record and nothing about the file.
package redo

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Files are the names of the two files.
var Files = [2]string{"ledger-1.log", "ledger-2.log"}

// A Mark is what the database knows of its log; it is written with what is
// moved. The zero Mark is that of a database that never had one.
type Mark struct {
	Checkpointed uint64 // the generation that was moved last
	Next         uint64 // the salt of the one after it, 0 when none was begun
}

// A Damage says what of a log is missing or unreadable.
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
	NoSync bool // leaves flushing to the operating system
}

// A Log is the log of one database. Its methods are for one goroutine at a
// time; but Free and Mark may run beside Append.
type Log struct {
	dir   string
	slots [2]*slot

	first uint64 // the generation moved last when the log was opened

	at   *slot  // the file of the generation that is written, nil when there is none
	gen  uint64 // its number, or that of the last one
	salt uint64
	seq  uint32 // of the next record
	end  int64  // where the next one goes
	full int64  // how far the file is written full of zeros

	writeAt func(*os.File, []byte, int64) (int, error)
	flush   func(*os.File) error
}

// Open reads the log in dir. When something of it is missing the error is a
// *Damage.
func Open(dir string, at Mark, opts Options) (_ *Log, err error) {
	l := &Log{dir: dir, first: at.Checkpointed, gen: at.Checkpointed, writeAt: (*os.File).WriteAt, flush: flush}
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

// chain follows the generations from the mark on and keeps those that are to be
// moved, in l.gen the number of the last.
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

// Pending calls fn with the payloads that Append answered and that were not
// moved before the log was opened, in their order. It answers the generation
// they end with, or 0 when nothing is pending.
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

// Mark is what the database must hold when everything up to a generation,
// ended or pending, was moved.
func (l *Log) Mark(moved uint64) Mark {
	if l.at != nil && l.gen == moved+1 {
		return Mark{moved, l.salt}
	}
	return Mark{Checkpointed: moved}
}

// Free lets the files of the generations up to moved be used again.
func (l *Log) Free(moved uint64) {
	for _, s := range l.slots {
		if s.gen <= moved {
			s.pending = false
		}
	}
}

// Begin begins the next generation, in a file that must be free, and ends the
// one before. It is on disk when Begin returns, but counts only when the
// database has its Mark, or the generation before it has not been moved.
func (l *Log) Begin() error {
	s := l.slots[0]
	if s.pending || !l.slots[1].pending && l.slots[1].size > s.size {
		s = l.slots[1] // on a full disk the larger one has more room
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
	made, err := s.open()
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
	if made {
		if err := syncDir(l.dir); err != nil {
			return uncertainError(err)
		}
	}
	s.gen, s.salt, s.pending = l.gen, salt, true
	return nil
}

// Abandon forgets the generation that was begun last and has nothing in it.
func (l *Log) Abandon() {
	l.at.pending = false
	l.at, l.gen = nil, l.gen-1
}

// Stop ends the generation that is written without another one to follow.
func (l *Log) Stop() { l.at = nil }

// Generation is the number of the generation that is written, or of the last one.
func (l *Log) Generation() uint64 { return l.gen }

// HasChanges tells whether anything was written to it since it was opened, or read.
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

// Remove closes the files and removes them; everything in them must have been
// moved.
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
