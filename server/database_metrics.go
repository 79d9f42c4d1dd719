package server

import (
	"github.com/prometheus/client_golang/prometheus"

	"bincard/server/ledger"
	"bincard/server/store/pgstore"
)

// databaseMeters measure the store in a database, and compare its clock with the ledger's.
type databaseMeters struct {
	store  *pgstore.Store
	ledger *ledger.Ledger
}

func storeDesc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("bincard_store_"+name, help, labels, nil)
}

var (
	roundTripsDesc = storeDesc("round_trips_total", "Requests to the database.")
	cacheDesc      = storeDesc("cache_reads_total", "Reads of rows by updates, by whether the row was cached.", "result")
	updatesDesc    = storeDesc("updates_total", "Updates, including those that failed.")
	batchesDesc    = storeDesc("batches_total", "Attempts to commit updates together.")
	restagedDesc   = storeDesc("restaged_batches_total", "Batches that ran again because another process had committed.")
	failedDesc     = storeDesc("failed_commits_total", "Commits that failed.")
	lockWaitDesc   = storeDesc("lock_wait_seconds_total", "Time that batches waited for the locks of their partitions.")
	openDesc       = storeDesc("connections", "Connections to the database, by use and state.", "use", "state")
	maxDesc        = storeDesc("connections_max", "Maximum connections to the database, by use.", "use")
	clockDesc      = storeDesc("clock_offset_seconds", "How far the clock of this process is ahead of the database's.")
)

// Describe implements prometheus.Collector.
func (m *databaseMeters) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{roundTripsDesc, cacheDesc, updatesDesc, batchesDesc, restagedDesc, failedDesc, lockWaitDesc, openDesc, maxDesc, clockDesc} {
		ch <- d
	}
}

// Collect implements prometheus.Collector.
func (m *databaseMeters) Collect(ch chan<- prometheus.Metric) {
	s := m.store.Stats()
	count := func(d *prometheus.Desc, n float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, n, labels...)
	}
	count(roundTripsDesc, float64(s.RoundTrips))
	count(cacheDesc, float64(s.Hits), "hit")
	count(cacheDesc, float64(s.Misses), "miss")
	count(updatesDesc, float64(s.Updates))
	count(batchesDesc, float64(s.Batches))
	count(restagedDesc, float64(s.Restaged))
	count(failedDesc, float64(s.Failed))
	count(lockWaitDesc, s.LockWait.Seconds())
	if ahead, known := m.ledger.ClockOffset(); known {
		ch <- prometheus.MustNewConstMetric(clockDesc, prometheus.GaugeValue, ahead.Seconds())
	}
	for use, c := range map[string]pgstore.Connections{"read": s.Reads, "commit": s.Commits} {
		gauge := func(d *prometheus.Desc, n int32, labels ...string) {
			ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(n), append([]string{use}, labels...)...)
		}
		gauge(openDesc, c.Used, "used")
		gauge(openDesc, c.Open-c.Used, "idle")
		gauge(maxDesc, c.Max)
	}
}
