package store

import (
	"errors"
	"fmt"
	"sort"
)

// MaxKey is the greatest length of a key, in bytes.
const MaxKey = 4096

// ErrKey refuses a row whose key is empty or longer than MaxKey, or whose
// table has no name.
var ErrKey = errors.New("store: invalid key")

// An Overlay is a transaction staged in memory over a Reader: it reads through
// its own rows to the base, and the base is never changed. An overlay may lie
// over another one.
//
// A callback of Scan may write: a row it changes ahead of the scan is seen as
// changed, one it deletes is not seen, one it adds may be missed.
//
// An Overlay is for one goroutine at a time; after Seal any number may read it.
type Overlay struct {
	base   Reader
	tables map[string]*staged
	last   *staged // the table used last: most calls come in runs
	mem    *arena
	sealed bool
}

// NewOverlay stages over base. A nil base is an empty one.
func NewOverlay(base Reader) *Overlay {
	return newOverlay(base, new(arena))
}

func newOverlay(base Reader, mem *arena) *Overlay {
	if base == nil {
		base = emptyReader{}
	}
	return &Overlay{base: base, tables: make(map[string]*staged, 8), mem: mem}
}

// Get returns the staged row, or the base's. The slice must not be changed.
func (o *Overlay) Get(table string, key []byte) ([]byte, error) {
	if t := o.find(table); t != nil {
		if c, ok := t.rows[string(key)]; ok {
			return c.value, nil
		}
	}
	return o.base.Get(table, key)
}

// Put stages a row. It copies key and value.
func (o *Overlay) Put(table string, key, value []byte) error {
	if err := o.check(table, key); err != nil {
		return err
	}
	o.table(table).put(key, o.mem.copy(value), o.mem)
	return nil
}

// Delete stages the end of a row; to delete a row that is not there is no error.
func (o *Overlay) Delete(table string, key []byte) error {
	if err := o.check(table, key); err != nil {
		return err
	}
	o.table(table).put(key, nil, o.mem)
	return nil
}

// Scan merges the staged rows with those of the base.
func (o *Overlay) Scan(table string, r Range, fn func(key, value []byte) error) error {
	if o.sealed && o.find(table) == nil {
		return o.base.Scan(table, r, fn)
	}
	m := rowMerge{t: o.table(table), reverse: r.Reverse, fn: fn}
	m.rows, m.writes = m.t.span(r), m.t.writes
	if !o.sealed {
		m.t.scans++
		defer func() { m.t.scans-- }()
	}
	err := o.base.Scan(table, r, m.base)
	if err == nil && !m.stopped {
		err = m.rest()
	}
	if errors.Is(err, ErrStop) {
		return nil
	}
	return err
}

// Dirty is the number of staged rows.
func (o *Overlay) Dirty() int {
	n := 0
	for _, t := range o.tables {
		n += len(t.rows)
	}
	return n
}

// Rows returns the staged rows in the order of table and key, to write out.
// The slices are the overlay's.
func (o *Overlay) Rows() []Row {
	rows := make([]Row, 0, o.Dirty())
	for _, name := range o.names() {
		t := o.tables[name]
		t.sort()
		for _, c := range t.sorted {
			rows = append(rows, Row{Table: name, Key: c.key, Value: c.value})
		}
	}
	return rows
}

// Apply writes the staged rows to tx and leaves the overlay as it is.
func (o *Overlay) Apply(tx Tx) error {
	for _, row := range o.Rows() {
		if err := row.Apply(tx); err != nil {
			return err
		}
	}
	return nil
}

// Apply writes the row to tx.
func (r Row) Apply(tx Tx) error {
	if r.Value == nil {
		return tx.Delete(r.Table, r.Key)
	}
	return tx.Put(r.Table, r.Key, r.Value)
}

// Reset forgets all staged rows and lays the overlay over base.
func (o *Overlay) Reset(base Reader) {
	if base == nil {
		base = emptyReader{}
	}
	o.base, o.sealed, o.mem = base, false, new(arena)
	for _, t := range o.tables {
		t.reset()
	}
}

// Reuse is Reset over the same memory: what Rows and Get answered before is
// not to be looked at any more.
func (o *Overlay) Reuse(base Reader) {
	mem := o.mem
	mem.bytes, mem.changes = mem.bytes[:0], mem.changes[:0]
	o.Reset(base)
	o.mem = mem
}

// Seal ends the writing: from here on the overlay may be read by any number
// of goroutines, and a write panics.
func (o *Overlay) Seal() {
	for _, t := range o.tables {
		t.sort()
	}
	o.last, o.sealed = nil, true
}

// fold moves the rows of o, whose memory is into's, to the overlay beneath
// it, and leaves o empty.
func (o *Overlay) fold(into *Overlay) {
	for name, t := range o.tables {
		if len(t.rows) == 0 {
			continue
		}
		below := into.table(name)
		for _, list := range [2][]*change{t.sorted, t.fresh} {
			for _, c := range list {
				below.put(c.key, c.value, o.mem)
			}
		}
		t.reset()
	}
}

// clear forgets the staged rows and keeps the memory, which is the batch's.
func (o *Overlay) clear() {
	for _, t := range o.tables {
		t.reset()
	}
}

// over is a sealed overlay's rows over another base.
func (o *Overlay) over(base Reader) *Overlay {
	return &Overlay{base: base, tables: o.tables, sealed: true}
}

func (o *Overlay) names() []string {
	names := make([]string, 0, len(o.tables))
	for name := range o.tables {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func (o *Overlay) find(table string) *staged {
	if t := o.last; t != nil && t.name == table {
		return t
	}
	t := o.tables[table]
	if t != nil && !o.sealed {
		o.last = t
	}
	return t
}

func (o *Overlay) table(name string) *staged {
	if t := o.find(name); t != nil {
		return t
	}
	t := &staged{name: name, rows: make(map[string]*change, 8)}
	o.tables[name], o.last = t, t
	return t
}

func (o *Overlay) check(table string, key []byte) error {
	switch {
	case o.sealed:
		panic("store: write to a sealed overlay")
	case table == "":
		return fmt.Errorf("%w: the table has no name", ErrKey)
	case len(key) == 0:
		return fmt.Errorf("%w: a row of table %q has an empty key", ErrKey, table)
	case len(key) > MaxKey:
		return fmt.Errorf("%w: a row of table %q has a key of %d bytes; the maximum is %d", ErrKey, table, len(key), MaxKey)
	}
	return nil
}

// emptyReader is the empty Reader.
type emptyReader struct{}

func (emptyReader) Get(string, []byte) ([]byte, error)                      { return nil, nil }
func (emptyReader) Scan(string, Range, func(key, value []byte) error) error { return nil }
