package store

import (
	"bytes"
	"slices"
)

// A Row is a staged change: the new value of the row with Key in Table; a nil Value deletes
// it.
type Row struct {
	Table      string
	Key, Value []byte
}

// staged has the changed rows of one table. Rows are found by a map and sorted only when
// their order is needed.
type staged struct {
	name   string
	rows   map[string]*change
	sorted []*change // in key order, all but fresh
	fresh  []*change // not sorted yet
	scans  int       // number of scans in progress over sorted
	writes int       // number of changes, so that a scan notices writes of its callback
	undone bool      // rows were taken back whose changes are still in sorted or fresh
}

// A change is a changed row; a nil value is a deleted row.
type change struct {
	key, value []byte
}

// put stages a row, and returns how to take that back.
func (t *staged) put(key, value []byte, mem *arena) undo {
	t.writes++
	if c, ok := t.rows[string(key)]; ok {
		u := undo{t: t, c: c, value: c.value}
		c.value = value
		return u
	}

	c := mem.change()
	c.key, c.value = mem.copy(key), value
	t.rows[string(key)] = c
	t.fresh = append(t.fresh, c)

	return undo{t: t, c: c, added: true}
}

// An undo takes back a change to a row.
type undo struct {
	t     *staged
	c     *change
	value []byte // before the change
	added bool   // there was no change before
}

// revert takes the changes back. No scan may be in progress.
func revert(undos []undo) {
	for _, u := range slices.Backward(undos) {
		if !u.added {
			u.c.value = u.value
			continue
		}
		delete(u.t.rows, string(u.c.key))
		u.c.key, u.t.undone = nil, true // no row has an empty key
	}

	for _, u := range undos {
		if t := u.t; t.undone {
			isUndone := func(c *change) bool { return c.key == nil }
			t.sorted, t.fresh = slices.DeleteFunc(t.sorted, isUndone), slices.DeleteFunc(t.fresh, isUndone)
			t.undone = false
		}
	}
}

// sort merges the fresh rows into sorted. A scan in progress keeps its slice.
func (t *staged) sort() {
	if len(t.fresh) == 0 {
		return
	}

	slices.SortFunc(t.fresh, compareChanges)
	if t.scans > 0 {
		t.sorted = append(make([]*change, 0, len(t.sorted)+2*len(t.fresh)), t.sorted...)
	}

	i, j := len(t.sorted)-1, len(t.fresh)-1
	t.sorted = append(t.sorted, t.fresh...)
	for at := len(t.sorted) - 1; j >= 0; at-- {
		if i >= 0 && compareChanges(t.sorted[i], t.fresh[j]) > 0 {
			t.sorted[at] = t.sorted[i]
			i--
			continue
		}

		t.sorted[at] = t.fresh[j]
		j--
	}

	t.fresh = t.fresh[:0]
}

func compareChanges(a, b *change) int { return bytes.Compare(a.key, b.key) }

// span returns the sorted rows in the range.
func (t *staged) span(r Range) []*change {
	t.sort()
	from, to := 0, len(t.sorted)
	if r.From != nil {
		from = t.search(r.From)
	}
	if r.To != nil {
		to = t.search(r.To)
	}

	return t.sorted[from:max(from, to)]
}

func (t *staged) search(key []byte) int {
	i, _ := slices.BinarySearchFunc(t.sorted, key, func(c *change, key []byte) int {
		return bytes.Compare(c.key, key)
	})
	return i
}

func (t *staged) reset() {
	clear(t.rows)
	clear(t.sorted)
	clear(t.fresh)
	t.sorted, t.fresh, t.writes = t.sorted[:0], t.fresh[:0], 0
}

// An arena allocates memory for the rows of a transaction in growing blocks, because a
// batch stages thousands of small rows, and a single update a few.
type arena struct {
	bytes   []byte
	changes []change
}

const (
	arenaFirst   = 4 << 10
	arenaBytes   = 64 << 10
	arenaChanges = 256
)

// copy returns a copy of b, which is never nil.
func (a *arena) copy(b []byte) []byte {
	if len(b) > arenaBytes/8 {
		return append(make([]byte, 0, len(b)), b...)
	}
	if cap(a.bytes)-len(a.bytes) < len(b) || a.bytes == nil {
		a.bytes = make([]byte, 0, min(max(arenaFirst, 4*cap(a.bytes), 2*len(b)), arenaBytes))
	}

	at := len(a.bytes)
	a.bytes = append(a.bytes, b...)

	return a.bytes[at:len(a.bytes):len(a.bytes)]
}

func (a *arena) change() *change {
	if len(a.changes) == cap(a.changes) {
		a.changes = make([]change, 0, min(max(arenaChanges/8, 2*cap(a.changes)), arenaChanges))
	}
	a.changes = append(a.changes, change{})
	return &a.changes[len(a.changes)-1]
}
