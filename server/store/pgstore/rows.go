package pgstore

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"bincard/server/store"
)

// Rows calls fn for each row of the database at one point in time, ordered by partition,
// table and key. The row's slices are only valid during the call.
func (s *Store) Rows(ctx context.Context, fn func(store.Partition, store.Row) error) error {
	if !s.begin() {
		return store.ErrClosed
	}

	defer s.running.Done()
	conn, err := s.snapshot(ctx, partitionName(store.Partition{}), &cachedReader{})
	if err != nil {
		return unavailable(ctx, err, err)
	}

	defer func() {
		_, _ = conn.Exec(context.WithoutCancel(ctx), "ROLLBACK")
		conn.Release()
	}()
	if _, err := conn.Exec(ctx, "SET LOCAL statement_timeout = 0"); err != nil {
		return fmt.Errorf("cannot read the rows: %w", err)
	}

	found, err := conn.Query(ctx, "SELECT partition, tbl, key, value FROM bincard.rows ORDER BY partition, tbl, key")
	if err != nil {
		return fmt.Errorf("cannot read the rows: %w", err)
	}

	defer found.Close()
	var name string
	var p store.Partition
	for found.Next() {
		var at string
		var row store.Row
		if err := found.Scan(&at, &row.Table, &row.Key, &row.Value); err != nil {
			return fmt.Errorf("cannot read the rows: %w", err)
		}

		if at != name {
			if p, err = parsePartition(at); err != nil {
				return err
			}
			name = at
		}

		if err := fn(p, row); err != nil {
			return err
		}
	}

	if err := found.Err(); err != nil {
		return fmt.Errorf("cannot read the rows: %w", err)
	}

	return nil
}

// Load sets rows of a partition in one commit, faster than Update: it reads nothing, and
// keeps no list of changes, so that other processes read the partition again.
func (s *Store) Load(ctx context.Context, p store.Partition, rows []store.Row) error {
	tables, keys, values := make([]string, len(rows)), make([][]byte, len(rows)), make([][]byte, len(rows))
	for i, row := range rows {
		tables[i], keys[i], values[i] = row.Table, row.Key, row.Value
	}

	return s.bulk(ctx, p, func(b *pgx.Batch) {
		b.Queue(
			`INSERT INTO bincard.rows (partition, tbl, key, value) SELECT $1, t, k, v FROM unnest($2::text[], $3::bytea[], $4::bytea[]) AS x(t, k, v)
			ON CONFLICT (partition, tbl, key) DO UPDATE SET value = excluded.value`,
			partitionName(p),
			tables,
			keys,
			values,
		)
	})
}

// Clear deletes all rows of a partition, like Load.
func (s *Store) Clear(ctx context.Context, p store.Partition) error {
	return s.bulk(ctx, p, func(b *pgx.Batch) {
		b.Queue("DELETE FROM bincard.rows WHERE partition = $1", partitionName(p))
	})
}

func (s *Store) bulk(ctx context.Context, p store.Partition, queue func(*pgx.Batch)) error {
	if !s.begin() {
		return store.ErrClosed
	}

	defer s.running.Done()
	conn, err := s.commits.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("cannot connect to the database: %w", err)
	}

	defer conn.Release()
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		b := &pgx.Batch{}
		b.Queue("SET LOCAL statement_timeout = 0")
		b.Queue(`INSERT INTO bincard.partitions AS p (partition, version) VALUES ($1, 1)
			ON CONFLICT (partition) DO UPDATE SET version = p.version + 1`, partitionName(p))
		queue(b)
		return tx.SendBatch(ctx, b).Close()
	})
	if err != nil {
		return unavailable(ctx, fmt.Errorf("cannot write to the database: %w", err), err)
	}

	return nil
}

// Commits returns how often the database was changed. It only grows.
func (s *Store) Commits(ctx context.Context) (n int64, err error) {
	if !s.begin() {
		return 0, store.ErrClosed
	}

	defer s.running.Done()
	const query = "SELECT coalesce(sum(version), 0)::bigint FROM bincard.partitions"
	if err := s.reads.QueryRow(ctx, query).Scan(&n); err != nil {
		return 0, unavailable(ctx, fmt.Errorf("cannot query the database: %w", err), err)
	}

	return n, nil
}
