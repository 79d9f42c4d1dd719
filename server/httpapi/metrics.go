package httpapi

import (
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"bincard/server/api"
)

// meters measure the requests. Their labels are operations and statuses, which
// are few; no organization, key, person or path of a request is among them.
type meters struct {
	registry *prometheus.Registry
	inFlight prometheus.Gauge
	byRoute  map[string]*series // by the pattern of the route
}

// seconds are the bounds of the buckets; the last lies above the longest wait for a change.
var seconds = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// A series is one operation's, by status. Looking a child up by its labels
// costs more than counting in it, so those of the usual statuses are kept.
type series struct {
	vec  prometheus.ObserverVec
	kept [len(statuses)]atomic.Pointer[prometheus.Observer]
}

var statuses = [...]int{200, 201, 400, 401, 402, 403, 404, 409, 412, 422, 429, 503}

func (s *series) of(status int) prometheus.Observer {
	i := slices.Index(statuses[:], status)
	if i >= 0 {
		if o := s.kept[i].Load(); o != nil {
			return *o
		}
	}
	o := s.vec.WithLabelValues(strconv.Itoa(status))
	if i >= 0 {
		s.kept[i].Store(&o)
	}
	return o
}

func newMeters(specs []*api.Spec, more []prometheus.Collector, log *slog.Logger) *meters {
	took := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "bincard_http_request_duration_seconds",
		Help:    "Request duration by operation and status.",
		Buckets: seconds,
	}, []string{"operation", "status"})
	m := &meters{registry: prometheus.NewRegistry(), byRoute: map[string]*series{},
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "bincard_http_requests_in_flight", Help: "Requests in progress, including long polls."})}
	for _, c := range append([]prometheus.Collector{took, m.inFlight, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{})}, more...) {
		if err := m.registry.Register(c); err != nil {
			log.Error("metric skipped", "error", err)
		}
	}
	m.byRoute[""] = &series{vec: took.MustCurryWith(prometheus.Labels{"operation": "none"})}
	for _, spec := range specs {
		m.byRoute[pattern(spec)] = &series{vec: took.MustCurryWith(prometheus.Labels{"operation": spec.ID})}
	}
	for _, path := range publicRoutes {
		m.byRoute["GET "+path] = &series{vec: took.MustCurryWith(prometheus.Labels{"operation": strings.TrimPrefix(path, "/")})}
	}
	return m
}

// end notes how a request ended.
func (m *meters) end(x *exchange) {
	m.inFlight.Dec()
	if by := m.byRoute[x.route]; by != nil {
		by.of(x.status).Observe(time.Since(x.start).Seconds())
	}
}

// serve answers with all metrics, in the form that the reader asks for.
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
