package apiclient_test

import (
	"context"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/apiclient"
	"bincard/server/api"
)

// A forgetfulRouter is a network in memory that can be cut. It then knows none of the
// connections of before, as a router after a restart: their bytes arrive nowhere, and
// nobody closes them.
type forgetfulRouter struct {
	accepted chan net.Conn
	closed   chan struct{}
	closing  sync.Once
	changes  atomic.Int64 // odd while it is cut

	mu    sync.Mutex
	pipes []net.Conn
}

func newForgetfulRouter() *forgetfulRouter {
	return &forgetfulRouter{accepted: make(chan net.Conn), closed: make(chan struct{})}
}

func (r *forgetfulRouter) Accept() (net.Conn, error) {
	select {
	case conn := <-r.accepted:
		return conn, nil
	case <-r.closed:
		return nil, net.ErrClosed
	}
}

func (r *forgetfulRouter) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 443} }

// Close ends all connections.
func (r *forgetfulRouter) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.pipes {
		p.Close()
	}
	r.pipes = nil
	r.closing.Do(func() { close(r.closed) })
	return nil
}

func (r *forgetfulRouter) dial(context.Context, string, string) (net.Conn, error) {
	here, there := net.Pipe()
	r.mu.Lock()
	r.pipes = append(r.pipes, here, there)
	r.mu.Unlock()
	since := r.changes.Load()
	r.accepted <- &routedConn{there, r, since}
	return &routedConn{here, r, since}, nil
}

// A routedConn is one end of a connection through a forgetfulRouter.
type routedConn struct {
	net.Conn
	router *forgetfulRouter
	since  int64
}

func (c *routedConn) isForgotten() bool { return c.since%2 == 1 || c.router.changes.Load() != c.since }

func (c *routedConn) Write(p []byte) (int, error) {
	if c.isForgotten() {
		return len(p), nil
	}
	return c.Conn.Write(p)
}

// Close tells the other end only if the router knows the connection.
func (c *routedConn) Close() error {
	if c.isForgotten() {
		return c.Conn.SetReadDeadline(time.Unix(1, 0))
	}
	return c.Conn.Close()
}

// TestDo_AfterConnectionsDied loses the connections to the service without a word. Requests
// use new ones within a minute: unused connections are given up after half of it.
func TestDo_AfterConnectionsDied(t *testing.T) {
	t.Parallel()
	for _, scheme := range []string{"http", "https"} {
		t.Run(scheme, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				router := newForgetfulRouter()
				srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", "application/json")
					_, _ = io.WriteString(w, `{"items":[],"nextCursor":null}`)
				}))
				srv.Listener.Close()
				srv.Listener, srv.EnableHTTP2 = router, true
				srv.Config.ErrorLog = log.New(io.Discard, "", 0)
				transport := apiclient.NewTransport(10 * time.Second)
				transport.DialContext = router.dial
				if scheme == "http" {
					srv.Start()
				} else {
					srv.StartTLS()
					transport.TLSClientConfig.RootCAs = x509.NewCertPool()
					transport.TLSClientConfig.RootCAs.AddCert(srv.Certificate())
				}
				defer srv.Close()
				defer router.Close()
				c := client(t, srv.URL, func(c *apiclient.Config) { c.Transport, c.Timeout = transport, 0 })

				read := func() error {
					_, err := api.ListInbounds.Call(t.Context(), c, api.ListInboundsInput{})
					return err
				}
				var several sync.WaitGroup
				for range 4 {
					several.Go(func() { require.NoError(t, read()) })
				}
				several.Wait()
				for range 2 {
					router.changes.Add(1)
					require.Error(t, read())
					router.changes.Add(1)
					start := time.Now()
					for read() != nil {
						require.Less(t, time.Since(start), time.Minute, "it uses connections that are dead")
					}
				}
			})
		})
	}
}
