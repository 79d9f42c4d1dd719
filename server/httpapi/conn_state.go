package httpapi

import (
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// track is the ConnState hook of the server.
func (l *connections) track(nc net.Conn, state http.ConnState) {
	if t, ok := nc.(*tls.Conn); ok {
		nc = t.NetConn()
	}
	c, ok := nc.(*conn)
	if !ok || state == http.StateNew {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	c.fresh = false
	l.markBusy(c)
	if _, open := l.open[c]; open && state == http.StateIdle {
		l.markIdle(c)
	}
}

// newConnGrace is how long a connection without a request may still send one
// at shutdown.
const newConnGrace = 250 * time.Millisecond

// closeFresh closes the connections that have sent no request after newConnGrace.
// Clients open some in advance, and a shutdown would wait seconds for each.
func (l *connections) closeFresh() {
	time.AfterFunc(newConnGrace, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		for c := range l.open {
			if c.fresh {
				_ = c.Conn.Close()
			}
		}
	})
}

// sourceOf returns the network that shares a limit: an IPv4 address or an IPv6
// /64. It returns none for this machine and trusted proxies, which speak for
// many clients.
func (l *connections) sourceOf(addr net.Addr) netip.Prefix {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		return netip.Prefix{}
	}
	ip := tcp.AddrPort().Addr().Unmap().WithZone("")
	if ip.IsLoopback() {
		return netip.Prefix{}
	}
	for _, p := range l.trusted {
		if p.Contains(ip) {
			return netip.Prefix{}
		}
	}
	bits := 32
	if ip.Is6() {
		bits = 64
	}
	p, _ := ip.Prefix(bits) // the address is valid
	return p
}
