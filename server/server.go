package server

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"bincard/server/httpapi"
	"bincard/server/ledger"
	"bincard/server/metrics"
	"bincard/server/store"
	"bincard/server/store/boltstore"
	"bincard/server/store/pgstore"
)

// Config configures a Server. Only Dir or Database is required.
type Config struct {
	// Dir is the data directory; it is created if it does not exist.
	Dir string
	// Database is the URL of a PostgreSQL database, which replaces the data directory.
	Database string
	// CreateTables creates the tables in the database if they are missing.
	CreateTables bool
	// Version is the program's version, for the data format and errors about
	// it.
	Version string
	// Now returns the time; nil means time.Now.
	Now func() time.Time
	// After is the timer of the clock Now. If Now is set and After is not,
	// nothing can wait for the clock, and reservations expire only when read.
	After func(time.Duration) <-chan time.Time
	// Passive expires reservations only when they are read, so that opening the data does
	// not change it.
	Passive bool
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

// A Server is the service on a data directory, which it has locked, or on a database,
// which it may share with other servers.
type Server struct {
	Ledger *ledger.Ledger
	// Store is the store in the data directory, for backups and checks; nil with a
	// database.
	Store *boltstore.Store
	// Database is the store in the database; nil with a data directory.
	Database *pgstore.Store
	// Health records the results of backups and verifications.
	Health *Health

	store  store.Store // Store or Database
	now    func() time.Time
	log    *slog.Logger
	cfg    Config
	meters *meters
	// stop stops the background work; done is closed when it has stopped.
	stop context.CancelFunc
	done chan struct{}
}

// Open opens the data directory or the database. If another process has the directory
// open, the error is a *store.LockedError, which identifies that process. If the data has
// another format, it is a *ledger.FormatError.
func Open(cfg Config) (*Server, error) {
	s := &Server{Health: &Health{now: cfg.Now}, now: cfg.Now, log: cfg.Log, cfg: cfg, done: make(chan struct{})}
	if err := s.openStore(); err != nil {
		return nil, err
	}

	rows := s.store
	err := CheckCopyFinished(context.Background(), s.store)
	if err == nil {
		rows, err = ledger.CheckFormat(context.Background(), s.store, cfg.Version)
	}
	if err != nil {
		return nil, errors.Join(err, s.store.Close())
	}

	s.Ledger = ledger.New(rows, ledger.Options{Now: cfg.Now, After: cfg.After, Log: cfg.Log})
	s.meters = s.newMeters(cmp.Or(cfg.Log, slog.Default()))
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	if !cfg.Passive && (cfg.Now == nil || cfg.After != nil) {
		go s.expire(ctx)
	} else {
		close(s.done)
	}

	return s, nil
}

func (s *Server) openStore() (err error) {
	if s.cfg.Database == "" {
		if s.Store, err = boltstore.Open(s.cfg.Dir,
			boltstore.Options{NoSync: s.cfg.NoSync, Now: s.cfg.Now}); err == nil {
			s.store = s.Store
		}
		return err
	}

	if s.Database, err = pgstore.Open(context.Background(), s.cfg.Database,
		pgstore.Options{Create: s.cfg.CreateTables}); err == nil {
		s.store = s.Database
	}

	return err
}

// expire expires reservations when they are due, even if nobody reads them.
func (s *Server) expire(ctx context.Context) {
	defer close(s.done)
	if err := s.Ledger.Run(ctx); err != nil {
		cmp.Or(s.log, slog.Default()).Error("cannot expire reservations in the background; they expire when read",
			"error", err)
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

// AddMetrics adds metrics to those of the handlers that Handler returns from now on.
func (s *Server) AddMetrics(c metrics.Collector) { s.meters.all = append(s.meters.all, c) }

// Handler returns the HTTP handler for the ledger's operations.
func (s *Server) Handler() http.Handler {
	cfg := httpapi.Config{
		Service:          s.Ledger,
		Authenticate:     s.Ledger.Authenticate,
		Ready:            s.ready,
		Logger:           s.log,
		Rate:             s.cfg.Rate,
		Now:              s.now,
		MaxWaitingPerOrg: s.cfg.LongPollsPerOrg,
		MaxWaitingPerKey: s.cfg.LongPollsPerKey,
		Metrics:          append([]metrics.Collector{s.Health.Collect}, s.meters.all...),
	}

	if s.Database != nil {
		cfg.Store = s.describeDatabase
	}

	return httpapi.New(cfg)
}

// Close finishes the writes in progress and closes the data directory. A
// second Close does nothing.
func (s *Server) Close() error {
	s.stop()
	<-s.done
	s.Ledger.Close()
	return s.store.Close()
}
