package pgstore

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"bincard/server/store"
)

// checkTimeout limits one look at the versions.
const checkTimeout = 10 * time.Second

// A versionCheck is one look at the versions of partitions, for all calls of Refresh that began
// before it.
type versionCheck struct {
	partitions map[string]bool
	done       chan struct{}
	err        error
}

// versionChecks run one at a time.
type versionChecks struct {
	mu      sync.Mutex
	next    *versionCheck // has not begun
	running bool
}

// Refresh implements store.Shared.
func (s *Store) Refresh(ctx context.Context, partitions ...store.Partition) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(partitions) == 0 {
		return nil
	}
	if !s.begin() {
		return store.ErrClosed
	}

	defer s.running.Done()
	c := s.joinCheck(partitions)
	select {
	case <-c.done:
		return unavailable(ctx, c.err, c.err)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// joinCheck adds partitions to the next check. The caller is counted in s.running.
func (s *Store) joinCheck(partitions []store.Partition) *versionCheck {
	s.checks.mu.Lock()
	defer s.checks.mu.Unlock()
	c := s.checks.next
	if c == nil {
		c = &versionCheck{partitions: map[string]bool{}, done: make(chan struct{})}
		s.checks.next = c
	}
	for _, p := range partitions {
		c.partitions[partitionName(p)] = true
	}
	if !s.checks.running {
		s.checks.running = true
		s.running.Add(1)
		go s.runChecks()
	}

	return c
}

func (s *Store) runChecks() {
	defer s.running.Done()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-s.closing:
			cancel()
		case <-ctx.Done():
		}
	}()

	for {
		s.checks.mu.Lock()
		c := s.checks.next
		s.checks.next, s.checks.running = nil, c != nil
		s.checks.mu.Unlock()
		if c == nil {
			return
		}
		if c.err = s.checkVersions(ctx, c); ctx.Err() != nil {
			c.err = store.ErrClosed
		}

		close(c.done)
	}
}

// checkVersions reads the versions, and tells the observers what was committed.
func (s *Store) checkVersions(ctx context.Context, c *versionCheck) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	names := make([]string, 0, len(c.partitions))
	for name := range c.partitions {
		names = append(names, name)
	}

	conn, err := s.connect(ctx, func(conn *pgxpool.Conn) error {
		asked := time.Now()
		rows, err := conn.Query(
			ctx,
			`SELECT n, coalesce(version, 0), pg_is_in_recovery(), pg_postmaster_start_time(), clock_timestamp() FROM unnest($1::text[]) AS n
			LEFT JOIN bincard.partitions ON partition = n`,
			names,
		)
		if err != nil {
			return err
		}

		var name string
		var version int64
		var standby bool
		var started, now time.Time
		versions := make(map[string]int64, len(names))
		_, err = pgx.ForEachRow(rows, []any{&name, &version, &standby, &started, &now}, func() error {
			s.servedBy(started)
			if standby {
				return ErrStandby
			}
			versions[name] = version
			return nil
		})
		if err == nil {
			s.clock.Store(&clockReading{database: now, here: asked.Add(time.Since(asked) / 2)})
		}
		for name, version := range versions {
			if err == nil {
				_, err = s.catchUp(ctx, conn.Conn(), s.cache.find(name), name, version, false)
			}
		}

		return err
	})
	if err != nil {
		return fmt.Errorf("cannot read the versions: %w", err)
	}

	conn.Release()

	return nil
}

// A clockReading is what the database's clock showed at a time here.
type clockReading struct{ database, here time.Time }

// Clock implements store.Shared.
func (s *Store) Clock() (now time.Time, known bool) {
	c := s.clock.Load()
	if c == nil {
		return time.Time{}, false
	}
	return c.database.Add(time.Since(c.here)), true
}
