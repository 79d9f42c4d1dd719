package store

import (
	"bytes"
	"runtime/debug"
	"slices"
	"strings"
)

// A batch is a group of updates and their staged changes by partition, over the committed
// state and the batch being committed.
type batch struct {
	updates  []*update
	previous *batch // was being committed when this one began; if it fails, so does this one
	parts    []*part
	index    map[Partition]*part
	changes  []Changes
	err      error // the result, once it is known
}

// A part is one partition's share of a batch.
type part struct {
	p Partition
	Staging
}

// A Staging stages updates of one partition, each over those before it. They share one
// overlay, and what a failed update changed is taken back.
type Staging struct{ rows *Overlay }

// NewStaging returns a staging over the committed rows.
func NewStaging(base Reader) *Staging {
	s := newStaging(new(arena))
	s.rows.base = base
	return &s
}

func newStaging(mem *arena) Staging {
	rows := newOverlay(nil, mem)
	rows.undoable = true
	return Staging{rows}
}

// An Interruption is what the base Reader of a Staging panics with to end an update, which
// does not see it.
type Interruption struct{ Err error }

// Run runs an update and keeps its changes, or discards them if it fails or panics. It
// returns the error of an Interruption.
func (s *Staging) Run(fn func(Tx) error) (err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case Interruption:
			err = v.Err
		default:
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}

		if err != nil {
			s.rows.revert()
			return
		}

		s.rows.keep()
	}()

	return fn(s.rows)
}

// Seal ends the staging and returns the changes.
func (s *Staging) Seal() []Row {
	s.rows.Seal()
	return s.rows.Rows()
}

// stage runs updates over the snapshot.
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

// run runs one update and merges its changes into the batch, or discards them if it fails.
func (b *batch) run(u *update, s Snapshot, mem *arena) {
	if u.err = u.ctx.Err(); u.err != nil {
		return
	}

	part, err := b.part(u.p, s, mem)
	if err != nil {
		u.err = err
		return
	}

	u.err = part.Run(u.fn)
}

func (b *batch) part(p Partition, s Snapshot, mem *arena) (*part, error) {
	if found := b.index[p]; found != nil {
		return found, nil
	}

	added := &part{p: p, Staging: newStaging(mem)}
	if err := b.rebase(added, s); err != nil {
		return nil, err
	}
	if b.index == nil {
		b.index = make(map[Partition]*part)
	}

	b.index[p] = added
	b.parts = append(b.parts, added)

	return added, nil
}

// rebase sets the base of a part to the snapshot and the previous batch.
func (b *batch) rebase(part *part, s Snapshot) error {
	base, err := s.Reader(part.p)
	if err != nil {
		return err
	}
	if b.previous != nil {
		if before := b.previous.index[part.p]; before != nil {
			base = before.rows.over(base)
		}
	}

	part.rows.base = base

	return nil
}

// seal ends the staging and lists the changes sorted by partition, so that backends take
// locks in a fixed order.
func (b *batch) seal() {
	for _, part := range b.parts {
		if rows := part.Seal(); len(rows) > 0 {
			b.changes = append(b.changes, Changes{Partition: part.p, Rows: rows})
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
