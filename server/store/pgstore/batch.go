package pgstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"bincard/server/store"
)

// A batch is the updates of a partition that commit together.
type batch struct {
	store     *Store
	partition string
	updates   []*update

	id      uuid.UUID // of the commit that was tried last
	version int64     // that it leads to
}

// Pauses between attempts to commit.
const (
	firstPause = 5 * time.Millisecond
	lastPause  = 500 * time.Millisecond
)

// attemptTimeout limits one attempt. The database ends a transaction that waits longer for
// a lock, or whose process does nothing, so that a process that hangs holds up the others
// no longer.
const attemptTimeout = 30 * time.Second

// commit commits the updates. It tries again while the database cannot be reached, and
// returns the error of all updates.
func (b *batch) commit() error {
	if len(b.updates) == 0 {
		return nil
	}

	var end time.Time // of the patience, which begins when an attempt has failed
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		err := b.attempt()
		if err != nil && end.IsZero() {
			end = time.Now().Add(b.store.opts.Patience)
		}

		var lost *lostError
		if errors.As(err, &lost) {
			err = b.settle(end)
		}

		switch {
		case err == nil:
			return nil
		case errors.Is(err, store.ErrUncertain):
			return err
		case code(err) == diskFull:
			return fmt.Errorf("store: commit failed, nothing was saved: %w", store.ErrFull)
		case !isTransient(err):
			return fmt.Errorf("store: commit failed, nothing was saved: %w", err)
		case time.Now().After(end):
			return fmt.Errorf("%w (%w)", store.ErrUnavailable, err)
		}

		select {
		case <-time.After(pause):
		case <-b.store.closing:
			end = time.Now() // one last attempt
		}
	}
}

// A lostError means that the connection was lost while the database committed, so that the
// commit may have happened.
type lostError struct{ err error }

func (e *lostError) Error() string { return e.err.Error() }
func (e *lostError) Unwrap() error { return e.err }

// attempt stages and commits the updates once.
func (b *batch) attempt() error {
	ctx, cancel := context.WithTimeout(context.Background(), attemptTimeout)
	defer cancel()
	trial := b.try()
	count := &b.store.counters
	count.batches.Add(1)

	return b.withConn(ctx, func(conn *pgx.Conn) error {
		began := time.Now()
		version, found, err := b.lock(ctx, conn, trial.cachedReader)
		count.lockWait.Add(int64(time.Since(began)))
		if err != nil {
			return err
		}

		rows := b.store.cache.take(b.partition)
		current, err := b.store.catchUp(ctx, conn, rows, b.partition, version, true)
		if err != nil {
			return err
		}

		var changes []store.Row
		if current && trial.completes(rows, version) {
			changes = trial.staging.Seal()
		} else {
			if !current {
				count.restaged.Add(1)
			}
			trial.save(rows, version, found)
			if changes, err = b.stage(ctx, conn, rows, version); err != nil {
				return err
			}
		}

		if len(changes) == 0 {
			return nil
		}

		return b.write(ctx, conn, version+1, changes)
	})
}

// withConn runs fn with a connection, which it returns without a transaction.
func (b *batch) withConn(ctx context.Context, fn func(conn *pgx.Conn) error) error {
	pooled, err := b.store.commits.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("cannot connect to the database: %w", err)
	}

	conn := pooled.Conn()
	returned := false
	defer func() {
		if !returned { // fn panicked or ended its goroutine
			_ = conn.Close(ctx)
		}
		pooled.Release()
	}()

	err = fn(conn)
	if conn.PgConn().TxStatus() != 'I' && !conn.IsClosed() {
		_, _ = conn.Exec(ctx, "ROLLBACK")
	}

	returned = true

	return err
}

// lock begins a transaction, locks the partition, and returns its version and the rows that
// the updates lack.
func (b *batch) lock(
	ctx context.Context,
	conn *pgx.Conn,
	lacks *cachedReader,
) (version int64, found []store.Row, err error) {
	const query = "SELECT version, pg_is_in_recovery(), pg_postmaster_start_time() FROM bincard.partitions WHERE partition = $1 FOR UPDATE"
	standby, exists := false, false
	read := func(rows pgx.Rows) error {
		var started time.Time
		_, err := pgx.ForEachRow(rows, []any{&version, &standby, &started}, func() error {
			exists = true
			b.store.servedBy(started)
			return nil
		})
		return err
	}

	batch := &pgx.Batch{}
	batch.Queue("BEGIN")
	batch.Queue("SET LOCAL lock_timeout = '10s'")
	batch.Queue("SET LOCAL idle_in_transaction_session_timeout = '10s'")
	batch.Queue(query, b.partition).Query(read)
	lacks.queue(batch, b.partition, &found) // each statement sees what was committed before it
	err = conn.SendBatch(ctx, batch).Close()
	if err == nil && !exists {
		batch = &pgx.Batch{}
		batch.Queue("INSERT INTO bincard.partitions (partition, version) VALUES ($1, 0) ON CONFLICT DO NOTHING",
			b.partition)
		batch.Queue(query, b.partition).Query(read)
		lacks.queue(batch, b.partition, &found)
		err = conn.SendBatch(ctx, batch).Close()
	}

	switch {
	case err != nil:
		return 0, nil, fmt.Errorf("cannot lock the partition: %w", err)
	case standby:
		return 0, nil, ErrStandby
	}

	return version, found, nil
}

// stage runs the updates on the partition's rows, and returns what they change.
func (b *batch) stage(ctx context.Context, conn *pgx.Conn, rows *cachedRows, version int64) ([]store.Row, error) {
	for n := 0; ; n++ {
		r := &cachedReader{
			reader:   reader{ctx: ctx, conn: conn, partition: b.partition},
			rows:     rows,
			version:  version,
			direct:   n == maxPrefetches,
			counters: &b.store.counters,
		}

		staging := b.run(r)
		switch {
		case r.err != nil:
			return nil, r.err
		case len(r.keys) == 0:
			return staging.Seal(), nil
		}

		if err := r.prefetch(ctx); err != nil {
			return nil, err
		}
	}
}

// write writes rows and commits.
func (b *batch) write(ctx context.Context, conn *pgx.Conn, version int64, rows []store.Row) error {
	b.id, b.version = uuid.New(), version
	defer b.store.observers.send(b.partition, version)()
	if err := send(ctx, conn, b.statements(rows)); err != nil {
		if isCertain(err) {
			return fmt.Errorf("cannot write to the database: %w", err)
		}
		return &lostError{fmt.Errorf("cannot commit: %w", err)}
	}

	b.store.cache.take(b.partition).committed(commit{version, rows})
	b.store.observers.committed(b.partition, version)

	return nil
}

func (b *batch) statements(rows []store.Row) *pgx.Batch {
	var put, gone struct {
		tables       []string
		keys, values [][]byte
	}
	for _, row := range rows {
		if row.Value == nil {
			gone.tables, gone.keys = append(gone.tables, row.Table), append(gone.keys, row.Key)
			continue
		}
		put.tables = append(put.tables, row.Table)
		put.keys = append(put.keys, row.Key)
		put.values = append(put.values, row.Value)
	}

	q := &pgx.Batch{}
	if len(put.keys) > 0 {
		q.Queue(
			`INSERT INTO bincard.rows (partition, tbl, key, value) SELECT $1, t, k, v FROM unnest($2::text[], $3::bytea[], $4::bytea[]) AS x(t, k, v)
			ON CONFLICT (partition, tbl, key) DO UPDATE SET value = excluded.value`,
			b.partition,
			put.tables,
			put.keys,
			put.values,
		)
	}

	if len(gone.keys) > 0 {
		q.Queue(`DELETE FROM bincard.rows USING unnest($2::text[], $3::bytea[]) AS x(t, k)
			WHERE partition = $1 AND tbl = x.t AND key = x.k`, b.partition, gone.tables, gone.keys)
	}

	q.Queue("UPDATE bincard.partitions SET version = $2 WHERE partition = $1", b.partition, b.version)
	q.Queue("INSERT INTO bincard.commits (partition, version, batch, changes) VALUES ($1, $2, $3, $4)", b.partition,
		b.version, b.id, store.AppendRows(nil, rows))
	if b.version%(keptCommits/16) == 0 {
		q.Queue("DELETE FROM bincard.commits WHERE partition = $1 AND version <= $2", b.partition,
			b.version-keptCommits)
	}

	q.Queue("COMMIT")

	return q
}
