package httpapi

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"bincard/server/api"
)

// plainError is what follows the status line of an error that package net/http writes
// itself, before a handler is called. It is one write, to the connection. No answer of a
// handler contains it: those have more headers, and JSON escapes line ends.
const plainError = "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"

// A protocolConn is a connection whose plain-text errors are replaced by those of the
// service, and whose heads are checked.
type protocolConn struct {
	net.Conn
	log   *slog.Logger
	head  headChecker
	wrong []byte // what is read after a wrong line
}

// A protocolTLSConn is a protocolConn over TLS.
type protocolTLSConn struct {
	protocolConn
	tls *tls.Conn
}

// ConnectionState tells the server that the connection uses TLS.
func (c *protocolTLSConn) ConnectionState() tls.ConnectionState { return c.tls.ConnectionState() }

// Write writes b, or the service's error in its place.
func (c *protocolConn) Write(b []byte) (int, error) {
	status, reason := protocolError(b)
	if status == 0 {
		return c.Conn.Write(b)
	}
	if _, err := c.Conn.Write(protocolAnswer(c.log, status, reason)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// CloseWrite sends the end of the answer, so that a client that is still sending gets it.
func (c *protocolConn) CloseWrite() error { return closeWrite(c.Conn) }

func closeWrite(conn net.Conn) error {
	if c, ok := conn.(interface{ CloseWrite() error }); ok {
		return c.CloseWrite()
	}
	return nil
}

// protocolError returns the status and reason of an error that package net/http has
// written, or 0 if b is none.
func protocolError(b []byte) (status int, reason string) {
	line, rest, ok := bytes.Cut(b[:min(len(b), 512)], []byte("\r\n"))
	if !ok || !bytes.HasPrefix(line, []byte("HTTP/1.1 ")) {
		return 0, ""
	}

	line = line[len("HTTP/1.1 "):]
	if bytes.HasPrefix(line, []byte("417 ")) { // only package net/http answers it
		return http.StatusExpectationFailed, ""
	}
	if !bytes.HasPrefix(rest, []byte(plainError[2:])) {
		return 0, ""
	}

	code, text, _ := strings.Cut(string(line), " ")
	status, _ = strconv.Atoi(code)
	_, reason, _ = strings.Cut(text, ": ")

	return status, reason
}

// protocolAnswer returns the answer to a request that is not valid HTTP, and logs it.
func protocolAnswer(log *slog.Logger, status int, reason string) []byte {
	e := protocolFailure(status, reason)
	id := newID()
	log.LogAttrs(
		context.Background(),
		slog.LevelInfo,
		"request",
		slog.Int("status", status),
		slog.String("requestId", id),
		slog.String("code", string(e.Code)),
		slog.String("error", e.Message),
	)

	body, _ := json.Marshal(
		errorBody{Error: &problem{Code: e.Code, Message: e.Message, RequestID: id}}) // texts always marshal
	var b bytes.Buffer
	fmt.Fprintf(
		&b,
		"HTTP/1.1 %d %s\r\nDate: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nCache-Control: no-store\r\n"+
			"X-Content-Type-Options: nosniff\r\nX-Request-Id: %s\r\nLink: </docs#error-%s>; rel=\"help\"\r\nConnection: close\r\n\r\n",
		status,
		http.StatusText(status),
		time.Now().UTC().Format(http.TimeFormat),
		len(body),
		id,
		e.Code,
	)

	b.Write(body)

	return b.Bytes()
}

// protocolFailure returns the error for a status of package net/http.
func protocolFailure(status int, reason string) *api.Error {
	switch status {
	case http.StatusExpectationFailed:
		return api.Fail(api.ExpectationFailed, nil, "The Expect header allows only 100-continue.")
	case http.StatusRequestHeaderFieldsTooLarge:
		return api.Fail(api.HeadersTooLarge, nil,
			"The request line and headers exceed %d bytes. Send fewer or shorter ones.", maxHeader)
	case http.StatusNotImplemented:
		return api.Fail(api.NotImplemented, nil,
			"The Transfer-Encoding is not supported. Use chunked, or a Content-Length.")
	case http.StatusHTTPVersionNotSupported:
		return api.Fail(api.HTTPVersionNotSupported, nil, "The HTTP version is not supported. Use HTTP/1.1 or HTTP/2.")
	}

	if reason == "" {
		return api.Fail(api.MalformedRequest, nil, "The request is not valid HTTP.")
	}

	return api.Fail(api.MalformedRequest, nil, "The request is not valid HTTP: %s.", reason)
}
