package wal

import (
	"errors"
)

// Begin ends the current generation and starts the next one in a free file. It is on disk
// when Begin returns, but becomes part of the log only when the database has its Mark or
// while the generation before it has not been moved.
func (l *Log) Begin() error {
	s := l.slots[0]
	if s.pending || !l.slots[1].pending && l.slots[1].size > s.size {
		s = l.slots[1] // on a full disk, prefer the larger file
	}
	if s.pending {
		return errors.New("no free file of the log")
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
		if err := SyncDir(l.dir); err != nil {
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
