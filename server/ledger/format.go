package ledger

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync"

	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
	"bincard/server/store/wire"
)

// Formats of all rows of a ledger together. A row can gain fields without a new
// format (see package wire); the format changes only when an older version would
// misread a row.
const (
	// Format is the one that this version writes.
	Format = 4
	// oldestFormat is the oldest one that it reads. Format 3 differs from
	// format 4 only in that its rows have no tagged fields.
	oldestFormat = 3
	// unmarkedFormat is the format of data from before formats were recorded.
	unmarkedFormat = 1
)

var formatKey = []byte("format")

// A FormatError reports data in a format that this version does not read.
type FormatError struct {
	Format  uint64 // of the data
	Writer  string // the version that wrote it, if known
	Version string // this version
}

func (e *FormatError) Error() string {
	if e.Format > Format {
		return fmt.Sprintf(
			"this ledger was written by a newer Bincard (%v, format %d); this is %v, which reads formats up to %d. Nothing was changed. Open the ledger with that version or a later one",
			versionName(e.Writer),
			e.Format,
			versionName(e.Version),
			Format,
		)
	}

	return fmt.Sprintf(
		"this ledger was written by an early Bincard (%v, format %d); this is %v, which reads format %d and later. Nothing was changed. Export the stock with that version ('bincard export snapshot') and import it into a new data directory ('bincard import stock')",
		versionName(e.Writer),
		e.Format,
		versionName(e.Version),
		oldestFormat,
	)
}

func versionName(version string) string {
	if version == "" {
		return api.Text("version unknown")
	}
	return api.Textf("version %s", version)
}

// A formatRow records the format of the rows and the version that raised it.
type formatRow struct {
	format  uint64
	writer  string
	unknown []byte
}

func (x *formatRow) fields(f *wire.Fields) { f.Text(1, &x.writer) }

func (x *formatRow) append(b []byte) []byte {
	var f wire.Fields
	x.fields(&f)
	return f.Append(binary.AppendUvarint(b, x.format), x.unknown)
}

func (x *formatRow) read(data []byte) (err error) {
	d := wire.Reader{Data: data}
	x.format = d.Uvarint()
	if d.Bad {
		return wire.ErrTruncated
	}

	f := wire.Read(d.Data)
	x.fields(&f)
	x.unknown, err = f.Unknown()

	return err
}

// CheckFormat returns the store to use, or a *FormatError when this version, named version,
// does not read its rows. It records the format of new data at once, and that of data of an
// older format that needs no conversion with the first update, because earlier versions
// cannot read it then. Call it before anything else.
func CheckFormat(ctx context.Context, st store.Store, version string) (store.Store, error) {
	parts, err := st.Partitions(ctx)
	if err != nil {
		return nil, toAPIError(ctx, err)
	}

	row, err := readFormat(ctx, st)
	switch {
	case err != nil:
		return nil, toAPIError(ctx, err)
	case len(parts) > 0 && (row.format < oldestFormat || row.format > Format):
		return nil, &FormatError{Format: row.format, Writer: row.writer, Version: version}
	case len(parts) > 0 && row.format == Format:
		return st, nil
	}

	row.format, row.writer = Format, version
	old := &oldStore{Store: st, row: row}
	if len(parts) == 0 {
		return st, old.raise(ctx)
	}
	if shared, ok := st.(store.Shared); ok {
		return oldShared{shared, old}, nil
	}

	return old, nil
}

func readFormat(ctx context.Context, st store.Store) (formatRow, error) {
	row := formatRow{format: unmarkedFormat}
	err := st.View(ctx, store.Partition{}, func(r store.Reader) error {
		data, err := r.Get(stored.MetaTable, formatKey)
		if err != nil || data == nil {
			return err
		}
		return row.read(data)
	})

	return row, err
}

// Upgrade records Format in data of an older one, as the first update does. It returns the
// format from before.
func (l *Ledger) Upgrade(ctx context.Context) (before uint64, err error) {
	row, err := readFormat(ctx, l.store)
	if err != nil || row.format == Format {
		return row.format, toAPIError(ctx, err)
	}
	err = l.store.Update(ctx, store.Partition{}, func(store.Tx) error { return nil })
	return row.format, toAPIError(ctx, err)
}

// An oldStore has rows of an older format until its first update.
type oldStore struct {
	store.Store
	row formatRow

	mu     sync.Mutex
	raised bool
}

// Update records the format before the first update.
func (s *oldStore) Update(ctx context.Context, p store.Partition, fn func(store.Tx) error) error {
	if err := s.raise(ctx); err != nil {
		return err
	}
	return s.Store.Update(ctx, p, fn)
}

// An oldShared is an oldStore that other processes may change too.
type oldShared struct {
	store.Shared
	old *oldStore
}

// Update records the format before the first update.
func (s oldShared) Update(ctx context.Context, p store.Partition, fn func(store.Tx) error) error {
	return s.old.Update(ctx, p, fn)
}

func (s *oldStore) raise(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.raised {
		return nil
	}

	err := s.Store.Update(ctx, store.Partition{}, func(tx store.Tx) error {
		return tx.Put(stored.MetaTable, formatKey, s.row.append(nil))
	})
	s.raised = err == nil

	return err
}
