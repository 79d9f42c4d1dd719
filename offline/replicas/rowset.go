package replicas

import (
	"bytes"
	"cmp"
	"hash/fnv"
	"strings"

	"bincard/server/store"
)

// A RowSet is a set of changed rows, and of the tracked ranges that contain one: a
// whole table, or the rows whose keys share their first bytes, as the rows of one
// entity do. It has their hashes. A hash that two rows share only makes an operation
// be predicted again.
type RowSet map[uint64]bool

// Add adds a row.
func (s RowSet) Add(table string, key []byte) {
	s[HashRow(table, key)] = true
	s[hash(wholeTable, table, nil)] = true
	if len(key) >= prefixLen {
		s[hash(prefix, table, key[:prefixLen])] = true
	}
}

// Overlaps reports whether one of the rows and ranges is in the set.
func (s RowSet) Overlaps(rows []uint64) bool {
	if len(s) == 0 {
		return false
	}
	for _, r := range rows {
		if s[r] {
			return true
		}
	}

	return false
}

// AddDiff adds the rows in which two sorted lists differ.
func (s RowSet) AddDiff(a, b []store.Row) {
	for len(a)+len(b) > 0 {
		c := 0
		switch {
		case len(a) == 0:
			c = 1
		case len(b) == 0:
			c = -1
		default:
			c = CompareRows(a[0], b[0])
		}

		switch {
		case c < 0:
			s.Add(a[0].Table, a[0].Key)
			a = a[1:]
		case c > 0:
			s.Add(b[0].Table, b[0].Key)
			b = b[1:]
		default:
			if !bytes.Equal(a[0].Value, b[0].Value) || (a[0].Value == nil) != (b[0].Value == nil) {
				s.Add(a[0].Table, a[0].Key)
			}
			a, b = a[1:], b[1:]
		}
	}
}

// CompareRows orders rows by table and key.
func CompareRows(a, b store.Row) int {
	return cmp.Or(strings.Compare(a.Table, b.Table), bytes.Compare(a.Key, b.Key))
}

// prefixLen is the length of the key prefixes that are tracked.
const prefixLen = 16

// What a hash stands for.
const (
	row byte = iota
	prefix
	wholeTable
)

// HashRow returns the hash of a row.
func HashRow(table string, key []byte) uint64 { return hash(row, table, key) }

// HashRange returns the hash of the smallest tracked range that contains r.
func HashRange(table string, r store.Range) uint64 {
	if len(r.From) >= prefixLen {
		first := r.From[:prefixLen]
		if bytes.HasPrefix(r.To, first) || bytes.Equal(r.To, store.Prefix(first).To) {
			return hash(prefix, table, first)
		}
	}

	return hash(wholeTable, table, nil)
}

func hash(kind byte, table string, key []byte) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte{kind})
	_, _ = h.Write([]byte(table))
	_, _ = h.Write([]byte{0})
	_, _ = h.Write(key)
	return h.Sum64()
}
