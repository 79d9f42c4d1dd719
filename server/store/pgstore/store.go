package pgstore

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"bincard/server/store"
)

// A Store is a store.Store in a database.
type Store struct {
	opts    Options
	reads   *pgxpool.Pool
	commits *pgxpool.Pool // apart, so that views that wait for updates cannot starve them
	cache   *cache
	closing chan struct{}

	server    atomic.Int64 // when the database server started, in µs
	observers observers
	counters  counters
	checks    versionChecks
	clock     atomic.Pointer[clockReading]

	mu      sync.Mutex
	groups  map[string]*group // of partitions with waiting updates
	closed  bool
	running sync.WaitGroup // groups and views
}

var _ store.Shared = (*Store)(nil)

// View runs fn on a snapshot of the database.
func (s *Store) View(ctx context.Context, p store.Partition, fn func(store.Reader) error) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !s.begin() {
		return store.ErrClosed
	}

	defer s.running.Done()
	defer func() {
		if v := recover(); v != nil {
			err = &store.PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	name := partitionName(p)
	r := &cachedReader{direct: true, counters: &s.counters}
	conn, err := s.snapshot(ctx, name, r)
	if err != nil {
		return unavailable(ctx, err, err)
	}

	defer func() {
		_, _ = conn.Exec(context.WithoutCancel(ctx), "ROLLBACK")
		conn.Release()
	}()
	r.reader = reader{ctx: ctx, conn: conn.Conn(), partition: name}

	return unavailable(ctx, fn(r), r.err)
}

// unavailable returns err as store.ErrUnavailable if its cause is that the database cannot
// be reached.
func unavailable(ctx context.Context, err, cause error) error {
	if err != nil && cause != nil && ctx.Err() == nil && isTransient(cause) {
		return fmt.Errorf("%w (%w)", store.ErrUnavailable, err)
	}
	return err
}

// snapshot returns a connection in a transaction that sees the database as it is now. It sets
// the reader's version to that of the partition, and brings the cached rows to it.
func (s *Store) snapshot(ctx context.Context, partition string, r *cachedReader) (*pgxpool.Conn, error) {
	return s.connect(ctx, func(conn *pgxpool.Conn) error {
		// The first query takes the snapshot.
		b := &pgx.Batch{}
		b.Queue("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
		var standby bool
		var started time.Time
		b.Queue(
			"SELECT pg_is_in_recovery(), pg_postmaster_start_time(), coalesce((SELECT version FROM bincard.partitions WHERE partition = $1), 0)",
			partition,
		).
			QueryRow(func(row pgx.Row) error { return row.Scan(&standby, &started, &r.version) })
		err := conn.SendBatch(ctx, b).Close()
		switch {
		case err != nil:
			return fmt.Errorf("cannot begin a transaction: %w", err)
		case standby:
			err = ErrStandby
		default:
			s.servedBy(started)
			r.rows = s.cache.take(partition)
			_, err = s.catchUp(ctx, conn.Conn(), r.rows, partition, r.version, false)
		}

		if err != nil {
			_, _ = conn.Exec(ctx, "ROLLBACK")
		}

		return err
	})
}

// servedBy notes when the database server started that answers. Another server may have lost
// the latest commits and made others, so the caches are distrusted.
func (s *Store) servedBy(started time.Time) {
	if before := s.server.Swap(started.UnixMicro()); before != 0 && before != started.UnixMicro() {
		s.cache.distrust()
	}
}

// connect returns a connection on which fn has succeeded.
func (s *Store) connect(ctx context.Context, fn func(*pgxpool.Conn) error) (conn *pgxpool.Conn, err error) {
	for tries := range 3 {
		if tries > 0 {
			s.reads.Reset() // the database may have closed the idle connections
		}
		if conn, err = s.reads.Acquire(ctx); err != nil {
			return nil, fmt.Errorf("cannot connect to the database: %w", err)
		}
		if err = fn(conn); err == nil {
			return conn, nil
		}

		conn.Release()
		if ctx.Err() != nil || !isTransient(err) {
			break
		}
	}

	return nil, err
}

// Update runs fn together with the other updates of the partition that wait; see package
// store. fn runs again if the commit must be repeated.
func (s *Store) Update(ctx context.Context, p store.Partition, fn func(store.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}

	u := &update{fn: fn, done: make(chan struct{})}
	if !s.enqueue(partitionName(p), u) {
		return store.ErrClosed
	}

	select {
	case <-u.done:
	case <-ctx.Done():
		if u.claimed.CompareAndSwap(false, true) {
			return ctx.Err()
		}
		<-u.done
	}

	return u.err
}

// Partitions lists the partitions that have at least one row.
func (s *Store) Partitions(ctx context.Context) (list []store.Partition, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !s.begin() {
		return nil, store.ErrClosed
	}

	defer s.running.Done()
	rows, err := s.reads.Query(ctx, `SELECT partition FROM bincard.partitions p
		WHERE EXISTS (SELECT FROM bincard.rows r WHERE r.partition = p.partition)`)
	if err != nil {
		return nil, fmt.Errorf("cannot list the partitions: %w", err)
	}

	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("cannot list the partitions: %w", err)
	}

	for _, name := range names {
		p, err := parsePartition(name)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}

	slices.SortFunc(list, store.Partition.Compare)

	return list, nil
}

// Close finishes waiting updates. A second Close does nothing.
func (s *Store) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}

	s.closed = true
	close(s.closing)
	s.mu.Unlock()
	s.running.Wait()
	s.commits.Close()
	s.reads.Close()

	return nil
}

// begin reports whether a call may use the store, and counts it in running.
func (s *Store) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.running.Add(1)
	return true
}

// partitionName returns the name of a partition in the database.
func partitionName(p store.Partition) string {
	return p.Organization.String() + "/" + p.Environment
}

var errPartition = errors.New("the database has a partition with an invalid name")

func parsePartition(name string) (p store.Partition, err error) {
	organization, environment, ok := strings.Cut(name, "/")
	if !ok {
		return p, fmt.Errorf("%w: %q", errPartition, name)
	}
	if p.Organization, err = uuid.Parse(organization); err != nil {
		return p, fmt.Errorf("%w: %q", errPartition, name)
	}

	p.Environment = environment

	return p, nil
}
