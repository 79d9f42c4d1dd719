package httpapi

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// newConnGrace is how long a connection without a request may still send one
// at shutdown.
const newConnGrace = 250 * time.Millisecond

// idleConns are the connections that have sent no request yet. Clients open
// some in advance, and a shutdown would wait seconds for each.
type idleConns struct {
	mu    sync.Mutex
	conns map[net.Conn]struct{}
}

// track is the ConnState hook of the server.
func (n *idleConns) track(c net.Conn, state http.ConnState) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if state == http.StateNew {
		n.conns[c] = struct{}{}
		return
	}
	delete(n.conns, c)
}

// closeAll closes the connections without a request after newConnGrace.
func (n *idleConns) closeAll() {
	time.AfterFunc(newConnGrace, func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		for c := range n.conns {
			_ = c.Close()
		}
	})
}
