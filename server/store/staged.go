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
}

// A change is a changed row; a nil value is a deleted row.
type change struct {
	key, value []byte
}

func (t *staged) put(key, value []byte, mem *arena) {
	t.writes++
	if c, ok := t.rows[string(key)]; ok {
		c.value = value
		return
	}
	c := mem.change()
	c.key, c.value = mem.copy(key), value
	t.rows[string(key)] = c
	t.fresh = append(t.fresh, c)
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
