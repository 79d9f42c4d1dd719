// Package httpapi serves the operations of package api over HTTP.
//
// Every request passes the same steps, in handle.go: authenticate (wrong_keys.go), limit the
// rate (rate.go), check organization and scope, read the headers (header.go), join the
// requests of the organization (admission.go), read the body, if any, wait for a turn, decode
// and check (body.go), call the service (poll.go), and write the answer (exchange.go), which
// is counted until the client has read it (transit.go). The operation's Spec determines what
// differs; no route has code of its own.
package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"bincard/server/api"
	"bincard/server/metrics"
)

const (
	defaultConcurrent = 1024
	defaultTimeout    = 25 * time.Second
	defaultChunk      = 10 * time.Second
)

// Config configures the handler.
type Config struct {
	// Service performs the operations.
	Service api.Service
	// Extra are operations that the service supports in addition to
	// api.Operations().
	Extra []*api.Spec
	// AllowAcceptRisk enables the headers Bincard-Insist and Bincard-After,
	// which set AcceptRisk and After of api.Request. Only a service that saves
	// offline work supports them.
	AllowAcceptRisk bool
	// Authenticate returns the caller of an API key, or an UNAUTHORIZED error.
	Authenticate func(ctx context.Context, secret string) (*api.Caller, error)
	// Ready returns an error if the service is not ready, and otherwise
	// warnings for operators; nil means always ready. Both are public.
	Ready func(ctx context.Context) (warnings []string, err error)
	// Store describes the store in the answer of a service that is ready; nil if there is
	// nothing to say. It is public.
	Store func(ctx context.Context) any
	// Logger logs every request and the causes of failures; nil means
	// slog.Default().
	Logger *slog.Logger
	// MaxConcurrent limits the operations of one organization that run or wait
	// for their turn; 0 means 1024. Requests beyond it are answered 503 at once.
	MaxConcurrent int
	// Processors is the number of processors that the operations share fairly
	// between organizations; 0 means GOMAXPROCS. A negative number lets all
	// operations run at once, for a service that waits for another one.
	Processors int
	// Timeout limits one operation; 0 means 25 s, less than the server's write
	// timeout.
	Timeout time.Duration
	// ChunkTimeout limits how long a client may take to accept 64 KiB of an
	// answer; 0 means 10 s.
	ChunkTimeout time.Duration
	// MaxWaiting limits the open long polls; 0 means 2048. It should be well
	// below the limit of connections. MaxWaitingPerOrg limits those of an
	// organization, 256 if 0, and MaxWaitingPerKey those of a key, 64 if 0.
	MaxWaiting, MaxWaitingPerOrg, MaxWaitingPerKey int
	// MaxTransitPerKey limits the bytes of answers of one key that its clients have
	// not read; 0 means 32 MB.
	MaxTransitPerKey int64
	// MaxBodiesPerOrg limits the bytes of request bodies of one organization that
	// are read at once, not counting small ones; 0 means 32 MB. Others wait.
	MaxBodiesPerOrg int64
	// Rate is the number of requests a second that one key may make, averaged
	// over two seconds; 0 means 20,000, a negative number no limit. Requests
	// beyond it are answered 429 with the time to wait. So are wrong keys, if
	// too many come from one address.
	Rate int
	// WrongKeyDelay is how long an address with too many wrong keys waits for an
	// answer; 0 means 1 s.
	WrongKeyDelay time.Duration
	// Now is the clock for Rate and the Date header; nil means time.Now.
	Now func() time.Time
	// Metrics are additional metrics for /metrics.
	Metrics []metrics.Collector
}

type server struct {
	Config
	mux *http.ServeMux
	// admin has the routes for operators, which Admin serves; hasAdmin is set then.
	admin    *http.ServeMux
	hasAdmin atomic.Bool
	leaving  atomic.Bool
	limiter  *rateLimiter
	guard    *keyGuard

	admission *admission
	polls     *longPolls
	transit   *transit
	meters    *meters
}

// bind binds a pattern to fn. The mux passes on the exchange that ServeHTTP
// gave it.
func (s *server) bind(pattern string, fn func(*exchange)) { s.bindTo(s.mux, pattern, fn) }

func (s *server) bindTo(mux *http.ServeMux, pattern string, fn func(*exchange)) {
	mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		x := w.(*exchange)
		x.r, x.route = r, pattern
		fn(x)
	})
}

// Admin returns a handler of the health checks and the metrics, which s then no longer
// shows itself.
func (s *server) Admin() http.Handler {
	s.hasAdmin.Store(true)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(s.admin, w, r) })
}

// ServeHTTP implements http.Handler.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.serve(s.mux, w, r) }

// serve assigns the request its id, routes it and logs the result.
func (s *server) serve(mux *http.ServeMux, w http.ResponseWriter, r *http.Request) {
	x := &exchange{w: w, r: r, log: s.Logger, start: time.Now(), id: requestID(r), chunkTimeout: s.ChunkTimeout}
	h := w.Header()
	h["X-Request-Id"] = []string{x.id}
	h["X-Content-Type-Options"] = noSniff
	if r.TLS != nil {
		h["Strict-Transport-Security"] = onlyTLS
	}
	if r.ProtoMajor == 1 && len(r.TransferEncoding) > 0 {
		// It may have had a length as well, which a proxy in between may have believed.
		h["Connection"] = []string{"close"}
	}
	if s.Now != nil {
		w.Header()["Date"] = []string{s.Now().UTC().Format(http.TimeFormat)}
	}

	s.meters.inFlight.Add(1)
	defer s.meters.end(x)
	defer s.finish(x)
	defer x.settle()
	defer x.leave()
	// The mux would redirect such a path to its clean form.
	if p := r.URL.Path; !strings.HasPrefix(p, "/") || strings.Contains(p, "//") || strings.Contains(p, "/.") {
		x.notFound()
		return
	}

	mux.ServeHTTP(x, r)
}

// finish handles a panic and writes the access log.
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
			panic(http.ErrAbortHandler) // an incomplete answer must not look complete
		}

		x.fail(api.Internal(nil))
	}

	x.access()
}

// methods are the methods that a path may allow.
var methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPatch}

// noRoute answers a request without a route: 405 if another method is allowed,
// else 404.
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
	x.fail(api.Fail(api.MethodNotAllowed, api.Details{"allowed": allowed}, "%s allows %s, not %s.",
		quoteClipped(x.r.URL.Path), allow, quoteClipped(x.r.Method)))
}

// notFound answers a path that does not exist.
func (x *exchange) notFound() {
	x.fail(
		api.Fail(api.NotFound, nil, "No such path: %s. Paths start with %s; see /docs.",
			quoteClipped(x.r.URL.Path), api.BasePath),
	)
}

// Leave makes the check whether the service is ready fail from now on. Serve calls it.
func (s *server) Leave() { s.leaving.Store(true) }

// Drain makes all long polls return at once, so that the server can shut down.
// Serve calls it.
func (s *server) Drain() { s.polls.once.Do(func() { close(s.polls.draining) }) }
