package local

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// URL is the address under which the owner of a directory is reached through
// Transport.
const URL = "http://owner"

// ownerPath is answered when the owner closes its socket, so that AwaitClose
// notices at once.
const ownerPath = "/owner"

// stopTimeout is how long stop waits for requests in progress.
const stopTimeout = 10 * time.Second

// Serve serves handler to the processes that connect to dir, which this process
// has open, until stop is called. stop waits for the requests in progress; ctx is
// their context. If there can be no socket, Serve logs a warning, and the
// process works alone.
func Serve(ctx context.Context, dir string, handler http.Handler, log *slog.Logger) (stop func()) {
	ln, err := Listen(dir)
	if err != nil {
		log.Warn("other programs on this machine cannot reach this one", "data", dir, "error", err)
		return func() {}
	}

	closing, closed := make(chan struct{}), make(chan struct{})
	mux := http.NewServeMux()
	mux.Handle("/", handler)
	mux.HandleFunc("GET "+ownerPath, func(w http.ResponseWriter, r *http.Request) {
		if http.NewResponseController(w).Flush() != nil {
			return
		}
		select {
		case <-closing:
		case <-r.Context().Done():
		}
	})

	srv := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ErrorLog:    slog.NewLogLogger(log.Handler(), slog.LevelWarn)}
	go func() {
		defer close(closed)
		if err := srv.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
			log.Warn("other programs on this machine can no longer reach this one", "data", dir, "error", err)
		}
	}()

	return sync.OnceFunc(func() {
		close(closing)
		ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
		defer cancel()
		if srv.Shutdown(ctx) != nil {
			_ = srv.Close()
		}
		<-closed
	})
}

// QuietLogger returns log without its lines below warnings: nobody reads a line per
// request of the programs of one machine.
func QuietLogger(log *slog.Logger) *slog.Logger { return slog.New(quietHandler{log.Handler()}) }

type quietHandler struct{ slog.Handler }

func (h quietHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && h.Handler.Enabled(ctx, level)
}

// Running reports whether a process serves a directory.
func Running(ctx context.Context, dir string) bool {
	c, err := Connect(ctx, dir)
	if err == nil {
		c.Close()
	}
	return err == nil
}

// Transport returns a transport to the process that serves a directory,
// whatever the host in the URL is.
func Transport(dir string) *http.Transport {
	return &http.Transport{MaxIdleConnsPerHost: 16, IdleConnTimeout: 30 * time.Second,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return Connect(ctx, dir) }}
}

// AwaitClose waits until the process that serves a directory stops, or ctx ends.
// It returns at once if no process serves the directory. It calls connected, which may be
// nil, as soon as it would notice that the process stops.
func AwaitClose(ctx context.Context, dir string, connected func()) {
	client := &http.Client{Transport: Transport(dir)}
	defer client.CloseIdleConnections()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, URL+ownerPath, nil)
	if err != nil {
		return
	}

	res, err := client.Do(req)
	if err != nil {
		return
	}

	defer res.Body.Close()
	if connected != nil {
		connected()
	}

	_, _ = io.Copy(io.Discard, res.Body) // ends with the process
}
