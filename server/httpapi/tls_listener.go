package httpapi

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// A tlsListener accepts connections with TLS. It makes the handshake before the server
// gets them, because the server uses HTTP/2 only with a *tls.Conn, and errors can be
// replaced only on connections of another type.
type tlsListener struct {
	net.Listener
	conf    *tls.Config
	timeout time.Duration // of a handshake
	log     *slog.Logger

	accepted chan acceptedConn
	once     sync.Once
	closed   chan struct{}
}

// An acceptedConn is the result of an Accept.
type acceptedConn struct {
	net.Conn
	err error
}

func newTLSListener(ln net.Listener, conf *tls.Config, timeout time.Duration, log *slog.Logger) *tlsListener {
	l := &tlsListener{
		Listener: ln,
		conf:     conf,
		timeout:  timeout,
		log:      log,
		accepted: make(chan acceptedConn),
		closed:   make(chan struct{}),
	}

	go l.acceptAll()

	return l
}

// Accept returns the next connection whose handshake is done.
func (l *tlsListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.accepted:
		return c.Conn, c.err
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close closes the listener. Handshakes in progress end.
func (l *tlsListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

func (l *tlsListener) acceptAll() {
	for {
		conn, err := l.Listener.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			_ = l.Close()
			return
		case err != nil: // the server decides how long to wait
			l.pass(acceptedConn{err: err})
		default:
			go l.handshake(conn)
		}

		select {
		case <-l.closed:
			return
		default:
		}
	}
}

// pass gives a result to Accept, and reports whether it was taken.
func (l *tlsListener) pass(c acceptedConn) bool {
	select {
	case l.accepted <- c:
		return true
	case <-l.closed:
		return false
	}
}

func (l *tlsListener) handshake(conn net.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), l.timeout)
	defer cancel()
	secure := tls.Server(conn, l.conf)
	if err := secure.HandshakeContext(ctx); err != nil {
		l.reject(conn, err)
		return
	}

	var out net.Conn = secure
	if secure.ConnectionState().NegotiatedProtocol != "h2" {
		out = &protocolTLSConn{protocolConn{Conn: secure, log: l.log}, secure}
	}
	if !l.pass(acceptedConn{Conn: out}) {
		_ = secure.Close()
	}
}

// reject ends a connection whose handshake failed. It answers a plain HTTP request with an
// error.
func (l *tlsListener) reject(conn net.Conn, err error) {
	var record tls.RecordHeaderError
	if errors.As(err, &record) && record.Conn != nil && isHTTPMethod(record.RecordHeader) {
		_ = conn.SetDeadline(time.Now().Add(l.timeout))
		_, _ = record.Conn.Write(
			protocolAnswer(l.log, http.StatusBadRequest, "it is sent to a port that takes only https"))
		_ = closeWrite(conn)
		time.Sleep(newConnGrace) // a reset would discard the answer
	} else {
		l.log.Warn("TLS handshake failed", "remote", conn.RemoteAddr().String(), "error", err)
	}

	_ = conn.Close()
}

// isHTTPMethod reports whether a record header is the start of a plain HTTP request.
func isHTTPMethod(header [5]byte) bool {
	switch string(header[:]) {
	case "GET /", "HEAD ", "POST ", "PUT /", "OPTIO", "PATCH", "DELET":
		return true
	}
	return false
}
