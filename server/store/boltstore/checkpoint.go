package boltstore

import (
	"errors"
	"maps"
	"slices"
	"time"

	"bincard/server/store"
)

// checkpointRows is how many rows go to the database in one transaction: enough to
// share pages, and few enough to hold them in memory.
const checkpointRows = 4096

// rotateGeneration begins another generation, and freezes the active one where there
// is one, after the frozen one has been moved.
func (s *Store) rotateGeneration() error {
	s.checkpointing.Lock()
	defer s.checkpointing.Unlock()
	if err := s.checkpointFrozen(); err != nil {
		return err
	}
	s.commit.Lock()
	defer s.commit.Unlock()
	return s.beginGeneration()
}

// restartLog moves everything, so that the log begins anew in a file that is there.
func (s *Store) restartLog() error {
	s.checkpointing.Lock()
	defer s.checkpointing.Unlock()
	return s.checkpointAll()
}

// checkpoint moves what has gathered. Commits go on meanwhile.
func (s *Store) checkpoint() error {
	s.checkpointing.Lock()
	defer s.checkpointing.Unlock()
	return s.checkpointAndRotate()
}

func (s *Store) checkpointAndRotate() error {
	if err := s.checkpointFrozen(); err != nil {
		return err
	}
	err := s.freeze()
	if errors.Is(err, ErrFull) {
		return s.checkpointAll()
	}
	if err != nil {
		return err
	}
	return s.checkpointFrozen()
}

// freeze begins the next generation where the active one has anything.
func (s *Store) freeze() error {
	s.commit.Lock()
	defer s.commit.Unlock()
	if s.active == nil || s.active.bytes == 0 {
		return nil
	}
	return s.beginGeneration()
}

// beginGeneration begins the next generation. Nothing may be frozen.
func (s *Store) beginGeneration() error {
	if err := s.failed.Load(); err != nil {
		return *err
	}
	if err := s.log.Begin(); err != nil {
		return s.judge(err)
	}
	next := &generation{number: s.log.Generation()}
	if s.active == nil {
		f := batchWriter{s: s}
		defer f.rollback()
		if err := f.writeMark(s.log.Mark(next.number - 1)); err != nil {
			s.log.Abandon()
			return err
		}
	}
	s.mu.Lock()
	s.frozen, s.active = s.active, next
	s.mu.Unlock()
	if s.frozen != nil {
		s.checkpointer.wake()
	}
	return nil
}

// checkpointAll moves everything and ends the log: the database holds all there is,
// until the next commit.
func (s *Store) checkpointAll() error {
	if err := s.checkpointFrozen(); err != nil {
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
	return s.checkpointFrozen()
}

// checkpointFrozen moves the frozen generation, if there is one. It may be tried again.
func (s *Store) checkpointFrozen() error {
	g := s.frozen
	if g == nil {
		return nil
	}
	if err := s.failed.Load(); err != nil {
		return *err
	}
	f := batchWriter{s: s, maxRows: checkpointRows}
	defer f.rollback()
	for _, p := range slices.SortedFunc(maps.Keys(g.parts), store.Partition.Compare) {
		if err := f.writeLayer(p, g.parts[p]); err != nil {
			return err
		}
	}
	if err := f.writeMark(s.log.Mark(g.number)); err != nil {
		return err
	}
	s.log.Free(g.number)
	s.mu.Lock()
	s.frozen = nil
	s.mu.Unlock()
	return nil
}

// writeLayer writes a layer, a few rows of a table at a time.
func (f *batchWriter) writeLayer(p store.Partition, layer *store.Layer) error {
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

// commitDirect commits to the database at once.
func (s *Store) commitDirect(changes []store.Changes) error {
	s.checkpointing.Lock()
	defer s.checkpointing.Unlock()
	if err := s.checkpointFrozen(); err != nil {
		return err
	}
	f := batchWriter{s: s}
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

// A checkpointer moves what has gathered when it is much, and when it is old.
type checkpointer struct {
	s           *Store
	full, first chan struct{} // each holds one sign
	quit, done  chan struct{}
}

const (
	maxLogAge       = 5 * time.Second // what is older is moved though it is little
	checkpointRetry = 5 * time.Second // after this a move that failed is tried again
)

func startCheckpointer(s *Store) *checkpointer {
	m := &checkpointer{s: s, full: make(chan struct{}, 1), first: make(chan struct{}, 1), quit: make(chan struct{}), done: make(chan struct{})}
	if s.frozen != nil {
		m.wake()
	}
	go m.loop()
	return m
}

func (m *checkpointer) loop() {
	defer close(m.done)
	var due <-chan time.Time
	for {
		select {
		case <-m.quit:
			return
		case <-m.first:
			due = time.After(maxLogAge)
			continue
		case <-m.full:
		case <-due:
		}
		due = nil
		if m.s.guard(m.s.checkpoint) != nil {
			due = time.After(checkpointRetry)
		}
	}
}

// observe takes note of a record: of how much has gathered with it.
func (m *checkpointer) observe(gathered, record, much int64) {
	switch {
	case gathered >= much:
		m.wake()
	case gathered == record:
		notify(m.first)
	}
}

func (m *checkpointer) wake() { notify(m.full) }

func (m *checkpointer) stop() {
	close(m.quit)
	<-m.done
}

func notify(to chan struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}
