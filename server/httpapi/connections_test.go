package httpapi_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/httpapi"
)

// A keptConn is a connection that a client keeps open.
type keptConn struct {
	net.Conn
	answers *bufio.Reader
}

func dial(t *testing.T, addr string) *keptConn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return &keptConn{c, bufio.NewReader(c)}
}

// dialAndSend connects and sends the beginning of a request, or all of it.
func dialAndSend(t *testing.T, addr, text string) *keptConn {
	t.Helper()
	c := dial(t, addr)
	_, err := io.WriteString(c, text)
	require.NoError(t, err)
	return c
}

// get sends a request and returns the status of its answer, or the error that the
// connection ended with.
func (c *keptConn) get(path string) (int, error) {
	if _, err := io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		return 0, err
	}
	res, err := http.ReadResponse(c.answers, nil)
	if err != nil {
		return 0, err
	}
	_, err = io.Copy(io.Discard, res.Body)
	return res.StatusCode, err
}

func (c *keptConn) mustGet(t *testing.T, path string) {
	t.Helper()
	status, err := c.get(path)
	require.NoError(t, err)
	require.Equal(t, 200, status)
}

// An idleListener accepts connections that tell when they are idle.
type idleListener struct {
	net.Listener
	idle chan<- struct{}
}

func (l idleListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return idleConn{c, l.idle}, nil
}

// An idleConn is a connection of an idleListener.
type idleConn struct {
	net.Conn
	idle chan<- struct{}
}

// SetReadDeadline is called with the time for the next request, the longest of all, once
// the connection is idle.
func (c idleConn) SetReadDeadline(at time.Time) error {
	err := c.Conn.SetReadDeadline(at)
	if time.Until(at) > 30*time.Second {
		c.idle <- struct{}{}
	}
	return err
}

// Somebody who holds as many connections as the service takes keeps nobody out: the one
// that has been idle for longest is closed.
func TestServe_ClosesLongestIdleConnection(t *testing.T) {
	t.Parallel()
	for name, cfg := range map[string]httpapi.ServeConfig{
		"total":       {MaxConnections: 8},
		"per address": {MaxConnections: 100, MaxPerAddress: 8},
	} {
		cfg.Handler = open(t)
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		idle := make(chan struct{}, 1)
		cfg.Listener = idleListener{ln, idle}
		addr, stop := serve(t, cfg)
		get := func(c *keptConn) *keptConn {
			c.mustGet(t, "/healthz")
			<-idle // the answer arrives before
			return c
		}
		var held []*keptConn
		for range 8 {
			held = append(held, get(dial(t, addr)))
		}
		get(held[0]) // now held[1] is idle for longest
		for range 3 {
			get(dial(t, addr))
		}
		get(held[0])
		for i := 1; i <= 3; i++ {
			_, err := held[i].get("/healthz")
			require.Error(t, err, "%s: connection %d was idle for longest", name, i)
		}
		require.NoError(t, stop())
	}
}

// A proxy's connections are those of many clients. So are, by default, this machine's.
func TestServe_TrustedProxy(t *testing.T) {
	t.Parallel()
	for name, cfg := range map[string]httpapi.ServeConfig{
		"trusted":      {MaxPerAddress: 1, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}},
		"this machine": {},
	} {
		cfg.Handler = open(t)
		addr, stop := serve(t, cfg)
		var held []*keptConn
		for range 300 {
			c := dial(t, addr)
			c.mustGet(t, "/healthz")
			held = append(held, c)
		}
		for _, c := range held {
			status, err := c.get("/healthz")
			require.NoError(t, err, name)
			require.Equal(t, 200, status)
			require.NoError(t, c.Close())
		}
		require.NoError(t, stop())
	}
}

// An address with too many connections that have requests is refused more.
func TestServe_LimitsConnectionsPerAddress(t *testing.T) {
	t.Parallel()
	h := open(t)
	inside, release := make(chan struct{}), make(chan struct{})
	h.hook = func(context.Context, *api.Request) (*api.Response, error) {
		inside <- struct{}{}
		<-release
		return &api.Response{Output: &api.List[api.Place]{}}, nil
	}
	addr, _ := serve(t, httpapi.ServeConfig{Handler: h, MaxConnections: 100, MaxPerAddress: 2})
	for range 2 {
		dialAndSend(t, addr, "GET "+base+"/locations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+secret+"\r\n\r\n")
		<-inside
	}
	_, err := dial(t, addr).get("/healthz")
	require.Error(t, err)
	close(release)
}

// The health checks and metrics have a listener of their own, which answers when all
// connections are in use.
func TestServe_AdminAddr(t *testing.T) {
	t.Parallel()
	h := open(t)
	admin := make(chan net.Addr, 1)
	addr, stop := serve(t, httpapi.ServeConfig{Handler: h.Handler, MaxConnections: 1, AdminAddr: "127.0.0.1:0",
		AdminListening: func(a net.Addr) { admin <- a }})
	at := (<-admin).String()
	only := dialAndSend(t, addr, "GET /healthz HTTP/1.1\r\n")
	for _, path := range []string{"/healthz", "/readyz", "/metrics"} {
		dial(t, at).mustGet(t, path)
	}
	status, err := dial(t, at).get("/docs")
	require.NoError(t, err)
	require.Equal(t, 404, status)
	_, err = io.WriteString(only, "Host: x\r\n\r\n")
	require.NoError(t, err)
	_, err = http.ReadResponse(only.answers, nil)
	require.NoError(t, err)
	require.NoError(t, only.Close())
	status, err = dial(t, addr).get("/metrics")
	require.NoError(t, err)
	require.Equal(t, 404, status, "the metrics are for operators")
	require.NoError(t, stop())
	_, err = net.Dial("tcp", at)
	require.Error(t, err, "it ends with the service")
}
