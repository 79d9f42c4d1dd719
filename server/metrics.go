package server

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"bincard/server/ledger"
	"bincard/server/store"
	"bincard/server/store/boltstore"
)

// meters measure the store and the ledger. They name no organization.
type meters struct {
	batch  prometheus.Histogram
	flush  prometheus.Histogram
	failed prometheus.Counter
	all    []prometheus.Collector
}

// countTimeout limits the count of balances for the metrics.
const countTimeout = 5 * time.Second

// newMeters returns the meters of the ledger and its store.
func (s *Server) newMeters(log *slog.Logger) *meters {
	m := &meters{all: []prometheus.Collector{&census{ledger.NewCensus(s.Ledger), log}}}
	if s.Database != nil {
		m.all = append(m.all, &databaseMeters{s.Database, s.Ledger})
	} else {
		m.observe(s.Store)
	}
	return m
}

// observe measures the store in a data directory.
func (m *meters) observe(st *boltstore.Store) {
	m.batch = prometheus.NewHistogram(prometheus.HistogramOpts{Name: "bincard_store_batch_updates",
		Help: "Updates per commit.", Buckets: prometheus.ExponentialBuckets(1, 2, 9)})
	m.flush = prometheus.NewHistogram(prometheus.HistogramOpts{Name: "bincard_store_flush_seconds",
		Help: "Time to write and flush a commit.", Buckets: prometheus.ExponentialBuckets(.0001, 2.5, 11)})
	m.failed = prometheus.NewCounter(prometheus.CounterOpts{Name: "bincard_store_failed_commits_total",
		Help: "Commits that failed."})
	m.all = append(m.all, m.batch, m.flush, m.failed,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "bincard_store_queue_length",
			Help: "Updates waiting to be committed."}, func() float64 { return float64(st.Queued()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "bincard_store_size_bytes",
			Help: "Size of the database, including free pages."}, func() float64 { return float64(st.Size()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "bincard_store_log_bytes",
			Help: "Bytes of the log not yet checkpointed."}, func() float64 { return float64(st.LogBytes()) }))
	st.Observe(m.note)
}

// note is called by the store's writer after each commit.
func (m *meters) note(c store.Commit) {
	m.batch.Observe(float64(c.Updates))
	if c.Flush > 0 {
		m.flush.Observe(c.Flush.Seconds())
	}
	if c.Err != nil {
		m.failed.Inc()
	}
}

// A census counts balances.
type census struct {
	*ledger.Census
	log *slog.Logger
}

var balancesDesc = prometheus.NewDesc("bincard_balances", "Balances of all organizations, by environment.", []string{"environment"}, nil)

func (c *census) Describe(ch chan<- *prometheus.Desc) { ch <- balancesDesc }

// Collect counts the balances created since the last time. It omits the metric
// if that fails.
func (c *census) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), countTimeout)
	defer cancel()
	n, err := c.Balances(ctx)
	if err != nil {
		c.log.Warn("cannot count the balances for the metrics", "error", err)
		return
	}
	for env, n := range n {
		ch <- prometheus.MustNewConstMetric(balancesDesc, prometheus.GaugeValue, float64(n), string(env))
	}
}
