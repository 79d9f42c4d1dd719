// Package server puts the service together: the store in a data directory, the
// ledger on it, and the handler that answers over HTTP. The command, the
// terminal on its own ledger and the tests all open it here.
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

// Config says where the data is. Only Dir must be given.
type Config struct {
	// Dir is the data directory; it is made where there is none.
	Dir string
	// Version is the program's version, for the data and for errors about it.
	Version string
	// Now is the clock; time.Now where nil.
	Now func() time.Time
	// After is the timer of a clock that runs; where only Now is given the clock
	// cannot be waited for, and reservations expire when somebody looks.
	After func(time.Duration) <-chan time.Time
	// Log takes a line a request and the causes of failures; slog.Default where nil.
	Log *slog.Logger
	// NoSync does not wait for the disk: a crash of the machine may lose or
	// damage everything. For what can be made again.
	NoSync bool
	// Rate is how many requests a second one key may make; 0 means 20,000, less
	// than 0 as many as it likes.
	Rate int
}

// A Server is the service on one data directory, which it alone has open.
type Server struct {
	Ledger *ledger.Ledger
	// Store is what the ledger is on, for backups and checks.
	Store *boltstore.Store
	// Health is told how copies and proofs ended, and shows it.
	Health *Health

	now    func() time.Time
	log    *slog.Logger
	rate   int
	meters *meters
	// stop ends the work of its own; ended tells that it has.
	stop  context.CancelFunc
	ended chan struct{}
}

// Open opens the data directory. When another process has it open the error is
// a *store.HeldError, which names that process; when the data is of another
// format it is a *ledger.FormatError.
func Open(cfg Config) (*Server, error) {
	st, err := boltstore.Open(cfg.Dir, boltstore.Options{NoSync: cfg.NoSync, Now: cfg.Now})
	if err != nil {
		return nil, err
	}
	if err := ledger.CheckFormat(context.Background(), st, cfg.Version); err != nil {
		return nil, errors.Join(err, st.Close())
	}
	l := ledger.New(st, ledger.Options{Now: cfg.Now, After: cfg.After, Log: cfg.Log})
	s := &Server{Ledger: l, Store: st, Health: &Health{now: cfg.Now}, now: cfg.Now, log: cfg.Log, rate: cfg.Rate,
		meters: newMeters(st, l, cmp.Or(cfg.Log, slog.Default())), ended: make(chan struct{})}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	if cfg.Now == nil || cfg.After != nil {
		go s.expire(ctx)
	} else {
		close(s.ended)
	}
	return s, nil
}

// expire expires reservations when they fall due, though nobody looks.
func (s *Server) expire(ctx context.Context) {
	defer close(s.ended)
	if err := s.Ledger.Run(ctx); err != nil {
		cmp.Or(s.log, slog.Default()).Error("reservations expire only when somebody looks", "error", err)
	}
}

// Now is the time by the server's clock.
func (s *Server) Now() time.Time { return clock(s.now) }

func clock(now func() time.Time) time.Time {
	if now == nil {
		return time.Now()
	}
	return now()
}

// Handler answers the operations of the ledger over HTTP to callers with a key.
func (s *Server) Handler() http.Handler {
	return httpapi.New(httpapi.Config{Service: s.Ledger, Authenticate: s.Ledger.Authenticate, Ready: s.ready, Logger: s.log, Rate: s.rate, Now: s.now,
		Collectors: append([]prometheus.Collector{s.Health}, s.meters.all...)})
}

// Close finishes the writes under way and lets go of the data directory. A
// second Close does nothing.
func (s *Server) Close() error {
	s.stop()
	<-s.ended
	s.Ledger.Close()
	return s.Store.Close()
}
