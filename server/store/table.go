package store

// A Table describes a table with rows of type T and its indexes. It has no rows itself: one
// Table, a package variable, serves all partitions and any number of goroutines. Make it with
// NewTable.
//
// The compiler compiles all methods of a generic type again in each package that mentions
// it, so they only convert between T and the rows of a tableOfAny.
type Table[T any] struct {
	// Name is the table's name in the store. A table's indexes are the
	// tables Name + "." + Index.Name.
	Name string

	// Key returns the primary key of a row: 1 to MaxKey bytes.
	Key func(*T) []byte

	Codec   Codec[T]
	Indexes []Index[T]

	rows *tableOfAny
}

// An Index finds rows by keys other than the primary key. The key of an entry is an index
// key followed by the row's primary key, so index keys need not be unique. No index key may
// be a prefix of another in the same index: give them a fixed length, or a terminator.
type Index[T any] struct {
	Name string
	Keys func(*T) [][]byte
	// Fixed means that the index keys of a row never change. Put then skips the index
	// for existing rows.
	Fixed bool
}

// NewTable returns a table with the description t.
func NewTable[T any](t Table[T]) *Table[T] {
	t.rows = &tableOfAny{
		name:   t.Name,
		key:    func(row any) []byte { return t.Key(row.(*T)) },
		append: func(dst []byte, row any) ([]byte, error) { return t.Codec.Append(dst, row.(*T)) },
		decodeNew: func(data []byte) (any, error) {
			row := new(T)
			return row, t.Codec.Decode(data, row)
		},
	}
	for _, index := range t.Indexes {
		t.rows.indexes = append(t.rows.indexes, indexOfAny{
			name: index.Name, table: t.Name + "." + index.Name, fixed: index.Fixed,
			keys: func(row any) [][]byte { return index.Keys(row.(*T)) },
		})
	}
	return &t
}

// Get returns the row with the key, or nil. It decodes a new copy, which the caller may
// change.
func (t *Table[T]) Get(r Reader, key []byte) (*T, error) {
	row, err := t.rows.get(r, key)
	typed, _ := row.(*T)
	return typed, err
}

// Shared returns the row with the key, or nil. The row is cached and shared, and must not be
// changed.
func (t *Table[T]) Shared(r Reader, key []byte) (*T, error) {
	row, err := t.rows.getShared(r, key)
	typed, _ := row.(*T)
	return typed, err
}

// Put writes the row, new or not, and updates the indexes. It writes only what changes.
func (t *Table[T]) Put(tx Tx, row *T) error { return t.rows.put(tx, row) }

// Insert writes a row that must be new, so it saves reading the old one. Inserting over an
// existing row would leave stale index entries.
func (t *Table[T]) Insert(tx Tx, row *T) error { return t.rows.insert(tx, t.rows.key(row), row) }

// Delete deletes the row and its index entries. Deleting a missing row is not an error.
func (t *Table[T]) Delete(tx Tx, key []byte) error { return t.rows.delete(tx, key) }

// Scan calls fn with newly decoded rows of the range until fn returns an error; ErrStop ends
// the scan without an error.
func (t *Table[T]) Scan(r Reader, rng Range, fn func(*T) error) error {
	return t.rows.scan(r, rng, func(row any) error { return fn(row.(*T)) })
}

// ScanIndex calls fn with newly decoded rows in the order of the index. The range applies
// to entry keys, which are the index key followed by the primary key, so a page can
// continue exactly after the last row.
func (t *Table[T]) ScanIndex(r Reader, index string, rng Range, fn func(*T) error) error {
	return t.rows.scanIndex(r, index, rng, func(row any) error { return fn(row.(*T)) })
}

// ScanKeys calls fn with only the keys of the entries: the index key without the primary
// key, and the primary key.
func (t *Table[T]) ScanKeys(r Reader, index string, rng Range, fn func(indexKey, primary []byte) error) error {
	return t.rows.scanKeys(r, index, rng, fn)
}
