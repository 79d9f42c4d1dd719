package httpapi

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// newConnGrace is how long a connection that has asked nothing yet may still
// ask when the server ends.
const newConnGrace = 250 * time.Millisecond

// idleConns are the connections that have asked nothing yet. Clients keep some
// in stock; a server that ends would wait seconds for each of them.
type idleConns struct {
	mu    sync.Mutex
	conns map[net.Conn]struct{}
}

// track is the server's ConnState.
func (n *idleConns) track(c net.Conn, state http.ConnState) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if state == http.StateNew {
		n.conns[c] = struct{}{}
		return
	}
	delete(n.conns, c)
}

// closeAll closes those that have asked nothing after the grace.
func (n *idleConns) closeAll() {
	time.AfterFunc(newConnGrace, func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		for c := range n.conns {
			_ = c.Close()
		}
	})
}
