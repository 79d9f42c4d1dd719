package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"bincard/apiclient"
	"bincard/server/api"
	"bincard/server/httpapi"
	"bincard/server/local"
)

// A nodeSocket is where the other programs of this machine come for the node of
// this one: a socket in its directory, on which the same interface is served.
// Whoever may open it needs no key, and is taken for the node's own.
type nodeSocket struct {
	srv     *http.Server
	closing chan struct{}
	closed  chan struct{}
}

// ownerPath is answered when the counter closes, so that who waits there knows
// at once.
const ownerPath = "/owner"

// openNodeSocket serves svc to the programs of this machine that come to dir. More
// is what they find there besides, under /admin/; it may be nil.
func openNodeSocket(dir string, svc api.Service, clock timekeeper, caller api.Caller, more http.Handler, log *slog.Logger) (*nodeSocket, error) {
	ln, err := local.Listen(dir)
	if err != nil {
		return nil, err
	}
	calm := slog.New(quietLogger{log.Handler()})
	mux := http.NewServeMux()
	c := &nodeSocket{closing: make(chan struct{}), closed: make(chan struct{}),
		srv: &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, ErrorLog: slog.NewLogLogger(calm.Handler(), slog.LevelWarn)}}
	mux.HandleFunc("GET "+ownerPath, c.awaitClose)
	if more != nil {
		mux.Handle("/admin/", more)
	}
	mux.Handle("/", httpapi.New(httpapi.Config{Service: svc, Extra: api.NodeOperations(), AllowAcceptRisk: true, Rate: -1, Now: clock.Now, Logger: calm,
		Authenticate: func(context.Context, string) (*api.Caller, error) { return &caller, nil }}))
	go func() {
		defer close(c.closed)
		if err := c.srv.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
			log.Warn("other programs on this machine can no longer reach this one", "data", dir, "error", err)
		}
	}()
	return c, nil
}

func (c *nodeSocket) awaitClose(w http.ResponseWriter, r *http.Request) {
	if err := http.NewResponseController(w).Flush(); err != nil {
		return
	}
	select {
	case <-c.closing:
	case <-r.Context().Done():
	}
}

// close stops the socket after the requests in progress.
func (c *nodeSocket) close() {
	close(c.closing)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if c.srv.Shutdown(ctx) != nil {
		_ = c.srv.Close()
	}
	<-c.closed
}

// quietLogger drops the log line per request.
type quietLogger struct{ slog.Handler }

func (c quietLogger) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && c.Handler.Enabled(ctx, l)
}

// nodeSocketTransport connects to the socket in a directory, whatever the address is.
func nodeSocketTransport(dir string) *http.Transport {
	return &http.Transport{MaxIdleConnsPerHost: 16, IdleConnTimeout: 30 * time.Second,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return local.Connect(ctx, dir) }}
}

// dialNode is the node of the program that has dir open, for an organization.
func dialNode(dir, organization string) (*apiclient.Client, error) {
	return apiclient.New(apiclient.Config{URL: "http://owner", Key: "-", Organization: organization,
		Timeout: 30 * time.Second, UserAgent: "bincard/" + version, Now: clockNow, Transport: nodeSocketTransport(dir)})
}
