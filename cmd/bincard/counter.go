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

// A counter is where the other programs of this machine come for the node of
// this one: a socket in its directory, on which the same interface is served.
// Whoever may open it needs no key, and is taken for the node's own.
type counter struct {
	srv    *http.Server
	ending chan struct{}
	ended  chan struct{}
}

// attendPath is answered when the counter closes, so that who waits there knows
// at once.
const attendPath = "/owner"

// openCounter serves svc to the programs of this machine that come to dir. More
// is what they find there besides, under /admin/; it may be nil.
func openCounter(dir string, svc api.Service, clock timekeeper, caller api.Caller, more http.Handler, log *slog.Logger) (*counter, error) {
	ln, err := local.Listen(dir)
	if err != nil {
		return nil, err
	}
	calm := slog.New(calm{log.Handler()})
	mux := http.NewServeMux()
	c := &counter{ending: make(chan struct{}), ended: make(chan struct{}),
		srv: &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, ErrorLog: slog.NewLogLogger(calm.Handler(), slog.LevelWarn)}}
	mux.HandleFunc("GET "+attendPath, c.attend)
	if more != nil {
		mux.Handle("/admin/", more)
	}
	mux.Handle("/", httpapi.New(httpapi.Config{Service: svc, Also: api.NodeOperations(), Insists: true, Rate: -1, Now: clock.Now, Logger: calm,
		Authenticate: func(context.Context, string) (*api.Caller, error) { return &caller, nil }}))
	go func() {
		defer close(c.ended)
		if err := c.srv.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
			log.Warn("other programs of this machine reach this one no more", "data", dir, "error", err)
		}
	}()
	return c, nil
}

func (c *counter) attend(w http.ResponseWriter, r *http.Request) {
	if err := http.NewResponseController(w).Flush(); err != nil {
		return
	}
	select {
	case <-c.ending:
	case <-r.Context().Done():
	}
}

// close ends the counter after what is under way there.
func (c *counter) close() {
	close(c.ending)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if c.srv.Shutdown(ctx) != nil {
		_ = c.srv.Close()
	}
	<-c.ended
}

// calm is a log without the line a request.
type calm struct{ slog.Handler }

func (c calm) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && c.Handler.Enabled(ctx, l)
}

// counterTransport leads to the counter in a directory, whatever the address says.
func counterTransport(dir string) *http.Transport {
	return &http.Transport{MaxIdleConnsPerHost: 16, IdleConnTimeout: 30 * time.Second,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return local.Reach(ctx, dir) }}
}

// atCounter is the node of the program that has dir open, for an organization.
func atCounter(dir, organization string) (*apiclient.Client, error) {
	return apiclient.New(apiclient.Config{URL: "http://owner", Key: "-", Organization: organization,
		Timeout: 30 * time.Second, UserAgent: "bincard/" + version, Now: clockNow, Transport: counterTransport(dir)})
}
