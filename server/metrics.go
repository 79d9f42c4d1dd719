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
