package httpapi

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"time"
)

const (
	defaultConnections = 4096
	defaultPerAddress  = 256
	adminConnections   = 64 // health checks and metrics come from few
	maxHeader          = 16 << 10
)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::/64")}

// ServeConfig configures Serve. Zero timeouts have the defaults below.
type ServeConfig struct {
	// Addr is the host:port to listen on; unused if there is a Listener.
	Addr     string
	Listener net.Listener
	Handler  http.Handler
	// CertFile and KeyFile are PEM files; both or neither. They are reloaded
	// when they change.
	CertFile, KeyFile string
	// AllowPlain permits HTTP without TLS on an address that other machines
	// can reach.
	AllowPlain bool
	Logger     *slog.Logger
	// MaxConnections limits the open connections; 0 means 4096. MaxPerAddress
	// limits those from one address; 0 means 256, and no limit for this machine.
	// TrustedProxies have no limit of their own, and tell the addresses of their clients in
	// X-Forwarded-For or Forwarded.
	MaxConnections, MaxPerAddress int
	TrustedProxies                []netip.Prefix
	// AdminAddr is a host:port to answer the health checks and metrics on, which
	// stays reachable when MaxConnections is reached. If it is set, Addr does not
	// show the metrics.
	AdminAddr string
	// Listening is called with the address before the first request is
	// accepted. AdminListening is called with that for AdminAddr.
	Listening, AdminListening func(net.Addr)

	HeaderTimeout time.Duration // 5 s: to receive the header
	ReadTimeout   time.Duration // 15 s: to receive the whole request
	WriteTimeout  time.Duration // 30 s: from then to the end of the answer
	IdleTimeout   time.Duration // 60 s: between two requests
	DrainTimeout  time.Duration // 30 s: for requests in progress when ctx ends
	// LeaveDelay is how long Serve still accepts requests when ctx ends, while /readyz
	// fails, so that load balancers choose another node first; 0 for none.
	LeaveDelay time.Duration
}

// Serve answers requests until ctx ends. It then accepts no new ones and
// returns nil when those in progress have finished.
func Serve(ctx context.Context, cfg ServeConfig) error {
	ln, limiter, err := cfg.listen()
	if err != nil {
		return err
	}

	defer ln.Close()
	stopAdmin, err := cfg.serveAdmin()
	if err != nil {
		return err
	}

	defer stopAdmin()
	log := cmp.Or(cfg.Logger, slog.Default())
	srv := &http.Server{
		Handler:           withClients(cfg.Handler, cfg.TrustedProxies),
		ReadHeaderTimeout: cmp.Or(cfg.HeaderTimeout, 5*time.Second),
		ReadTimeout:       cmp.Or(cfg.ReadTimeout, 15*time.Second),
		WriteTimeout:      cmp.Or(cfg.WriteTimeout, 30*time.Second),
		IdleTimeout:       cmp.Or(cfg.IdleTimeout, 60*time.Second),
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}

	srv.ConnState = limiter.track
	srv.RegisterOnShutdown(limiter.closeFresh)
	if h, ok := cfg.Handler.(drainer); ok {
		srv.RegisterOnShutdown(h.Drain)
	}
	if cfg.Listening != nil {
		cfg.Listening(ln.Addr())
	}

	served := make(chan error, 1)
	go func() { served <- srv.Serve(ln) }()
	select {
	case err := <-served:
		return fmt.Errorf("serve on %s: %w", ln.Addr(), err)
	case <-ctx.Done():
	}

	if h, ok := cfg.Handler.(leaver); ok && cfg.LeaveDelay > 0 {
		h.Leave()
		select {
		case err := <-served:
			return fmt.Errorf("serve on %s: %w", ln.Addr(), err)
		case <-time.After(cfg.LeaveDelay):
		}
	}

	return drain(srv, cmp.Or(cfg.DrainTimeout, 30*time.Second))
}

func drain(srv *http.Server, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	err := srv.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		_ = srv.Close()
		return fmt.Errorf("some requests did not finish within %s and were canceled", limit)
	}
	return err
}

// listen opens the listener, with TLS if configured. It refuses to listen
// without TLS on a reachable address unless AllowPlain is set.
func (cfg ServeConfig) listen() (net.Listener, *connLimiter, error) {
	if (cfg.CertFile == "") != (cfg.KeyFile == "") {
		return nil, nil, errors.New(
			"TLS requires a certificate and its key: provide both --tls-cert and --tls-key, or neither")
	}

	var conf *tls.Config
	if cfg.CertFile != "" {
		cert, err := readCertificate(cfg.CertFile, cfg.KeyFile, cmp.Or(cfg.Logger, slog.Default()))
		if err != nil {
			return nil, nil, err
		}

		conf = &tls.Config{
			GetCertificate: cert.get,
			MinVersion:     tls.VersionTLS12,
			NextProtos:     []string{"h2", "http/1.1"},
		}
	}

	ln := cfg.Listener
	if ln == nil {
		var err error
		if ln, err = net.Listen("tcp", cfg.Addr); err != nil {
			return nil, nil, fmt.Errorf("cannot listen on %s: %w; is another server running there?", cfg.Addr, err)
		}
	}

	total := cmp.Or(cfg.MaxConnections, defaultConnections)
	trusted := cfg.TrustedProxies
	if cfg.MaxPerAddress == 0 {
		trusted = slices.Concat(trusted, loopback)
	}

	limited := limitConnections(ln, total, cmp.Or(cfg.MaxPerAddress, defaultPerAddress), trusted...)
	if conf != nil {
		return newTLSListener(limited, conf, cmp.Or(cfg.HeaderTimeout, 5*time.Second),
			cmp.Or(cfg.Logger, slog.Default())), limited, nil
	}

	if a, ok := ln.Addr().(*net.TCPAddr); ok && !a.IP.IsLoopback() && !cfg.AllowPlain {
		_ = ln.Close()
		return nil, nil, fmt.Errorf(
			"%s is reachable from other machines, and without TLS keys would be sent in plain text: "+
				"provide --tls-cert and --tls-key, listen on 127.0.0.1, or pass --allow-plain",
			ln.Addr(),
		)
	}

	limited.log = cmp.Or(cfg.Logger, slog.Default())

	return limited, limited, nil
}

// A drainer is a handler that is notified when the server shuts down.
type drainer interface{ Drain() }

// A leaver is a handler that can fail the check whether it is ready.
type leaver interface{ Leave() }

// An adminHandler is a handler with routes for operators.
type adminHandler interface{ Admin() http.Handler }

// serveAdmin serves the routes for operators on AdminAddr, if it is set, until stop is
// called.
func (cfg ServeConfig) serveAdmin() (stop func(), err error) {
	if cfg.AdminAddr == "" {
		return func() {}, nil
	}

	h, ok := cfg.Handler.(adminHandler)
	if !ok {
		return nil, errors.New("the handler has no routes for operators")
	}

	ln, err := net.Listen("tcp", cfg.AdminAddr)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w; is another server running there?", cfg.AdminAddr, err)
	}

	limiter := limitConnections(ln, adminConnections, adminConnections)
	srv := &http.Server{
		Handler:           h.Admin(),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       5 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    maxHeader,
		ConnState:         limiter.track,
		ErrorLog:          slog.NewLogLogger(cmp.Or(cfg.Logger, slog.Default()).Handler(), slog.LevelWarn),
	}

	go func() { _ = srv.Serve(limiter) }() // it ends with Close
	if cfg.AdminListening != nil {
		cfg.AdminListening(ln.Addr())
	}

	return func() { _ = srv.Close() }, nil
}
