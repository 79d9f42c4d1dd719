package predict

import (
	"slices"
	"strings"

	"bincard/offline/outbox"
	"bincard/offline/replicas"
	"bincard/server/ledger"
	"bincard/server/ledger/replica"
	"bincard/server/store"
)

// A trace collects what the updates of one operation touch.
type trace struct {
	reads     map[uint64]bool
	rows      []store.Row
	footprint outbox.Footprint // of the last update, which is the operation's own
}

func newTrace() *trace { return &trace{reads: map[uint64]bool{}} }

func (t *trace) add(rows map[uint64]access, wrote []store.Row) {
	t.footprint = outbox.Footprint{}
	for row, did := range rows {
		if did&accessRead != 0 {
			t.reads[row] = true
		}

		switch {
		case did&accessShared == 0:
		case did&accessWrite == 0:
			t.footprint.Reads = append(t.footprint.Reads, row)
		default:
			t.footprint.Writes = append(t.footprint.Writes, row)
			if did&accessCreate != 0 {
				t.footprint.Makes = append(t.footprint.Makes, row)
			}
			if did&accessFirst != 0 {
				t.footprint.Shares = append(t.footprint.Shares, row)
			}
		}
	}

	for _, list := range [][]uint64{t.footprint.Reads, t.footprint.Writes, t.footprint.Makes, t.footprint.Shares} {
		slices.Sort(list)
	}

	t.rows = mergeRows(t.rows, wrote)
}

// mergeRows returns rows overwritten by later ones.
func mergeRows(rows, later []store.Row) []store.Row {
	if len(rows) == 0 {
		return later
	}
	all := slices.Concat(later, rows)
	slices.SortStableFunc(all, replicas.CompareRows)
	return slices.CompactFunc(all, func(a, b store.Row) bool { return replicas.CompareRows(a, b) == 0 })
}

// access is how an update uses a row.
type access byte

const (
	accessRead   access = 1 << iota // the update depends on the row
	accessShared                    // the row orders the operations that touch it
	accessWrite
	accessCreate // by the only write that can
	accessFirst  // by the first write that does
)

// A trackedTx is a transaction that records the rows it touches.
type trackedTx struct {
	store.Tx
	lower store.Reader
	rows  map[uint64]access
}

func (t *trackedTx) Get(table string, key []byte) ([]byte, error) {
	t.record(table, key, accessRead)
	return t.Tx.Get(table, key)
}

func (t *trackedTx) Scan(table string, r store.Range, fn func(key, value []byte) error) error {
	if !ledger.ServiceOnly(table) {
		t.rows[replicas.HashRange(table, r)] |= accessRead
	}
	return t.Tx.Scan(table, r, func(key, value []byte) error {
		t.record(table, key, 0)
		return fn(key, value)
	})
}

func (t *trackedTx) Put(table string, key, value []byte) error {
	a, create := accessWrite, access(0)
	switch {
	case replica.MadeByOneWrite(table):
		create = accessCreate
	case replica.MadeByFirstUse(table):
		create = accessFirst
	}

	if create != 0 {
		old, err := t.lower.Get(table, key)
		if err != nil {
			return err
		}
		if old == nil {
			a |= create
		}
		a |= accessRead
	}

	t.record(table, key, a)

	return t.Tx.Put(table, key, value)
}

func (t *trackedTx) Delete(table string, key []byte) error {
	t.record(table, key, accessWrite)
	return t.Tx.Delete(table, key)
}

func (t *trackedTx) record(table string, key []byte, a access) {
	if ledger.ServiceOnly(table) {
		return
	}
	if !replica.TouchedByAllWrites(table) && !strings.Contains(table, ".") {
		a |= accessShared
	}
	if a != 0 {
		t.rows[replicas.HashRow(table, key)] |= a
	}
}
