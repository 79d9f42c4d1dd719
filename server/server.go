package server

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"bincard/server/httpapi"
	"bincard/server/ledger"
	"bincard/server/store/boltstore"
)

// Config configures a Server. Only Dir is required.
type Config struct {
	// Dir is the data directory; it is created if it does not exist.
	Dir string
	// Version is the program's version, for the data format and errors about
	// it.
	Version string
	// Now returns the time; nil means time.Now.
	Now func() time.Time
	// After is the timer of the clock Now. If Now is set and After is not,
	// nothing can wait for the clock, and reservations expire only when read.
	After func(time.Duration) <-chan time.Time
	// Log logs every request and the causes of failures; nil means
	// slog.Default().
	Log *slog.Logger
	// NoSync does not wait for the disk: a crash of the machine may lose or
	// damage all data. Use it only for data that can be created again.
	NoSync bool
	// Rate is the number of requests a second that one key may make; 0 means
	// 20,000, a negative number no limit.
	Rate int
	// LongPollsPerOrg and LongPollsPerKey limit the open long polls; 0 means
	// httpapi's defaults.
	LongPollsPerOrg, LongPollsPerKey int
}

// A Server is the service on a data directory, which it has locked.
type Server struct {
	Ledger *ledger.Ledger
	// Store is the store of the ledger, for backups and checks.
	Store *boltstore.Store
	// Health records the results of backups and verifications.
	Health *Health

	now    func() time.Time
	log    *slog.Logger
	cfg    Config
	meters *meters
	// stop stops the background work; done is closed when it has stopped.
	stop context.CancelFunc
	done chan struct{}
}

// Open opens the data directory. If another process has it open, the error is
// a *store.LockedError, which identifies that process. If the data has another
// format, it is a *ledger.FormatError.
func Open(cfg Config) (*Server, error) {
	st, err := boltstore.Open(cfg.Dir, boltstore.Options{NoSync: cfg.NoSync, Now: cfg.Now})
	if err != nil {
		return nil, err
	}
	if err := ledger.CheckFormat(context.Background(), st, cfg.Version); err != nil {
		return nil, errors.Join(err, st.Close())
	}
	l := ledger.New(st, ledger.Options{Now: cfg.Now, After: cfg.After, Log: cfg.Log})
	s := &Server{Ledger: l, Store: st, Health: &Health{now: cfg.Now}, now: cfg.Now, log: cfg.Log, cfg: cfg,
		meters: newMeters(st, l, cmp.Or(cfg.Log, slog.Default())), done: make(chan struct{})}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	if cfg.Now == nil || cfg.After != nil {
		go s.expire(ctx)
	} else {
		close(s.done)
	}
	return s, nil
}

// expire expires reservations when they are due, even if nobody reads them.
func (s *Server) expire(ctx context.Context) {
	defer close(s.done)
	if err := s.Ledger.Run(ctx); err != nil {
		cmp.Or(s.log, slog.Default()).Error("cannot expire reservations in the background; they expire when read", "error", err)
	}
}

// Now returns the time of the server's clock.
func (s *Server) Now() time.Time { return clock(s.now) }

func clock(now func() time.Time) time.Time {
	if now == nil {
		return time.Now()
	}
	return now()
}

// Handler returns the HTTP handler for the ledger's operations.
func (s *Server) Handler() http.Handler {
	return httpapi.New(httpapi.Config{Service: s.Ledger, Authenticate: s.Ledger.Authenticate, Ready: s.ready, Logger: s.log, Rate: s.cfg.Rate, Now: s.now,
		MaxWaitingPerOrg: s.cfg.LongPollsPerOrg, MaxWaitingPerKey: s.cfg.LongPollsPerKey,
		Collectors: append([]prometheus.Collector{s.Health}, s.meters.all...)})
}

// Close finishes the writes in progress and closes the data directory. A
// second Close does nothing.
func (s *Server) Close() error {
	s.stop()
	<-s.done
	s.Ledger.Close()
	return s.Store.Close()
}
