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

// meters measure the store and what the ledger holds. They name no organization.
type meters struct {
	batch  prometheus.Histogram
	flush  prometheus.Histogram
	failed prometheus.Counter
	all    []prometheus.Collector
}

// countTimeout bounds the count of balances that a look at the metrics causes.
const countTimeout = 5 * time.Second

func newMeters(st *boltstore.Store, l *ledger.Ledger, log *slog.Logger) *meters {
	m := &meters{
		batch: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "bincard_store_batch_updates",
			Help: "Updates that one commit took together.", Buckets: prometheus.ExponentialBuckets(1, 2, 9)}),
		flush: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "bincard_store_flush_seconds",
			Help: "Time to write a commit and have it on disk.", Buckets: prometheus.ExponentialBuckets(.0001, 2.5, 11)}),
		failed: prometheus.NewCounter(prometheus.CounterOpts{Name: "bincard_store_failed_commits_total",
			Help: "Commits that failed."}),
	}
	m.all = []prometheus.Collector{m.batch, m.flush, m.failed,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "bincard_store_queue_length",
			Help: "Updates that wait for their turn."}, func() float64 { return float64(st.Queued()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "bincard_store_size_bytes",
			Help: "Size of the database, free pages too."}, func() float64 { return float64(st.Size()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "bincard_store_log_bytes",
			Help: "Bytes of the log that are not yet moved to the database."}, func() float64 { return float64(st.LogBytes()) }),
		&census{ledger.NewCensus(l), log},
	}
	st.Observe(m.note)
	return m
}

// note runs on the store's writer, once a commit.
func (m *meters) note(c store.Commit) {
	m.batch.Observe(float64(c.Updates))
	if c.Flush > 0 {
		m.flush.Observe(c.Flush.Seconds())
	}
	if c.Err != nil {
		m.failed.Inc()
	}
}

// A census shows the number of balances.
type census struct {
	*ledger.Census
	log *slog.Logger
}

var balancesDesc = prometheus.NewDesc("bincard_balances", "Balances of all organizations, by environment.", []string{"environment"}, nil)

func (c *census) Describe(ch chan<- *prometheus.Desc) { ch <- balancesDesc }

// Collect counts what is new since the last time. When that fails the number is
// left out rather than wrong.
func (c *census) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), countTimeout)
	defer cancel()
	n, err := c.Balances(ctx)
	if err != nil {
		c.log.Warn("the balances could not be counted for the metrics", "error", err)
		return
	}
	for env, n := range n {
		ch <- prometheus.MustNewConstMetric(balancesDesc, prometheus.GaugeValue, float64(n), string(env))
	}
}
