package httpapi

import (
	"bytes"
	"io"
	"strconv"
)

// A headChecker finds what package net/http accepts in the head of a request, but proxies
// read in other ways: line feeds without a carriage return, and folded lines.
type headChecker struct {
	line    []byte // the start of a line that has not arrived completely
	started bool   // whether there was a request line
	length  int64  // of the body that follows
	body    int64  // how much of the body is still to come
	off     bool   // the connection ends with this request
}

// check returns how many bytes of b are right.
func (h *headChecker) check(b []byte) int {
	for at := 0; at < len(b) && !h.off; {
		if n := min(h.body, int64(len(b)-at)); n > 0 {
			h.body -= n
			at += int(n)
			continue
		}

		end := bytes.IndexByte(b[at:], '\n')
		if end < 0 {
			h.line = append(h.line, b[at:]...)
			h.off = len(h.line) > 2*maxHeader // it is rejected
			break
		}

		line := b[at : at+end]
		if len(h.line) > 0 {
			line = append(h.line, line...)
		}
		if !h.checkLine(line) {
			return at
		}

		h.line = h.line[:0]
		at += end + 1
	}

	return len(b)
}

// checkLine checks a line without its line feed.
func (h *headChecker) checkLine(line []byte) bool {
	text, ok := bytes.CutSuffix(line, []byte("\r"))
	switch {
	case !ok || bytes.HasPrefix(text, []byte(" ")) || bytes.HasPrefix(text, []byte("\t")):
		return false
	case len(text) == 0:
		h.body, h.length, h.started = h.length, 0, false
		return true
	case !h.started:
		h.started = true
		return true
	}

	name, value, _ := bytes.Cut(text, []byte(":"))
	switch {
	case bytes.EqualFold(name, []byte("Content-Length")):
		h.length, _ = strconv.ParseInt(string(bytes.TrimSpace(value)), 10, 64) // an invalid one is rejected
	case bytes.EqualFold(name, []byte("Transfer-Encoding")):
		h.off = true
	}

	return true
}

// Read reads b, and after a wrong line of a head what makes package net/http reject it.
func (c *protocolConn) Read(b []byte) (int, error) {
	if c.wrong != nil {
		n := copy(b, c.wrong)
		if c.wrong = c.wrong[n:]; n == 0 {
			return 0, io.EOF
		}
		return n, nil
	}

	n, err := c.Conn.Read(b)
	if good := c.head.check(b[:n]); good < n {
		c.wrong = []byte("\x00\r\n\r\n")
		more, _ := c.Read(b[good:])
		return good + more, err
	}

	return n, err
}
