package server

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"bincard/server/ledger"
	"bincard/server/metrics"
	"bincard/server/store"
	"bincard/server/store/boltstore"
	"bincard/server/store/pgstore"
)

// meters measure the store and the ledger. They name no organization.
type meters struct {
	batch, flush *metrics.Histogram
	failed       atomic.Int64
	all          []metrics.Collector
}

// countTimeout limits the count of balances for the metrics.
const countTimeout = 5 * time.Second

// newMeters returns the meters of the ledger and its store.
func (s *Server) newMeters(log *slog.Logger) *meters {
	balances := &census{ledger.NewCensus(s.Ledger), log}
	m := &meters{all: []metrics.Collector{balances.collect}}
	if s.Database != nil {
		database := &databaseMeters{s.Database, s.Ledger}
		m.all = append(m.all, database.collect)
	} else {
		m.observe(s.Store)
	}

	return m
}

// observe measures the store in a data directory.
func (m *meters) observe(st *boltstore.Store) {
	m.batch = metrics.NewHistogram("bincard_store_batch_updates", "Updates per commit.", metrics.Powers(1, 2, 9))
	m.flush = metrics.NewHistogram("bincard_store_flush_seconds", "Time to write and flush a commit.",
		metrics.Powers(.0001, 2.5, 11))

	m.all = append(m.all, m.batch.Collect, m.flush.Collect, func(p *metrics.Page) {
		p.Counter("bincard_store_failed_commits_total", "Commits that failed.", float64(m.failed.Load()))
		p.Gauge("bincard_store_queue_length", "Updates waiting to be committed.", float64(st.Queued()))
		p.Gauge("bincard_store_size_bytes", "Size of the database, including free pages.", float64(st.Size()))
		p.Gauge("bincard_store_log_bytes", "Bytes of the log not yet checkpointed.", float64(st.LogBytes()))
	})

	st.Observe(m.note)
}

// note is called by the store's writer after each commit.
func (m *meters) note(c store.Commit) {
	m.batch.Observe(float64(c.Updates))
	if c.Flush > 0 {
		m.flush.Observe(c.Flush.Seconds())
	}
	if c.Err != nil {
		m.failed.Add(1)
	}
}

// A census counts balances.
type census struct {
	*ledger.Census
	log *slog.Logger
}

// collect counts the balances created since the last time. It omits the metric
// if that fails.
func (c *census) collect(p *metrics.Page) {
	ctx, cancel := context.WithTimeout(context.Background(), countTimeout)
	defer cancel()
	n, err := c.Balances(ctx)
	if err != nil {
		c.log.Warn("cannot count the balances for the metrics", "error", err)
		return
	}
	for env, n := range n {
		p.Gauge("bincard_balances", "Balances of all organizations, by environment.", float64(n), "environment",
			string(env))
	}
}

// databaseMeters measure the store in a database, and compare its clock with the ledger's.
type databaseMeters struct {
	store  *pgstore.Store
	ledger *ledger.Ledger
}

func (m *databaseMeters) collect(p *metrics.Page) {
	s := m.store.Stats()
	count := func(name, help string, n uint64, labels ...string) {
		p.Counter("bincard_store_"+name, help, float64(n), labels...)
	}
	count("round_trips_total", "Requests to the database.", s.RoundTrips)
	const reads = "Reads of rows by updates, by whether the row was cached."
	count("cache_reads_total", reads, s.Hits, "result", "hit")
	count("cache_reads_total", reads, s.Misses, "result", "miss")
	count("updates_total", "Updates, including those that failed.", s.Updates)
	count("batches_total", "Attempts to commit updates together.", s.Batches)
	count("restaged_batches_total", "Batches that ran again because another process had committed.", s.Restaged)
	count("failed_commits_total", "Commits that failed.", s.Failed)
	p.Counter("bincard_store_lock_wait_seconds_total", "Time that batches waited for the locks of their partitions.",
		s.LockWait.Seconds())

	if ahead, known := m.ledger.ClockOffset(); known {
		p.Gauge("bincard_store_clock_offset_seconds", "How far the clock of this process is ahead of the database's.",
			ahead.Seconds())
	}

	for use, c := range map[string]pgstore.Connections{"read": s.Reads, "commit": s.Commits} {
		const open = "Connections to the database, by use and state."
		p.Gauge("bincard_store_connections", open, float64(c.Used), "state", "used", "use", use)
		p.Gauge("bincard_store_connections", open, float64(c.Open-c.Used), "state", "idle", "use", use)
		p.Gauge("bincard_store_connections_max", "Maximum connections to the database, by use.", float64(c.Max), "use",
			use)
	}
}
