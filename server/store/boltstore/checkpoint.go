package boltstore

import (
	"errors"
	"maps"
	"slices"

	"bincard/server/store"
)

// checkpointRows is how many rows one transaction moves to the database: enough to share
// pages, and few enough to hold in memory.
const checkpointRows = 4096

// rotateGeneration moves the frozen generation, then freezes the active one, if any, and
// starts another.
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

// restartLog moves everything, so that the log restarts in an existing file.
func (s *Store) restartLog() error {
	s.checkpointing.Lock()
	defer s.checkpointing.Unlock()
	return s.checkpointAll()
}

// checkpoint moves what the log has, without blocking commits.
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

// freeze starts the next generation, unless the active one is empty.
func (s *Store) freeze() error {
	s.commit.Lock()
	defer s.commit.Unlock()
	if s.active == nil || s.active.bytes == 0 {
		return nil
	}
	return s.beginGeneration()
}

// beginGeneration starts the next generation. There must be no frozen one.
func (s *Store) beginGeneration() error {
	if err := s.failed.Load(); err != nil {
		return *err
	}
	if err := s.log.Begin(); err != nil {
		return s.stopIfUncertain(err)
	}

	next := &generation{number: s.log.Generation()}
	if s.active == nil {
		w := batchWriter{s: s}
		defer w.rollback()
		if err := w.writeMark(s.log.Mark(next.number - 1)); err != nil {
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

// checkpointAll moves everything and ends the log: until the next commit the database is
// complete.
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

// checkpointFrozen moves the frozen generation, if any. It can be retried.
func (s *Store) checkpointFrozen() error {
	g := s.frozen
	if g == nil {
		return nil
	}
	if err := s.failed.Load(); err != nil {
		return *err
	}

	w := batchWriter{s: s, maxRows: checkpointRows}
	defer w.rollback()
	for _, p := range slices.SortedFunc(maps.Keys(g.parts), store.Partition.Compare) {
		if err := w.writeLayer(p, g.parts[p]); err != nil {
			return err
		}
	}

	if err := w.writeMark(s.log.Mark(g.number)); err != nil {
		return err
	}

	s.log.Free(g.number)
	s.mu.Lock()
	s.frozen = nil
	s.mu.Unlock()

	return nil
}

// writeLayer writes a layer, a few rows of a table at a time.
func (w *batchWriter) writeLayer(p store.Partition, layer *store.Layer) error {
	rows := make([]store.Row, 0, 512)
	for _, table := range slices.Sorted(layer.Tables()) {
		err := layer.Changes(table, func(key, value []byte) error {
			rows = append(rows, store.Row{Table: table, Key: key, Value: value})
			if len(rows) < cap(rows) {
				return nil
			}
			err := w.put(p, table, rows)
			rows = rows[:0]
			return err
		})
		if err == nil {
			err = w.put(p, table, rows)
			rows = rows[:0]
		}
		if err != nil {
			return err
		}
	}

	return nil
}

// commitDirect commits to the database without the log.
func (s *Store) commitDirect(changes []store.Changes) error {
	s.checkpointing.Lock()
	defer s.checkpointing.Unlock()
	if err := s.checkpointFrozen(); err != nil {
		return err
	}

	w := batchWriter{s: s}
	defer w.rollback()
	for _, c := range changes {
		for rows := c.Rows; len(rows) > 0; {
			n := 1
			for n < len(rows) && rows[n].Table == rows[0].Table {
				n++
			}
			if err := w.put(c.Partition, rows[0].Table, rows[:n]); err != nil {
				return err
			}
			rows = rows[n:]
		}
	}

	return w.flush()
}
