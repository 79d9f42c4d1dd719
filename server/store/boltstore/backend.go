package boltstore

import (
	"errors"
	"fmt"

	"bincard/server/store"
	"bincard/server/store/wal"
)

// backend implements store.Backend.
type backend struct{ s *Store }

func (b backend) Begin() (store.Snapshot, error) { return b.s.snapshot() }

func (b backend) Commit(changes []store.Changes) error {
	return b.s.guard(func() error { return b.commit(changes) })
}

func (b backend) commit(changes []store.Changes) error {
	if b.s.opts.MaxSize > 0 {
		return b.s.commitDirect(changes)
	}
	err := b.s.appendToLog(changes)
	if errors.Is(err, ErrFull) && b.s.restartLog() == nil {
		err = b.s.appendToLog(changes) // reuses the space of an existing log file
	}
	return err
}

// appendToLog appends the changes to the log and makes them visible. It waits while the
// log is too large.
func (s *Store) appendToLog(changes []store.Changes) error {
	for {
		appended, err := s.append(changes)
		if appended || err != nil {
			return err
		}
		if err := s.rotateGeneration(); err != nil {
			return err
		}
	}
}

// append appends the changes, unless the active generation is full.
func (s *Store) append(changes []store.Changes) (appended bool, err error) {
	s.commit.Lock()
	defer s.commit.Unlock()
	if err := s.failed.Load(); err != nil {
		return false, *err
	}

	g := s.active
	if g == nil || g.bytes >= 2*s.opts.CheckpointBytes {
		return false, nil
	}
	if err := s.checkFits(changes); err != nil {
		return false, err
	}

	payload, err := s.log.Append(changes)
	if err != nil {
		return false, s.stopIfUncertain(err)
	}
	if err := s.apply(g, payload); err != nil {
		return false, err
	}

	s.checkpointer.observe(g.bytes, int64(len(payload)), s.opts.CheckpointBytes)

	return true, nil
}

// checkFits checks that there is disk space to move the log to the database after the
// changes are added.
func (s *Store) checkFits(changes []store.Changes) error {
	free := freeSpace(s.dir)
	if free < 0 {
		return nil
	}

	need := s.LogBytes() + spare
	for _, c := range changes {
		for _, row := range c.Rows {
			need += int64(len(row.Key) + len(row.Value))
		}
	}

	if need *= 2; free < need { // the database also needs space for page copies
		return fmt.Errorf("%w (%d bytes free, up to %d needed)", ErrFull, free, need)
	}

	return nil
}

// spare is space for the inner pages above the rows' pages.
const spare = 64 << 10

// apply makes the changes of a log record visible.
func (s *Store) apply(g *generation, payload []byte) error {
	var all []store.Changes
	if err := wal.Decode(payload, func(c store.Changes) { all = append(all, c) }); err != nil {
		return err
	}

	layers := make([]*store.Layer, len(all))
	for i, c := range all {
		layers[i] = g.parts[c.Partition].With(c.Rows)
	}

	s.mu.Lock()
	defer s.mu.Unlock()
	if g.parts == nil {
		g.parts = make(map[store.Partition]*store.Layer)
	}
	for i, c := range all {
		g.parts[c.Partition] = layers[i]
	}

	g.bytes += int64(len(payload))

	return nil
}
