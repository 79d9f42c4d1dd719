package httpapi_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/httpapi"
)

// A connection to a test server.
type connection struct {
	t *testing.T
	net.Conn
	r *bufio.Reader
}

// connect opens a connection from a loopback address.
func connect(t *testing.T, addr, from string) *connection {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	c, err := d.Dial("tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	return &connection{t, c, bufio.NewReader(c)}
}

// get sends a request and returns the status, 0 if the connection is closed.
func (c *connection) get(path string) int {
	if _, err := io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		return 0
	}
	res, err := http.ReadResponse(c.r, nil)
	if err != nil {
		return 0
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	require.NoError(c.t, err)
	return res.StatusCode
}

// closed waits until the server has closed the connection.
func (c *connection) closed() {
	c.t.Helper()
	_, err := c.r.ReadByte()
	require.Error(c.t, err)
}

// Idle connections keep nobody out: the one that is idle for longest is closed.
func TestServe_ClosesLongestIdle(t *testing.T) {
	t.Parallel()
	addr, _ := serve(t, httpapi.ServeConfig{Handler: open(t), MaxConnections: 3})
	silent := connect(t, addr, "127.0.0.1")
	first, second := connect(t, addr, "127.0.0.1"), connect(t, addr, "127.0.0.1")
	require.Equal(t, 200, first.get("/healthz"))
	require.Equal(t, 200, second.get("/healthz"))
	require.Equal(t, 200, connect(t, addr, "127.0.0.1").get("/healthz"))
	silent.closed()
	require.Equal(t, 200, first.get("/healthz"), "used again")
	require.Equal(t, 200, connect(t, addr, "127.0.0.1").get("/healthz"))
	second.closed()
	require.Equal(t, 200, first.get("/healthz"))
}

// A new connection waits while all others have requests in progress.
func TestServe_KeepsActive(t *testing.T) {
	t.Parallel()
	inside, release := make(chan struct{}, 2), make(chan struct{})
	addr, _ := serve(t, httpapi.ServeConfig{MaxConnections: 1, Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		inside <- struct{}{}
		<-release
	})})
	busy, next := connect(t, addr, "127.0.0.1"), connect(t, addr, "127.0.0.1")
	status := make(chan int, 2)
	go func() { status <- busy.get("/") }()
	<-inside
	go func() { status <- next.get("/") }()
	close(release)
	require.Equal(t, 200, <-status)
	require.Equal(t, 200, <-status)
}

func TestConnections_Sources(t *testing.T) {
	t.Parallel()
	proxy := netip.MustParsePrefix("10.0.0.0/8")
	for address, source := range map[string]string{"192.0.2.7:1": "192.0.2.7/32", "[::ffff:192.0.2.7]:1": "192.0.2.7/32",
		"[2001:db8:1:2:3::4]:1": "2001:db8:1:2::/64", "127.0.0.9:1": "", "[::1]:1": "", "10.1.2.3:1": "", "11.1.2.3:1": "11.1.2.3/32"} {
		require.Equal(t, source, httpapi.SourceOf(address, proxy), address)
	}
}

// A fakeListener accepts connections from any address.
type fakeListener struct {
	net.Listener
	next chan net.Conn
}

func (l fakeListener) Accept() (net.Conn, error) {
	c, ok := <-l.next
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

type fakeConn struct {
	net.Conn
	from net.Addr
}

func (c fakeConn) RemoteAddr() net.Addr { return c.from }

// One address cannot use all connections, and a limit that it reaches concerns
// nobody else.
func TestConnections_LimitSource(t *testing.T) {
	t.Parallel()
	next := make(chan net.Conn, 10)
	l := httpapi.NewConnections(fakeListener{next: next}, 100, 2, nil)
	far := map[string]net.Conn{}
	accept := func(name, address string) net.Conn {
		near, other := net.Pipe()
		far[name] = other
		from, err := net.ResolveTCPAddr("tcp", address)
		require.NoError(t, err)
		next <- fakeConn{near, from}
		c, err := l.Accept()
		require.NoError(t, err)
		return c
	}
	isOpen := func(name string) bool {
		go func() { _ = far[name].SetReadDeadline(time.Unix(1, 0)) }()
		_, err := far[name].Read(make([]byte, 1))
		return !strings.Contains(err.Error(), "EOF")
	}
	accept("a1", "192.0.2.1:1")
	accept("b1", "192.0.2.2:1")
	accept("a2", "192.0.2.1:2")
	accept("a3", "192.0.2.1:3")
	require.False(t, isOpen("a1"), "the longest idle of the same address")
	require.True(t, isOpen("b1"))
	require.True(t, isOpen("a2"))
	require.True(t, isOpen("a3"))
}
