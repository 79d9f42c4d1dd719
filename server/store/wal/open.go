package wal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Files are the names of the two files.
var Files = [2]string{"ledger-1.log", "ledger-2.log"}

// Options of Open.
type Options struct {
	NoSync bool // leave flushing to the operating system
}

// Open reads the log in dir. If something is missing or unreadable the error is a *Damage.
func Open(dir string, at Mark, opts Options) (_ *Log, err error) {
	l := &Log{dir: dir, first: at.Checkpointed, gen: at.Checkpointed, writeAt: (*os.File).WriteAt, flush: Flush}
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
			return &Damage{
				filepath.Join(l.dir, Files[0]),
				fmt.Errorf(
					"segment %d is in neither of its files (%s, %s); they are missing, unreadable or belong to another state of the database",
					gen,
					Files[0],
					Files[1],
				),
			}
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
