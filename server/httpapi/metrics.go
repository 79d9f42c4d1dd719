package httpapi

import (
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// meters measure requests by operation and status. The labels contain no
// organization, key, person or path.
type meters struct {
	registry *prometheus.Registry
	inFlight prometheus.Gauge
	byRoute  map[string]*series // by route pattern
}

// seconds are the bounds of the buckets; the last is above the longest long
// poll.
var seconds = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// A series is the histogram of one operation by status. Looking a child up by
// its labels costs more than observing a value, so those of the usual statuses
// are cached.
type series struct {
	vec    prometheus.ObserverVec
	cached [len(statuses)]atomic.Pointer[prometheus.Observer]
}

var statuses = [...]int{200, 201, 400, 401, 402, 403, 404, 409, 412, 422, 429, 503}

func (s *series) of(status int) prometheus.Observer {
	i := slices.Index(statuses[:], status)
	if i >= 0 {
		if o := s.cached[i].Load(); o != nil {
			return *o
		}
	}
	o := s.vec.WithLabelValues(strconv.Itoa(status))
	if i >= 0 {
		s.cached[i].Store(&o)
	}
	return o
}

// newMeters returns the meters of operations, by route pattern.
func newMeters(operations map[string]string, extra []prometheus.Collector, log *slog.Logger) *meters {
	durations := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "bincard_http_request_duration_seconds",
		Help:    "Request duration by operation and status.",
		Buckets: seconds,
	}, []string{"operation", "status"})
	m := &meters{registry: prometheus.NewRegistry(), byRoute: map[string]*series{},
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "bincard_http_requests_in_flight", Help: "Requests in progress, including long polls."})}
	for _, c := range append([]prometheus.Collector{durations, m.inFlight, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{})}, extra...) {
		if err := m.registry.Register(c); err != nil {
			log.Error("metric skipped", "error", err)
		}
	}
	operations[""] = "none"
	for pattern, operation := range operations {
		m.byRoute[pattern] = &series{vec: durations.MustCurryWith(prometheus.Labels{"operation": operation})}
	}
	return m
}

// end records a finished request.
func (m *meters) end(x *exchange) {
	m.inFlight.Dec()
	if s := m.byRoute[x.route]; s != nil {
		s.of(x.status).Observe(time.Since(x.start).Seconds())
	}
}

// serve returns the handler of /metrics.
func (m *meters) serve() func(*exchange) {
	h := promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
	return func(x *exchange) {
		x.Header()["Cache-Control"] = noStore
		h.ServeHTTP(x, x.r)
		if x.status == 0 {
			x.status = http.StatusOK
		}
	}
}
