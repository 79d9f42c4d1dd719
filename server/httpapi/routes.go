package httpapi

import (
	"cmp"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"bincard/server/api"
)

// New returns the handler of the whole service: the operations, and the public
// routes.
func New(cfg Config) http.Handler {
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	if cfg.MaxConcurrent <= 0 {
		cfg.MaxConcurrent = defaultConcurrent
	}
	if cfg.Timeout <= 0 {
		cfg.Timeout = defaultTimeout
	}
	if cfg.ChunkTimeout <= 0 {
		cfg.ChunkTimeout = defaultChunk
	}

	cfg.MaxWaiting = cmp.Or(max(0, cfg.MaxWaiting), defaultWaiting)
	cfg.MaxWaitingPerOrg = cmp.Or(max(0, cfg.MaxWaitingPerOrg), defaultWaitingPerOrg)
	cfg.MaxWaitingPerKey = cmp.Or(max(0, cfg.MaxWaitingPerKey), defaultWaitingPerKey)
	s := &server{
		Config:    cfg,
		mux:       http.NewServeMux(),
		admin:     http.NewServeMux(),
		limiter:   newRate(cfg.Rate, clockOf(cfg.Now)),
		guard:     newKeyGuard(&cfg),
		admission: newAdmission(&cfg),
		polls:     newLongPolls(&cfg),
		transit:   newTransit(&cfg),
	}

	operations := map[string]string{} // by pattern, for the metrics
	for _, spec := range slices.Concat(api.Operations(), cfg.Extra) {
		pattern := spec.Method + " " + api.BasePath + spec.Path
		operations[pattern] = spec.ID
		s.bind(pattern, func(x *exchange) { s.handle(x, spec) })
	}

	for _, path := range publicRoutes {
		operations["GET "+path] = strings.TrimPrefix(path, "/")
	}

	s.meters = newMeters(operations, append(cfg.Metrics, s.admission.collect))
	s.routePublic()
	s.admin.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { w.(*exchange).notFound() })
	s.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { s.noRoute(w.(*exchange)) })

	return s
}

// publicRoutes are the paths outside any organization. They need no key.
var publicRoutes = []string{"/healthz", "/readyz", "/metrics", "/openapi.yaml", "/openapi.json", "/docs"}

// routePublic binds the public routes.
func (s *server) routePublic() {
	s.bindTo(s.admin, "GET /metrics", s.meters.serve)
	for _, mux := range []*http.ServeMux{s.mux, s.admin} {
		s.bindTo(mux, "GET /healthz", s.health)
		s.bindTo(mux, "GET /readyz", s.ready)
	}

	s.bind("GET /metrics", func(x *exchange) {
		if s.hasAdmin.Load() {
			x.notFound()
			return
		}
		s.admin.ServeHTTP(x, x.r)
	})

	s.routeDocuments()
}

func (s *server) health(x *exchange) { x.write(http.StatusOK, map[string]string{"status": "ok"}) }

// A readiness is the answer of /readyz when the service is ready.
type readiness struct {
	Status   string   `json:"status"`
	Warnings []string `json:"warnings,omitzero"`
	Store    any      `json:"store,omitzero"`
}

func (s *server) ready(x *exchange) {
	if s.leaving.Load() {
		x.fail(unavailable(retryUnready, nil, "The service is not ready: it is shutting down."))
		return
	}

	out := readiness{Status: "ready"}
	if s.Ready != nil {
		var err error
		if out.Warnings, err = s.Ready(x.r.Context()); err != nil {
			x.fail(
				unavailable(retryUnready, err, "The service is not ready: %v.", strings.TrimSuffix(err.Error(), ".")))
			return
		}
	}

	if s.Store != nil {
		out.Store = s.Store(x.r.Context())
	}

	x.write(http.StatusOK, out)
}
