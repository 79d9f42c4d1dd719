package boltstore

import (
	"errors"
	"fmt"

	"bincard/server/store"
	"bincard/server/store/redo"
)

// backend commits what store.Writer hands it.
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
		err = b.s.appendToLog(changes) // where the log begins anew, in a file that is there
	}
	return err
}

// appendToLog appends the changes to the log and shows them. It waits when more has
// gathered than may.
func (s *Store) appendToLog(changes []store.Changes) error {
	for {
		entered, err := s.append(changes)
		if entered || err != nil {
			return err
		}
		if err := s.rotateGeneration(); err != nil {
			return err
		}
	}
}

// append appends the changes, if the active generation takes more.
func (s *Store) append(changes []store.Changes) (entered bool, err error) {
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
		return false, s.judge(err)
	}
	if err := s.apply(g, payload); err != nil {
		return false, err
	}
	s.checkpointer.observe(g.bytes, int64(len(payload)), s.opts.CheckpointBytes)
	return true, nil
}

// checkFits holds that what the log has can still be moved to the database when the
// changes are in it too.
func (s *Store) checkFits(changes []store.Changes) error {
	left := room(s.dir)
	if left < 0 {
		return nil
	}
	need := s.LogBytes() + spare
	for _, c := range changes {
		for _, row := range c.Rows {
			need += int64(len(row.Key) + len(row.Value))
		}
	}
	if need *= 2; left < need { // the database needs room for copies of pages, too
		return fmt.Errorf("%w (%d bytes free, up to %d needed)", ErrFull, left, need)
	}
	return nil
}

// spare is room for the pages above those of the rows.
const spare = 64 << 10

// apply shows what a record of the log says.
func (s *Store) apply(g *generation, payload []byte) error {
	var all []store.Changes
	if err := redo.Decode(payload, func(c store.Changes) { all = append(all, c) }); err != nil {
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

// judge names an error of the disk. After a flush that failed nobody knows what
// is on it: then the store stops, and what it holds is known when it is opened
// again.
func (s *Store) judge(err error) error {
	err = diskFullError(err)
	if errors.Is(err, store.ErrUncertain) {
		s.failed.CompareAndSwap(nil, &err)
	}
	return err
}
