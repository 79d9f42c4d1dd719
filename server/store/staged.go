package store

import (
	"bytes"
	"slices"
)

// A Row is one staged change: the row under Key of Table becomes Value, or
// goes when Value is nil.
type Row struct {
	Table      string
	Key, Value []byte
}

// staged holds the changed rows of one table. Rows are found by a map and
// sorted only when somebody asks for their order.
type staged struct {
	name   string
	rows   map[string]*change
	sorted []*change // in key order, all but fresh
	fresh  []*change // not yet sorted
	scans  int       // how many scans walk sorted now
	writes int       // raised by each change, so that a scan sees its callback write
}

// A change is a row as the transaction left it; a nil value is a deleted row.
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

// sort brings the fresh rows into sorted. A scan that is under way keeps the
// slice it walks.
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

// span is the part of the sorted rows that the range covers.
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

// An arena hands out memory for the rows of a transaction in pieces that grow,
// because a batch stages thousands of small ones, and a lone update a few.
type arena struct {
	bytes   []byte
	changes []change
}

const (
	arenaFirst   = 4 << 10
	arenaBytes   = 64 << 10
	arenaChanges = 256
)

// copy keeps b. The result is never nil.
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
