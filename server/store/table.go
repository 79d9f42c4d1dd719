package store

// A Table describes a table with rows of type T and its indexes. It has no rows itself: one
// Table, a package variable, serves all partitions and any number of goroutines. Make it with
// NewTable.
//
// Its operations are fields because the compiler compiles the methods of a generic type
// again in each package that uses it.
type Table[T any] struct {
	// Name is the table's name in the store. A table's indexes are the
	// tables Name + "." + Index.Name.
	Name string

	// Key returns the primary key of a row: 1 to MaxKey bytes.
	Key func(*T) []byte

	Codec   Codec[T]
	Indexes []Index[T]

	// Get returns the row with the key, or nil. It decodes a new copy, which the caller may
	// change.
	Get func(r Reader, key []byte) (*T, error)

	// Shared returns the row with the key, or nil. The row is cached and shared, and must
	// not be changed.
	Shared func(r Reader, key []byte) (*T, error)

	// Put writes the row, new or not, and updates the indexes. It writes only what changes.
	Put func(tx Tx, row *T) error

	// Insert writes a row that must be new, so it saves reading the old one. Inserting over
	// an existing row would leave stale index entries.
	Insert func(tx Tx, row *T) error

	// Delete deletes the row and its index entries. Deleting a missing row is not an error.
	Delete func(tx Tx, key []byte) error

	// Scan calls fn with newly decoded rows of the range until fn returns an error; ErrStop
	// ends the scan without an error.
	Scan func(r Reader, rng Range, fn func(*T) error) error

	// ScanIndex calls fn with newly decoded rows in the order of the index. The range
	// applies to entry keys, which are the index key followed by the primary key, so a page
	// can continue exactly after the last row.
	ScanIndex func(r Reader, index string, rng Range, fn func(*T) error) error

	// ScanKeys calls fn with only the keys of the entries: the index key without the primary
	// key, and the primary key.
	ScanKeys func(r Reader, index string, rng Range, fn func(indexKey, primary []byte) error) error
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

// NewTable returns the table with the name, keys, codec and indexes of t.
func NewTable[T any](t Table[T]) *Table[T] {
	rows := &tableOfAny{
		name:   t.Name,
		key:    func(row any) []byte { return t.Key(row.(*T)) },
		append: func(dst []byte, row any) ([]byte, error) { return t.Codec.Append(dst, row.(*T)) },
		decodeNew: func(data []byte) (any, error) {
			row := new(T)
			return row, t.Codec.Decode(data, row)
		},
	}

	for _, index := range t.Indexes {
		rows.indexes = append(rows.indexes, indexOfAny{
			name: index.Name, table: t.Name + "." + index.Name, fixed: index.Fixed,
			keys: func(row any) [][]byte { return index.Keys(row.(*T)) },
		})
	}

	typed := func(row any, err error) (*T, error) {
		typed, _ := row.(*T)
		return typed, err
	}
	ofType := func(fn func(*T) error) func(any) error {
		return func(row any) error { return fn(row.(*T)) }
	}
	t.Get = func(r Reader, key []byte) (*T, error) { return typed(rows.get(r, key)) }
	t.Shared = func(r Reader, key []byte) (*T, error) { return typed(rows.getShared(r, key)) }
	t.Put = func(tx Tx, row *T) error { return rows.put(tx, row) }
	t.Insert = func(tx Tx, row *T) error { return rows.insert(tx, rows.key(row), row) }
	t.Delete = rows.delete
	t.Scan = func(r Reader, rng Range, fn func(*T) error) error { return rows.scan(r, rng, ofType(fn)) }
	t.ScanIndex = func(r Reader, index string, rng Range, fn func(*T) error) error {
		return rows.scanIndex(r, index, rng, ofType(fn))
	}
	t.ScanKeys = rows.scanKeys

	return &t
}
