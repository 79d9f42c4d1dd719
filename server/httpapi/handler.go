package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"bincard/server/api"
)

const (
	defaultConcurrent = 1024
	defaultTimeout    = 25 * time.Second
)

// Config is what the handler needs.
type Config struct {
	// Service performs the operations.
	Service api.Service
	// Extra are operations that the service performs besides api.Operations().
	Extra []*api.Spec
	// AllowAcceptRisk tells that the service keeps work that it would refuse where who
	// asks insists, and knows what belongs together: see api.Request. The headers
	// Bincard-Insist and Bincard-After say so then, and nothing otherwise.
	AllowAcceptRisk bool
	// Authenticate finds the caller of an API key; it fails with UNAUTHORIZED.
	Authenticate func(ctx context.Context, secret string) (*api.Caller, error)
	// Ready tells why the service cannot work yet or any more, and else what
	// somebody ought to look at; nil means it always can. Anybody may read both.
	Ready func(ctx context.Context) (warnings []string, err error)
	// Logger gets a line a request and the causes of failures; nil means slog.Default().
	Logger *slog.Logger
	// MaxConcurrent bounds the operations that run at once; 0 means 1024. One
	// more is answered 503 at once instead of piling up.
	MaxConcurrent int
	// Timeout bounds one operation; 0 means 25 s, less than the server takes to
	// give up writing.
	Timeout time.Duration
	// MaxWaiting bounds the requests that wait for something to happen; 0 means 4096.
	MaxWaiting int
	// Rate is how many requests a second one key may make, on average over two
	// seconds; 0 means 20,000, less than 0 as many as it likes. One more is
	// answered 429 with the time to wait.
	Rate int
	// Now is the clock that Rate goes by and that the Date header tells; time.Now where nil.
	Now func() time.Time
	// Collectors are metrics of what lies behind the handler, for /metrics.
	Collectors []prometheus.Collector
}

type server struct {
	Config
	mux     *http.ServeMux
	busy    atomic.Int64
	waiting waitCounter
	limiter *rateLimiter

	meters *meters
}

// New returns the handler of the whole service: the operations, and what it
// tells of itself in own.go.
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
	if cfg.MaxWaiting <= 0 {
		cfg.MaxWaiting = defaultWaiting
	}
	s := &server{Config: cfg, mux: http.NewServeMux(), limiter: newRate(cfg.Rate, clockOf(cfg.Now))}
	specs := slices.Concat(api.Operations(), cfg.Extra)
	s.meters = newMeters(specs, cfg.Collectors, cfg.Logger)
	s.waiting.draining = make(chan struct{})
	for _, spec := range specs {
		s.route(pattern(spec), func(x *exchange) { s.handle(x, spec) })
	}
	s.routePublic()
	s.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { s.noRoute(w.(*exchange)) })
	return s
}

// route binds a pattern to fn. The mux hands through the exchange that
// ServeHTTP gave it.
func (s *server) route(pattern string, fn func(*exchange)) {
	s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		x := w.(*exchange)
		x.r, x.route = r, pattern
		fn(x)
	})
}

// ServeHTTP gives the request its id, hands it to its route, and logs how it ended.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{w: w, r: r, log: s.Logger, start: time.Now(), id: requestID(r)}
	w.Header()["X-Request-Id"] = []string{x.id}
	if s.Now != nil {
		w.Header()["Date"] = []string{s.Now().UTC().Format(http.TimeFormat)}
	}
	s.meters.inFlight.Inc()
	defer s.meters.end(x)
	defer s.finish(x)
	// A path that the mux would redirect to its clean form is nothing here.
	if p := r.URL.Path; !strings.HasPrefix(p, "/") || strings.Contains(p, "//") || strings.Contains(p, "/.") {
		x.notFound()
		return
	}
	s.mux.ServeHTTP(x, r)
}

// finish answers a panic and writes the access log.
func (s *server) finish(x *exchange) {
	if p := recover(); p != nil {
		if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
			panic(p)
		}
		s.Logger.LogAttrs(context.Background(), slog.LevelError, "request panicked",
			slog.String("requestId", x.id), slog.String("route", x.route),
			slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
		if x.status != 0 {
			x.access()
			panic(http.ErrAbortHandler) // half an answer must not look like a whole one
		}
		x.fail(api.Internal(nil))
	}
	x.access()
}

// methods are those that a path may be asked by.
var methods = []string{http.MethodGet, http.MethodHead, http.MethodPost}

// noRoute answers what no route takes: 405 where another method would do, else 404.
func (s *server) noRoute(x *exchange) {
	var allowed []string
	for _, m := range methods {
		other := *x.r
		other.Method = m
		if _, pattern := s.mux.Handler(&other); pattern != "/" {
			allowed = append(allowed, m)
		}
	}
	if len(allowed) == 0 {
		x.notFound()
		return
	}
	allow := strings.Join(allowed, ", ")
	x.w.Header().Set("Allow", allow)
	x.fail(api.Fail(api.MethodNotAllowed, api.Details{"allowed": allowed}, "%s allows %s, not %s.", quoteClipped(x.r.URL.Path), allow, quoteClipped(x.r.Method)))
}

// notFound answers a path that does not exist.
func (x *exchange) notFound() {
	x.fail(api.Fail(api.NotFound, nil, "No such path: %s. Paths start with /v1/organizations/{organizationId}; see /docs.", quoteClipped(x.r.URL.Path)))
}
