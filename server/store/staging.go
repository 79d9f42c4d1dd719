package store

import (
	"bytes"
	"runtime/debug"
	"slices"
	"strings"
)

// A batch is a group of updates and what they did so far, a partition at a
// time, over what is committed and over the batch that is being committed.
type batch struct {
	updates  []*update
	previous *batch // was being committed when this one began; where that fails, this one does
	parts    []*part
	index    map[Partition]*part
	changes  []Changes
	err      error // what became of it, once it is answered
}

// A part is one partition's share of a batch: the updates kept so far, and
// over them the one that runs.
type part struct {
	p         Partition
	kept, now *Overlay
}

// stage runs updates on what the snapshot shows.
func (b *batch) stage(updates []*update, s Snapshot, mem *arena) {
	for _, part := range b.parts {
		if err := b.rebase(part, s); err != nil {
			for _, u := range updates {
				u.err = err
			}
			return
		}
	}
	for _, u := range updates {
		if u.claimed.CompareAndSwap(false, true) {
			b.run(u, s, mem)
		}
	}
}

// run runs one update and keeps what it did, or drops it when it fails.
func (b *batch) run(u *update, s Snapshot, mem *arena) {
	if u.err = u.ctx.Err(); u.err != nil {
		return
	}
	part, err := b.part(u.p, s, mem)
	if err != nil {
		u.err = err
		return
	}
	defer func() {
		if v := recover(); v != nil {
			u.err = &PanicError{Value: v, Stack: debug.Stack()}
		}
		if u.err != nil {
			part.now.clear()
		}
	}()
	if u.err = u.fn(part.now); u.err == nil {
		part.now.fold(part.kept)
	}
}

func (b *batch) part(p Partition, s Snapshot, mem *arena) (*part, error) {
	if found := b.index[p]; found != nil {
		return found, nil
	}
	made := &part{p: p, kept: newOverlay(nil, mem)}
	made.now = newOverlay(made.kept, mem)
	if err := b.rebase(made, s); err != nil {
		return nil, err
	}
	if b.index == nil {
		b.index = make(map[Partition]*part)
	}
	b.index[p] = made
	b.parts = append(b.parts, made)
	return made, nil
}

// rebase lays a part over the snapshot and the batch ahead.
func (b *batch) rebase(part *part, s Snapshot) error {
	base, err := s.Reader(part.p)
	if err != nil {
		return err
	}
	if b.previous != nil {
		if before := b.previous.index[part.p]; before != nil {
			base = before.kept.over(base)
		}
	}
	part.kept.base = base
	return nil
}

// seal ends the staging and lists what the batch changed, in the order of
// partitions, so that backends with locks take them in one order.
func (b *batch) seal() {
	for _, part := range b.parts {
		part.kept.Seal()
		if part.kept.Dirty() > 0 {
			b.changes = append(b.changes, Changes{Partition: part.p, Rows: part.kept.Rows()})
		}
	}
	slices.SortFunc(b.changes, func(a, b Changes) int { return a.Partition.Compare(b.Partition) })
}

// Compare orders partitions by organization, then environment.
func (p Partition) Compare(q Partition) int {
	if c := bytes.Compare(p.Organization[:], q.Organization[:]); c != 0 {
		return c
	}
	return strings.Compare(p.Environment, q.Environment)
}
