package store

import (
	"errors"
	"fmt"
	"sort"
)

// MaxKey is the maximum length of a key in bytes.
const MaxKey = 4096

// ErrKey means that a row has an empty key, a key longer than MaxKey, or a table without a
// name.
var ErrKey = errors.New("store: invalid key")

// An Overlay is a transaction staged in memory over a Reader. It reads its own rows first,
// then the base, which it never changes. The base may be another overlay.
//
// A callback of Scan may write: a row changed ahead of the scan is seen with its new value,
// a deleted row is not seen, an added row may be missed.
//
// An Overlay is for one goroutine at a time; after Seal any number may read it.
type Overlay struct {
	base   Reader
	tables map[string]*staged
	last   *staged // the table used last, because calls for a table come in runs
	mem    *arena
	sealed bool

	undoable bool // undos are recorded
	undos    []undo
}

// NewOverlay returns an empty overlay over base; a nil base is empty.
func NewOverlay(base Reader) *Overlay {
	return newOverlay(base, new(arena))
}

func newOverlay(base Reader, mem *arena) *Overlay {
	if base == nil {
		base = emptyReader{}
	}
	return &Overlay{base: base, tables: make(map[string]*staged, 8), mem: mem}
}

// Get returns the staged row, or that of the base. The slice must not be changed.
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
	o.stage(table, key, o.mem.copy(value))
	return nil
}

// Delete stages a deletion. Deleting a missing row is not an error.
func (o *Overlay) Delete(table string, key []byte) error {
	if err := o.check(table, key); err != nil {
		return err
	}
	o.stage(table, key, nil)
	return nil
}

func (o *Overlay) stage(table string, key, value []byte) {
	u := o.table(table).put(key, value, o.mem)
	if o.undoable {
		o.undos = append(o.undos, u)
	}
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

// Dirty returns the number of staged rows.
func (o *Overlay) Dirty() int {
	n := 0
	for _, t := range o.tables {
		n += len(t.rows)
	}
	return n
}

// Rows returns the staged rows sorted by table and key. The slices belong to the overlay.
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

// Apply writes the staged rows to tx and leaves the overlay unchanged.
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

// Reset discards all staged rows and sets the base.
func (o *Overlay) Reset(base Reader) {
	if base == nil {
		base = emptyReader{}
	}
	o.base, o.sealed, o.mem = base, false, new(arena)
	for _, t := range o.tables {
		t.reset()
	}
}

// Reuse is Reset with the same memory: slices returned by Rows and Get before are no
// longer valid.
func (o *Overlay) Reuse(base Reader) {
	mem := o.mem
	mem.bytes, mem.changes = mem.bytes[:0], mem.changes[:0]
	o.Reset(base)
	o.mem = mem
}

// Seal ends writing: afterwards any number of goroutines may read the overlay, and a write
// panics.
func (o *Overlay) Seal() {
	for _, t := range o.tables {
		t.sort()
	}
	o.last, o.sealed = nil, true
}

// keep ends an update whose rows stay.
func (o *Overlay) keep() {
	clear(o.undos)
	o.undos = o.undos[:0]
}

// revert discards the rows since the last update that ended.
func (o *Overlay) revert() {
	revert(o.undos)
	o.keep()
}

// over returns a sealed overlay's rows over another base.
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
		return fmt.Errorf("%w: a row of table %q has a key of %d bytes; the maximum is %d", ErrKey, table, len(key),
			MaxKey)
	}

	return nil
}

// emptyReader is a Reader without rows.
type emptyReader struct{}

func (emptyReader) Get(string, []byte) ([]byte, error)                      { return nil, nil }
func (emptyReader) Scan(string, Range, func(key, value []byte) error) error { return nil }
