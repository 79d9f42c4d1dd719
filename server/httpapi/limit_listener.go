package httpapi

import (
	"net"
	"sync"
)

// A limitedListener limits the number of open connections; further ones wait
// in the kernel's queue.
type limitedListener struct {
	net.Listener
	slots  chan struct{}
	closed chan struct{}
	once   sync.Once
}

func limitListener(ln net.Listener, limit int) net.Listener {
	return &limitedListener{Listener: ln, slots: make(chan struct{}, limit), closed: make(chan struct{})}
}

func (b *limitedListener) Accept() (net.Conn, error) {
	select {
	case b.slots <- struct{}{}:
	case <-b.closed:
		return nil, net.ErrClosed
	}
	c, err := b.Listener.Accept()
	if err != nil {
		<-b.slots
		return nil, err
	}
	return &limitedConn{Conn: c, release: sync.OnceFunc(func() { <-b.slots })}, nil
}

func (b *limitedListener) Close() error {
	b.once.Do(func() { close(b.closed) })
	return b.Listener.Close()
}

type limitedConn struct {
	net.Conn
	release func()
}

func (c *limitedConn) Close() error {
	defer c.release()
	return c.Conn.Close()
}
