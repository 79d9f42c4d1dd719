package httpapi

import (
	"container/list"
	"net"
	"net/netip"
	"sync"
	"time"
)

const (
	defaultConnections = 4096
	defaultPerSource   = 256
)

// A connections listener limits the open connections, in total and per source
// address. At a limit it closes the connection that has been idle for longest.
// If all have requests in progress, a source may open no more, and a new
// connection within its source's limit waits.
type connections struct {
	net.Listener
	limit, perSource int
	trusted          []netip.Prefix // have no limit per source

	mu      sync.Mutex
	open    map[*conn]struct{}
	sources map[netip.Prefix]int
	idle    list.List // of *conn, longest idle first

	freed chan struct{} // has a value when there may be room
	done  chan struct{} // closed with the listener
	once  sync.Once
}

// idleGrace is how long a connection may be idle before it is closed for another
// one, because a client that just connected or got an answer often sends the
// next request at once.
const idleGrace = 500 * time.Millisecond

// A conn is an open connection.
type conn struct {
	net.Conn
	all    *connections
	source netip.Prefix  // zero if it has no limit
	idle   *list.Element // in connections.idle; nil while a request is in progress
	since  time.Time     // when it became idle
	fresh  bool          // has sent no request yet
}

func newConnections(ln net.Listener, limit, perSource int, trusted []netip.Prefix) *connections {
	return &connections{Listener: ln, limit: limit, perSource: perSource, trusted: trusted,
		open: map[*conn]struct{}{}, sources: map[netip.Prefix]int{},
		freed: make(chan struct{}, 1), done: make(chan struct{})}
}

// Accept returns the next connection that is within the limits.
func (l *connections) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if c := l.add(c); c != nil {
			return c, nil
		}
		_ = c.Close()
	}
}

// Close closes the listener.
func (l *connections) Close() error {
	l.once.Do(func() { close(l.done) })
	return l.Listener.Close()
}

// add returns the connection when there is room for it, or nil if its source has
// too many or the listener is closed.
func (l *connections) add(c net.Conn) net.Conn {
	n := &conn{Conn: c, all: l, source: l.sourceOf(c.RemoteAddr()), fresh: true}
	l.mu.Lock()
	defer l.mu.Unlock()
	if n.source.IsValid() && l.sources[n.source] >= l.perSource && !l.closeIdle(n.source, 0) {
		return nil
	}
	for len(l.open) >= l.limit && !l.closeIdle(netip.Prefix{}, idleGrace) {
		if !l.await() {
			return nil
		}
	}
	l.open[n] = struct{}{}
	if n.source.IsValid() {
		l.sources[n.source]++
	}
	l.markIdle(n)
	return n
}

// await waits until there may be room. It unlocks l.mu meanwhile, and reports
// false if the listener is closed.
func (l *connections) await() bool {
	var due <-chan time.Time
	if e := l.idle.Front(); e != nil {
		timer := time.NewTimer(time.Until(e.Value.(*conn).since.Add(idleGrace)))
		defer timer.Stop()
		due = timer.C
	}
	l.mu.Unlock()
	defer l.mu.Lock()
	select {
	case <-l.freed:
	case <-due:
	case <-l.done:
		return false
	}
	return true
}

// signal tells await that something has changed.
func (l *connections) signal() {
	select {
	case l.freed <- struct{}{}:
	default:
	}
}

// closeIdle closes the connection of a source, or of all, that has been idle for
// longest, if that is as long as given. It reports whether there is one.
func (l *connections) closeIdle(source netip.Prefix, atLeast time.Duration) bool {
	for e := l.idle.Front(); e != nil; e = e.Next() {
		c := e.Value.(*conn)
		if time.Since(c.since) < atLeast {
			return false
		}
		if !source.IsValid() || c.source == source {
			l.remove(c)
			_ = c.Conn.Close()
			return true
		}
	}
	return false
}

func (l *connections) markIdle(c *conn) {
	c.since = time.Now()
	c.idle = l.idle.PushBack(c)
	l.signal()
}

func (l *connections) markBusy(c *conn) {
	if c.idle != nil {
		l.idle.Remove(c.idle)
		c.idle = nil
	}
}

func (l *connections) remove(c *conn) {
	if _, ok := l.open[c]; !ok {
		return
	}
	delete(l.open, c)
	l.markBusy(c)
	l.signal()
	if c.source.IsValid() {
		if l.sources[c.source]--; l.sources[c.source] == 0 {
			delete(l.sources, c.source)
		}
	}
}

// Close closes the connection.
func (c *conn) Close() error {
	c.all.mu.Lock()
	c.all.remove(c)
	c.all.mu.Unlock()
	return c.Conn.Close()
}
