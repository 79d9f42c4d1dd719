package httpapi

import (
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	process "github.com/VictoriaMetrics/metrics"

	"bincard/server/metrics"
)

// meters measure requests by operation and status. The labels contain no
// organization, key, person or path.
type meters struct {
	inFlight atomic.Int64
	byRoute  map[string]*durations // by route pattern
	all      []metrics.Collector   // with those of the meters
	pages    chan struct{}         // being written
}

// pagesAtOnce is how many clients can read the metrics at once.
const pagesAtOnce = 4

// seconds are the bounds of the buckets; the last is above the longest long
// poll.
var seconds = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// durations are the histograms of one operation.
type durations struct {
	operation string
	mu        sync.RWMutex
	byStatus  map[int]*metrics.Histogram
}

func (d *durations) of(status int) *metrics.Histogram {
	d.mu.RLock()
	h := d.byStatus[status]
	d.mu.RUnlock()
	if h != nil {
		return h
	}

	d.mu.Lock()
	defer d.mu.Unlock()
	if d.byStatus[status] == nil {
		d.byStatus[status] = metrics.NewHistogram("bincard_http_request_duration_seconds",
			"Request duration by operation and status.", seconds,
			"operation", d.operation, "status", strconv.Itoa(status))
	}

	return d.byStatus[status]
}

func (d *durations) collect(p *metrics.Page) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	for _, h := range d.byStatus {
		h.Collect(p)
	}
}

// newMeters returns the meters of operations, by route pattern.
func newMeters(operations map[string]string, extra []metrics.Collector) *meters {
	process.ExposeMetadata(true) // writes the types of the metrics of the process
	m := &meters{byRoute: map[string]*durations{}, pages: make(chan struct{}, pagesAtOnce)}
	m.all = append([]metrics.Collector{m.collect}, extra...)
	operations[""] = "none"
	for pattern, operation := range operations {
		m.byRoute[pattern] = &durations{operation: operation, byStatus: map[int]*metrics.Histogram{}}
	}
	return m
}

// end records a finished request.
func (m *meters) end(x *exchange) {
	m.inFlight.Add(-1)
	if d := m.byRoute[x.route]; d != nil {
		d.of(x.status).Observe(time.Since(x.start).Seconds())
	}
}

func (m *meters) collect(p *metrics.Page) {
	p.Gauge("bincard_http_requests_in_flight", "Requests in progress, including long polls.",
		float64(m.inFlight.Load()))
	for _, d := range m.byRoute {
		d.collect(p)
	}
}

// serve answers /metrics.
func (m *meters) serve(x *exchange) {
	select {
	case m.pages <- struct{}{}:
		defer func() { <-m.pages }()
	default:
		x.fail(unavailable(retryCrowded, nil, "Too many clients are reading the metrics (%d). Retry shortly.",
			pagesAtOnce))
		return
	}

	x.Header()["Cache-Control"] = noStore
	x.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	x.WriteHeader(http.StatusOK)
	if _, err := x.Write(metrics.Collect(m.all...).Text()); err == nil {
		process.WriteProcessMetrics(x)
	}
}
