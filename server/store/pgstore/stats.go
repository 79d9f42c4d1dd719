package pgstore

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"bincard/server/store"
)

// Stats count what a store has done since it was opened.
type Stats struct {
	// RoundTrips are the requests to the database.
	RoundTrips uint64
	// Hits and Misses are reads of updates that found their row in the cache or not.
	Hits, Misses uint64
	// Batches are the attempts to commit updates, Updates those that they had, and Failed
	// the batches that were not committed.
	Batches, Updates, Failed uint64
	// Restaged are the batches that ran again because another process had committed.
	Restaged uint64
	// LockWait is the time that the batches waited for the locks of their partitions.
	LockWait time.Duration
	// Reads and Commits describe the connections.
	Reads, Commits Connections
}

// Connections describe a pool of connections.
type Connections struct {
	Used int32 `json:"used"`
	Open int32 `json:"open"`
	Max  int32 `json:"max"`
}

// counters count for Stats.
type counters struct {
	roundTrips, hits, misses, batches, updates, failed, restaged atomic.Uint64
	lockWait                                                     atomic.Int64
}

// Stats returns the counts.
func (s *Store) Stats() Stats {
	c := &s.counters

	return Stats{
		RoundTrips: c.roundTrips.Load(),
		Hits:       c.hits.Load(),
		Misses:     c.misses.Load(),
		Batches:    c.batches.Load(),
		Updates:    c.updates.Load(),
		Failed:     c.failed.Load(),
		Restaged:   c.restaged.Load(),
		LockWait:   time.Duration(c.lockWait.Load()),
		Reads:      connections(s.reads),
		Commits:    connections(s.commits),
	}
}

func connections(pool *pgxpool.Pool) Connections {
	stat := pool.Stat()
	return Connections{Used: stat.AcquiredConns(), Open: stat.TotalConns(), Max: stat.MaxConns()}
}

// The counters trace the connections to count round trips.
var (
	_ pgx.QueryTracer = (*counters)(nil)
	_ pgx.BatchTracer = (*counters)(nil)
)

// TraceQueryStart implements pgx.QueryTracer.
func (c *counters) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.roundTrips.Add(1)
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (c *counters) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart implements pgx.BatchTracer.
func (c *counters) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	c.roundTrips.Add(1)
	return ctx
}

// TraceBatchQuery implements pgx.BatchTracer.
func (c *counters) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (c *counters) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// A State is how a store and its database are now. It is public.
type State struct {
	// Role is primary or standby.
	Role    string      `json:"role"`
	Reads   Connections `json:"reads"`
	Commits Connections `json:"commits"`
	// Lag is the number of commits of other processes that this one has not read yet.
	Lag int64 `json:"lag"`
}

// State returns how the store and its database are now.
func (s *Store) State(ctx context.Context) (out State, err error) {
	if !s.begin() {
		return out, store.ErrClosed
	}

	defer s.running.Done()
	names, versions := s.observers.known()
	standby := false
	err = s.reads.QueryRow(ctx, `SELECT pg_is_in_recovery(), coalesce((SELECT sum(greatest(p.version - x.known, 0))
		FROM unnest($1::text[], $2::bigint[]) AS x(name, known) JOIN bincard.partitions p ON p.partition = x.name), 0)::bigint`, names, versions).Scan(&standby, &out.Lag)
	if err != nil {
		return out, unavailable(ctx, err, err)
	}
	if out.Role = "primary"; standby {
		out.Role = "standby"
	}

	out.Reads, out.Commits = connections(s.reads), connections(s.commits)

	return out, nil
}

// known returns the partitions that the observers know, and the versions. It omits those
// that are being read.
func (o *observers) known() (names []string, versions []int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	names, versions = []string{}, []int64{}
	for name, seen := range o.partitions {
		if !seen.mu.TryLock() {
			continue
		}
		if seen.version >= 0 {
			names, versions = append(names, name), append(versions, seen.version)
		}
		seen.mu.Unlock()
	}

	return names, versions
}
