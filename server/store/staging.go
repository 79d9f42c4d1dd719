package store

import (
	"bytes"
	"runtime/debug"
	"slices"
	"strings"
)

// staging is a batch in the making: what its updates did so far, a partition
// at a time, over what is committed.
type staging struct {
	tx    Batch
	mem   *arena
	parts []*part
	index map[Partition]*part
}

// A part is one partition's share of a batch: the updates kept so far, and
// over them the one that runs.
type part struct {
	p         Partition
	kept, now *Overlay
}

// run runs one update and keeps what it did, or drops it when it fails.
func (s *staging) run(u *update) {
	if u.err = u.ctx.Err(); u.err != nil {
		return
	}
	part, err := s.part(u.p)
	if err != nil {
		u.err = err
		return
	}
	defer func() {
		if v := recover(); v != nil {
			u.err = &PanicError{Value: v, Stack: debug.Stack()}
		}
		if u.err != nil {
			part.now.drop()
		}
	}()
	if u.err = u.fn(part.now); u.err == nil {
		part.now.fold(part.kept)
	}
}

func (s *staging) part(p Partition) (*part, error) {
	if found := s.index[p]; found != nil {
		return found, nil
	}
	base, err := s.tx.Reader(p)
	if err != nil {
		return nil, err
	}
	made := &part{p: p, kept: newOverlay(base, s.mem)}
	made.now = newOverlay(made.kept, s.mem)
	if s.index == nil {
		s.index = make(map[Partition]*part)
	}
	s.index[p] = made
	s.parts = append(s.parts, made)
	return made, nil
}

// changes lists what the batch changed, in the order of partitions, so that
// backends with locks take them in one order.
func (s *staging) changes() []Changes {
	var list []Changes
	for _, part := range s.parts {
		if part.kept.Dirty() > 0 {
			list = append(list, Changes{Partition: part.p, Rows: part.kept.Rows()})
		}
	}
	slices.SortFunc(list, func(a, b Changes) int { return a.Partition.compare(b.Partition) })
	return list
}

func (p Partition) compare(q Partition) int {
	if c := bytes.Compare(p.Organization[:], q.Organization[:]); c != 0 {
		return c
	}
	return strings.Compare(p.Environment, q.Environment)
}
