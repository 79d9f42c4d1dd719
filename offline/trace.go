package offline

import (
	"bytes"
	"slices"
	"strings"

	"bincard/offline/outbox"
	"bincard/server/ledger"
	"bincard/server/store"
)

// A step is what one operation did to the front, and on what that depended: it
// is good as long as what it read is what it was.
type step struct {
	key   string
	turn  ledger.Turn
	reads []uint64
	rows  []store.Row // in the order of table and key
	print outbox.Footprint
	risk  *outbox.Refusal // what the ledger here says against it
}

func (s *step) is(it *outbox.Item) bool {
	return s.key == it.Key && s.turn.N == it.N && s.turn.At.Equal(it.At) && s.turn.From.Equal(it.Turn)
}

// A trace gathers what the updates of one turn touch.
type trace struct {
	reads map[uint64]bool
	rows  []store.Row
	print outbox.Footprint // of the last one, which is the operation's own
}

func newTrace() *trace { return &trace{reads: map[uint64]bool{}} }

func (t *trace) add(rows map[uint64]touch, wrote []store.Row) {
	t.print = outbox.Footprint{}
	for row, did := range rows {
		if did&looked != 0 {
			t.reads[row] = true
		}
		switch {
		case did&common == 0:
		case did&wroteIt == 0:
			t.print.Reads = append(t.print.Reads, row)
		default:
			t.print.Writes = append(t.print.Writes, row)
			if did&madeIt != 0 {
				t.print.Makes = append(t.print.Makes, row)
			}
		}
	}
	for _, list := range [][]uint64{t.print.Reads, t.print.Writes, t.print.Makes} {
		slices.Sort(list)
	}
	t.rows = over(t.rows, wrote)
}

// over are rows with others written over them.
func over(rows, later []store.Row) []store.Row {
	if len(rows) == 0 {
		return later
	}
	all := slices.Concat(later, rows)
	slices.SortStableFunc(all, compareRows)
	return slices.CompactFunc(all, func(a, b store.Row) bool { return compareRows(a, b) == 0 })
}

func compareRows(a, b store.Row) int {
	if c := strings.Compare(a.Table, b.Table); c != 0 {
		return c
	}
	return bytes.Compare(a.Key, b.Key)
}

// touch is what an update did to a row.
type touch byte

const (
	looked touch = 1 << iota // it depends on it
	common                   // it says what two operations have in common
	wroteIt
	madeIt
)

// tracked is a transaction that notes the rows it touches.
type tracked struct {
	store.Tx
	below store.Reader
	rows  map[uint64]touch
}

func (t *tracked) Get(table string, key []byte) ([]byte, error) {
	t.note(table, key, looked)
	return t.Tx.Get(table, key)
}

func (t *tracked) Scan(table string, r store.Range, fn func(key, value []byte) error) error {
	if !ledger.Apart(table) {
		t.rows[stretchOf(table, r)] |= looked
	}
	return t.Tx.Scan(table, r, func(key, value []byte) error {
		t.note(table, key, 0)
		return fn(key, value)
	})
}

func (t *tracked) Put(table string, key, value []byte) error {
	did := wroteIt
	if ledger.Makes(table) {
		old, err := t.below.Get(table, key)
		if err != nil {
			return err
		}
		if old == nil {
			did |= madeIt
		}
		did |= looked
	}
	t.note(table, key, did)
	return t.Tx.Put(table, key, value)
}

func (t *tracked) Delete(table string, key []byte) error {
	t.note(table, key, wroteIt)
	return t.Tx.Delete(table, key)
}

func (t *tracked) note(table string, key []byte, did touch) {
	if ledger.Apart(table) {
		return
	}
	if !ledger.Everybodys(table) && !strings.Contains(table, ".") {
		did |= common
	}
	if did != 0 {
		t.rows[rowOf(table, key)] |= did
	}
}

// Rows, and stretches of a table, have numbers. A stretch is all of it, or what
// begins with the first bytes of a key, as what belongs to one thing does.
const beginning = 16

func rowOf(table string, key []byte) uint64 { return number(0, table, key) }

// stretchOf is the least stretch that holds all of a range.
func stretchOf(table string, r store.Range) uint64 {
	if len(r.From) >= beginning {
		first := r.From[:beginning]
		if bytes.HasPrefix(r.To, first) || bytes.Equal(r.To, store.Prefix(first).To) {
			return number(1, table, first)
		}
	}
	return number(2, table, nil)
}

// number is FNV-1a over the kind, the table and the key.
func number(kind byte, table string, key []byte) uint64 {
	const prime = 1099511628211
	h := uint64(14695981039346656037)
	h = (h ^ uint64(kind)) * prime
	for i := range len(table) {
		h = (h ^ uint64(table[i])) * prime
	}
	h *= prime
	for _, c := range key {
		h = (h ^ uint64(c)) * prime
	}
	return h
}
