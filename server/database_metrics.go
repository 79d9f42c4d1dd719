package server

import (
	"bincard/server/ledger"
	"bincard/server/metrics"
	"bincard/server/store/pgstore"
)

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
