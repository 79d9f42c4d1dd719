package httpapi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"bincard/server/api"
)

// MaxBody is the maximum size of a request body in bytes.
const MaxBody = 1 << 20

// readInput reads the body, if any, waits for the request's turn, and decodes path, query
// and body. Without a body the request has no turn yet. A request that cannot be decoded
// has no fingerprint, so it fails before a replay is looked up.
func (s *server) readInput(ctx context.Context, x *exchange) (err error) {
	var query url.Values
	if x.r.URL.RawQuery != "" {
		if query, err = url.ParseQuery(x.r.URL.RawQuery); err != nil {
			return fieldError("query", "query", "is malformed; encode it as name=value&name=value")
		}
	}

	var body []byte
	if x.r.Body != nil && x.r.Body != http.NoBody {
		done, err := s.admission.startBody(ctx, x, x.r.ContentLength)
		if err != nil {
			return err
		}

		defer done()
		buf := getBuffer()
		defer putBodyBuffer(buf)
		err = x.readBody(buf)
		if err == nil {
			err = s.admission.start(ctx, x, buf.Len())
		}
		if err != nil {
			return err
		}

		body = buf.Bytes()
	}

	x.req.Input, err = x.req.Spec.Decode(x.r.PathValue, query, body)

	return err
}

// readBody reads the body into buf.
func (x *exchange) readBody(buf *bytes.Buffer) error {
	r := x.r
	if r.ContentLength > MaxBody {
		x.w.Header()["Connection"] = []string{"close"}
		discardBody(r)
		return tooLarge()
	}

	if r.ContentLength > smallTransit { // reading would double the buffer again and again
		buf.Grow(int(r.ContentLength) + bytes.MinRead)
	}

	if _, err := buf.ReadFrom(http.MaxBytesReader(x.w, r.Body, MaxBody)); err != nil {
		if big := new(http.MaxBytesError); errors.As(err, &big) {
			discardBody(r)
			return tooLarge()
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return api.Fail(api.InvalidJSON, nil, "The request body ended early. Send it in full.")
		}
		return &api.Error{Code: api.InvalidJSON, Message: api.Text("The request body could not be read."), Err: err}
	}

	if buf.Len() == 0 {
		return nil
	}

	return checkContent(r.Header)
}

// discardBody reads the rest of a body that is rejected: many clients send
// all of it before they read the answer, and would see a broken connection
// instead. A client that waits for 100 Continue receives none.
func discardBody(r *http.Request) {
	if r.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, r.Body, 8*MaxBody) // best effort
	}
}

func tooLarge() error {
	return api.Fail(api.PayloadTooLarge, api.Details{"limit": MaxBody},
		"The request body exceeds %d bytes. Split the request.", MaxBody)
}

// checkContent checks that the body is uncompressed JSON.
func checkContent(h http.Header) error {
	if e := h.Get("Content-Encoding"); e != "" && !strings.EqualFold(e, "identity") {
		return api.Fail(api.UnsupportedMediaType, nil,
			"The request body must not be compressed; its Content-Encoding is %s.", quoteClipped(e))
	}

	t := h.Get("Content-Type")
	if t == "application/json" {
		return nil
	}

	media, params, err := mime.ParseMediaType(t)
	charset := params["charset"]
	if err != nil || media != "application/json" || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return api.Fail(api.UnsupportedMediaType, nil,
			"The request body must be application/json in UTF-8; its Content-Type is %s.", quoteClipped(t))
	}

	return nil
}
