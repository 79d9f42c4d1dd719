package boltstore

import (
	"errors"
	"maps"
	"slices"
	"time"

	"bincard/server/store"
)

// moveRows is how many rows go to the database in one transaction: enough to
// share pages, and few enough to hold them in memory.
const moveRows = 4096

// makeRoom begins another generation, and freezes the active one where there
// is one, after the frozen one has been moved.
func (s *Store) makeRoom() error {
	s.moving.Lock()
	defer s.moving.Unlock()
	if err := s.thaw(); err != nil {
		return err
	}
	s.commit.Lock()
	defer s.commit.Unlock()
	return s.turn()
}

// makeWay moves everything, so that the log begins anew in a file that is there.
func (s *Store) makeWay() error {
	s.moving.Lock()
	defer s.moving.Unlock()
	return s.settle()
}

// move moves what has gathered. Commits go on meanwhile.
func (s *Store) move() error {
	s.moving.Lock()
	defer s.moving.Unlock()
	return s.moveOn()
}

func (s *Store) moveOn() error {
	if err := s.thaw(); err != nil {
		return err
	}
	err := s.freeze()
	if errors.Is(err, ErrFull) {
		return s.settle()
	}
	if err != nil {
		return err
	}
	return s.thaw()
}

// freeze begins the next generation where the active one has anything.
func (s *Store) freeze() error {
	s.commit.Lock()
	defer s.commit.Unlock()
	if s.active == nil || s.active.bytes == 0 {
		return nil
	}
	return s.turn()
}

// turn begins the next generation. Nothing may be frozen.
func (s *Store) turn() error {
	if err := s.failed.Load(); err != nil {
		return *err
	}
	if err := s.log.Begin(); err != nil {
		return s.judge(err)
	}
	next := &generation{number: s.log.Generation()}
	if s.active == nil {
		f := filling{s: s}
		defer f.rollback()
		if err := f.mark(s.log.Mark(next.number - 1)); err != nil {
			s.log.Abandon()
			return err
		}
	}
	s.mu.Lock()
	s.frozen, s.active = s.active, next
	s.mu.Unlock()
	if s.frozen != nil {
		s.mover.wake()
	}
	return nil
}

// settle moves everything and ends the log: the database holds all there is,
// until the next commit.
func (s *Store) settle() error {
	if err := s.thaw(); err != nil {
		return err
	}
	s.commit.Lock()
	if s.active != nil {
		s.log.Stop()
		s.mu.Lock()
		s.frozen, s.active = s.active, nil
		s.mu.Unlock()
	}
	s.commit.Unlock()
	return s.thaw()
}

// thaw moves the frozen generation, if there is one. It may be tried again.
func (s *Store) thaw() error {
	g := s.frozen
	if g == nil {
		return nil
	}
	if err := s.failed.Load(); err != nil {
		return *err
	}
	f := filling{s: s, most: moveRows}
	defer f.rollback()
	for _, p := range slices.SortedFunc(maps.Keys(g.parts), store.Partition.Compare) {
		if err := f.move(p, g.parts[p]); err != nil {
			return err
		}
	}
	if err := f.mark(s.log.Mark(g.number)); err != nil {
		return err
	}
	s.log.Free(g.number)
	s.mu.Lock()
	s.frozen = nil
	s.mu.Unlock()
	return nil
}

// move writes a layer, a few rows of a table at a time.
func (f *filling) move(p store.Partition, layer *store.Layer) error {
	rows := make([]store.Row, 0, 512)
	for _, table := range slices.Sorted(layer.Tables()) {
		err := layer.Changes(table, func(key, value []byte) error {
			rows = append(rows, store.Row{Table: table, Key: key, Value: value})
			if len(rows) < cap(rows) {
				return nil
			}
			err := f.put(p, table, rows)
			rows = rows[:0]
			return err
		})
		if err == nil {
			err = f.put(p, table, rows)
			rows = rows[:0]
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// through commits to the database at once.
func (s *Store) through(changes []store.Changes) error {
	s.moving.Lock()
	defer s.moving.Unlock()
	if err := s.thaw(); err != nil {
		return err
	}
	f := filling{s: s}
	defer f.rollback()
	for _, c := range changes {
		for rows := c.Rows; len(rows) > 0; {
			n := 1
			for n < len(rows) && rows[n].Table == rows[0].Table {
				n++
			}
			if err := f.put(c.Partition, rows[0].Table, rows[:n]); err != nil {
				return err
			}
			rows = rows[n:]
		}
	}
	return f.flush()
}

// A mover moves what has gathered when it is much, and when it is old.
type mover struct {
	s           *Store
	much, first chan struct{} // each holds one sign
	quit, ended chan struct{}
}

const (
	old   = 5 * time.Second // what is older is moved though it is little
	again = 5 * time.Second // after this a move that failed is tried again
)

func startMover(s *Store) *mover {
	m := &mover{s: s, much: make(chan struct{}, 1), first: make(chan struct{}, 1), quit: make(chan struct{}), ended: make(chan struct{})}
	if s.frozen != nil {
		m.wake()
	}
	go m.loop()
	return m
}

func (m *mover) loop() {
	defer close(m.ended)
	var due <-chan time.Time
	for {
		select {
		case <-m.quit:
			return
		case <-m.first:
			due = time.After(old)
			continue
		case <-m.much:
		case <-due:
		}
		due = nil
		if m.s.guarded(m.s.move) != nil {
			due = time.After(again)
		}
	}
}

// notice takes note of a record: of how much has gathered with it.
func (m *mover) notice(gathered, record, much int64) {
	switch {
	case gathered >= much:
		m.wake()
	case gathered == record:
		signal(m.first)
	}
}

func (m *mover) wake() { signal(m.much) }

func (m *mover) stop() {
	close(m.quit)
	<-m.ended
}

func signal(to chan struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}
