package httpapi

import (
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// A connLimiter accepts connections up to a limit, in total and from one address. Over the
// limit it closes the connection that has been idle since its last request for longest, so
// that nobody keeps others out by holding connections. If none is idle the next one waits,
// or is closed if its address has too many.
type connLimiter struct {
	net.Listener
	total, perSource int
	trusted          []netip.Prefix // without a limit per source, as each is many clients
	// log is set if the connections carry HTTP; then it gets their invalid requests.
	log *slog.Logger

	mu      sync.Mutex
	freed   *sync.Cond // a connection closed or became idle, or the listener closed
	closed  bool
	sources map[netip.Addr]int
	count   int
	fresh   map[*limitedConn]struct{} // they have had no request yet
	// newest and oldest end the list of idle connections.
	newest, oldest *limitedConn
}

// A limitedConn is an open connection.
type limitedConn struct {
	net.Conn
	limiter *connLimiter
	source  netip.Addr
	once    sync.Once
	idle    bool
	// newer and older are its neighbors in the list of idle connections.
	newer, older *limitedConn
}

func limitConnections(ln net.Listener, total, perSource int, trusted ...netip.Prefix) *connLimiter {
	l := &connLimiter{Listener: ln, total: total, perSource: perSource, trusted: trusted, sources: map[netip.Addr]int{},
		fresh: map[*limitedConn]struct{}{}}
	l.freed = sync.NewCond(&l.mu)
	return l
}

// Accept returns the next connection.
func (l *connLimiter) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if c := l.admit(conn); c != nil && l.log != nil {
			return &protocolConn{Conn: c, log: l.log}, nil
		} else if c != nil {
			return c, nil
		}

		_ = conn.Close()
	}
}

// admit makes room for a connection and adds it. It returns nil if its address has too many
// connections with requests, or the listener is closed.
func (l *connLimiter) admit(conn net.Conn) *limitedConn {
	c := &limitedConn{Conn: conn, limiter: l, source: sourceOf(conn.RemoteAddr())}
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.count >= l.total && !l.closed && !l.evict(func(*limitedConn) bool { return true }) {
		l.freed.Wait()
	}

	full := l.sources[c.source] >= l.perSource && !l.isTrusted(c.source)
	if l.closed || full && !l.evict(func(other *limitedConn) bool { return other.source == c.source }) {
		return nil
	}

	l.count++
	l.sources[c.source]++
	l.fresh[c] = struct{}{}

	return c
}

func (l *connLimiter) isTrusted(source netip.Addr) bool {
	return slices.ContainsFunc(l.trusted, func(p netip.Prefix) bool { return p.Contains(source) })
}

// evict closes the matching connection that has been idle for longest, and reports whether
// there is one.
func (l *connLimiter) evict(match func(*limitedConn) bool) bool {
	for c := l.oldest; c != nil; c = c.newer {
		if match(c) {
			l.remove(c)
			_ = c.Conn.Close()
			return true
		}
	}

	return false
}

// remove stops counting a connection. The caller holds the lock.
func (l *connLimiter) remove(c *limitedConn) {
	c.once.Do(func() {
		l.setIdle(c, false)
		delete(l.fresh, c)
		l.count--
		if l.sources[c.source]--; l.sources[c.source] == 0 {
			delete(l.sources, c.source)
		}

		l.freed.Signal()
	})
}

// setIdle adds a connection to the end of the idle ones, or removes it from them.
func (l *connLimiter) setIdle(c *limitedConn, idle bool) {
	if c.idle {
		if c.newer == nil {
			l.newest = c.older
		} else {
			c.newer.older = c.older
		}

		if c.older == nil {
			l.oldest = c.newer
		} else {
			c.older.newer = c.newer
		}

		c.newer, c.older = nil, nil
	}

	if c.idle = idle; !idle {
		return
	}
	if c.older = l.newest; c.older == nil {
		l.oldest = c
	} else {
		c.older.newer = c
	}

	l.newest = c
	l.freed.Signal()
}

// track is the ConnState hook of the server.
func (l *connLimiter) track(conn net.Conn, state http.ConnState) {
	switch outer := conn.(type) {
	case *tls.Conn:
		conn = outer.NetConn()
	case *protocolTLSConn:
		conn = outer.tls.NetConn()
	case *protocolConn:
		conn = outer.Conn
	}

	c, ok := conn.(*limitedConn)
	if !ok {
		return
	}

	l.mu.Lock()
	defer l.mu.Unlock()
	switch state {
	case http.StateActive:
		delete(l.fresh, c)
		l.setIdle(c, false)
	case http.StateIdle:
		delete(l.fresh, c)
		l.setIdle(c, true)
	case http.StateHijacked, http.StateClosed:
		l.remove(c)
	}
}

// Close closes the listener, and ends a wait for room.
func (l *connLimiter) Close() error {
	l.mu.Lock()
	l.closed = true
	l.freed.Broadcast()
	l.mu.Unlock()
	return l.Listener.Close()
}

// newConnGrace is how long a connection without a request may still send one
// at shutdown.
const newConnGrace = 250 * time.Millisecond

// closeFresh closes the connections without a request after newConnGrace: clients open some
// in advance, and a shutdown would wait seconds for each.
func (l *connLimiter) closeFresh() {
	time.AfterFunc(newConnGrace, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		for c := range l.fresh {
			_ = c.Conn.Close()
		}
	})
}

// CloseWrite ends what is sent.
func (c *limitedConn) CloseWrite() error { return closeWrite(c.Conn) }

// Close closes the connection.
func (c *limitedConn) Close() error {
	err := c.Conn.Close()
	c.limiter.mu.Lock()
	defer c.limiter.mu.Unlock()
	c.limiter.remove(c)
	return err
}

// sourceOf returns the address that a connection counts for: of IPv6 the network, as one
// client has many.
func sourceOf(a net.Addr) netip.Addr {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	return networkOf(tcp.AddrPort().Addr())
}

// networkOf returns what a client cannot change of its address.
func networkOf(ip netip.Addr) netip.Addr {
	ip = ip.Unmap().WithZone("")
	if p, err := ip.Prefix(64); err == nil && ip.Is6() {
		return p.Addr()
	}
	return ip
}
