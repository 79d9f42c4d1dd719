// Package server puts the service together: a store in a directory, the ledger
// on it, and the handler that answers for it over HTTP. The embedded terminal,
// the command line and the tests use it as the service itself does.
package server

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"bincard/server/httpapi"
	"bincard/server/ledger"
	"bincard/server/store"
	"bincard/server/store/boltstore"
)

// Config says where the ledger is and which clock it keeps.
type Config struct {
	// Dir is the data directory; it is made when it is not there.
	Dir string
	// Now is the clock; time.Now where nil.
	Now func() time.Time
	// Log takes what should not happen and a line a request; slog.Default where nil.
	Log *slog.Logger
	// NoSync leaves flushing to the operating system: only for data that can
	// be made again.
	NoSync bool
}

// A Server is an open data directory.
type Server struct {
	Ledger *ledger.Ledger
	Store  store.Store

	log    *slog.Logger
	once   sync.Once
	closed error
}

// Open opens the ledger in a directory. When another process has it open the
// error is a *store.HeldError, which says who.
func Open(cfg Config) (*Server, error) {
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	st, err := boltstore.Open(cfg.Dir, boltstore.Options{NoSync: cfg.NoSync})
	if err != nil {
		return nil, err
	}
	return &Server{Store: st, log: cfg.Log, Ledger: ledger.New(st, ledger.Options{Now: cfg.Now, Log: cfg.Log})}, nil
}

// Handler answers the service's interface over HTTP.
func (s *Server) Handler() http.Handler {
	return httpapi.New(httpapi.Config{Service: s.Ledger, Authenticate: s.Ledger.Authenticate, Ready: s.ready, Logger: s.log})
}

// ready tells whether the store answers.
func (s *Server) ready(ctx context.Context) error {
	return s.Store.View(ctx, store.Partition{}, func(store.Reader) error { return nil })
}

// Close lets writes under way finish and closes the store. It may be called again.
func (s *Server) Close() error {
	s.once.Do(func() { s.closed = s.Store.Close() })
	return s.closed
}
