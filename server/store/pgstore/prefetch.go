package pgstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"bincard/server/store"
)

// Reads within a transaction must not cost a round trip each while others wait for the
// partition's lock. So an update is interrupted when it needs a row that is not cached; one
// query reads the rows that the updates of a batch lack, and they run again.

// maxPrefetches is how often that happens. Then the updates read their rows themselves.
const maxPrefetches = 16

// notCached interrupts an update that needs a row that is not cached.
var notCached = store.Interruption{Err: errors.New("store: the row is not cached")}

// A cachedReader reads rows from the cache, as of a version. It collects those that are not
// there.
type cachedReader struct {
	reader  // without conn, scans interrupt
	rows    *cachedRows
	version int64
	direct  bool // reads rows that are not cached
	scans   bool // a scan was interrupted
	missing map[string]bool
	tables  []string
	keys    [][]byte

	counters *counters
}

// Get implements store.Reader.
func (r *cachedReader) Get(table string, key []byte) ([]byte, error) {
	if value, ok := r.rows.get(table, key, r.version); ok {
		r.counters.hits.Add(1)
		return value, nil
	}

	r.counters.misses.Add(1)
	if r.direct {
		value, err := r.reader.Get(table, key)
		if err == nil {
			r.rows.put(r.version, store.Row{Table: table, Key: key, Value: value})
		}
		return value, err
	}

	if name := table + "\x00" + string(key); !r.missing[name] {
		if r.missing == nil {
			r.missing = map[string]bool{}
		}
		r.missing[name] = true
		r.tables, r.keys = append(r.tables, table), append(r.keys, append([]byte{}, key...))
	}

	panic(notCached)
}

// Scan implements store.Reader. Ranges are not cached.
func (r *cachedReader) Scan(table string, rng store.Range, fn func(key, value []byte) error) error {
	if r.conn == nil || len(r.keys) > 0 {
		r.scans = true
		panic(notCached)
	}
	return r.reader.Scan(table, rng, fn)
}

// run runs the updates of a batch, each over those before it.
func (b *batch) run(r store.Reader) *store.Staging {
	staging := store.NewStaging(r)
	for _, u := range b.updates {
		u.err = staging.Run(u.fn)
	}
	return staging
}

// A trial is a run of the updates on the rows that are cached.
type trial struct {
	*cachedReader // has collected the rows that the updates lack first
	staging       *store.Staging
}

func (b *batch) try() *trial {
	rows := b.store.cache.take(b.partition)
	t := &trial{cachedReader: &cachedReader{rows: rows, counters: &b.store.counters}}
	t.version, _ = rows.at()
	t.staging = b.run(t.cachedReader)
	return t
}

// completes reports whether the updates ran on the rows of a version and lacked none.
func (t *trial) completes(rows *cachedRows, version int64) bool {
	return t.rows == rows && t.version == version && len(t.keys) == 0 && !t.scans
}

// queue queues a query for the collected rows, if there are some.
func (r *cachedReader) queue(q *pgx.Batch, partition string, found *[]store.Row) {
	if len(r.keys) == 0 {
		return
	}

	q.Queue(`SELECT r.tbl, r.key, r.value FROM unnest($2::text[], $3::bytea[]) AS x(t, k)
		JOIN bincard.rows r ON r.partition = $1 AND r.tbl = x.t AND r.key = x.k`, partition, r.tables, r.keys).Query(func(rows pgx.Rows) (err error) {
		*found, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (x store.Row, err error) {
			err = row.Scan(&x.Table, &x.Key, &x.Value)
			return x, err
		})
		return err
	})
}

// save caches the collected rows, of which some were found at a version.
func (r *cachedReader) save(to *cachedRows, version int64, found []store.Row) {
	rows := make([]store.Row, 0, len(r.keys)+len(found))
	for i, table := range r.tables {
		rows = append(rows, store.Row{Table: table, Key: r.keys[i]})
	}
	to.put(version, append(rows, found...)...)
}

// prefetch reads the collected rows into the cache.
func (r *cachedReader) prefetch(ctx context.Context) error {
	var found []store.Row
	q := &pgx.Batch{}
	r.queue(q, r.partition, &found)
	if err := r.conn.SendBatch(ctx, q).Close(); err != nil {
		return fmt.Errorf("cannot read rows: %w", err)
	}
	r.save(r.rows, r.version, found)
	return nil
}
