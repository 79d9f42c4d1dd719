package httpapi

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bincard/server/api"
)

// An exchange is one request with its answer. It passes through the mux as the
// ResponseWriter, which saves a context per request.
type exchange struct {
	w      http.ResponseWriter
	r      *http.Request
	log    *slog.Logger
	start  time.Time
	id     string
	route  string
	caller *api.Caller
	status int
	bytes  int
}

func (x *exchange) Header() http.Header { return x.w.Header() }

func (x *exchange) WriteHeader(status int) {
	x.status = status
	x.w.WriteHeader(status)
}

func (x *exchange) Write(b []byte) (int, error) {
	n, err := x.w.Write(b)
	x.bytes += n
	return n, err
}

var (
	jsonType = []string{"application/json"}
	noStore  = []string{"no-store"}
	bearer   = []string{"Bearer"}
)

// write sends body as JSON. It is whole before the first byte goes out, so a
// slow reader holds nothing but its own bytes.
func (x *exchange) write(status int, body any) {
	buf := getBuffer()
	defer putBuffer(buf)
	out, err := appendJSON(buf.AvailableBuffer(), body)
	if err != nil {
		x.fail(api.Internal(fmt.Errorf("write response: %w", err)))
		return
	}
	buf.Write(out)
	x.send(status, buf)
}

func (x *exchange) send(status int, buf *bytes.Buffer) {
	h := x.w.Header()
	h["Content-Type"] = jsonType
	h["Cache-Control"] = noStore
	h["Content-Length"] = []string{strconv.Itoa(buf.Len())}
	x.WriteHeader(status)
	_, _ = x.Write(buf.Bytes()) // the reader is gone; there is nobody to tell
}

// An errorBody is how an error is sent.
type errorBody struct {
	Error struct {
		Code      api.Code    `json:"code"`
		Message   string      `json:"message"`
		RequestID string      `json:"requestId"`
		Details   api.Details `json:"details,omitempty"`
	} `json:"error"`
}

// fail sends err, and logs what must not be sent.
func (x *exchange) fail(err error) {
	e := api.AsError(err)
	status := e.Code.Status()
	if e.Err != nil {
		x.log.LogAttrs(context.Background(), slog.LevelError, "request failed", slog.String("requestId", x.id),
			slog.String("route", x.route), slog.String("code", string(e.Code)), slog.Any("error", e.Err))
	}
	h := x.w.Header()
	switch status {
	case http.StatusUnauthorized:
		h["Www-Authenticate"] = bearer
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		h["Retry-After"] = []string{strconv.FormatInt(retrySeconds(e), 10)}
	}
	var body errorBody
	body.Error.Code, body.Error.Message, body.Error.RequestID, body.Error.Details = e.Code, e.Message, x.id, e.Details
	buf := getBuffer()
	defer putBuffer(buf)
	// Details may quote what came, which need not be valid UTF-8.
	if err := json.MarshalWrite(buf, body, jsontext.AllowInvalidUTF8(true), json.Deterministic(true)); err != nil {
		x.log.LogAttrs(context.Background(), slog.LevelError, "cannot encode error details",
			slog.String("requestId", x.id), slog.Any("error", err))
		buf.Reset()
		body.Error.Details = nil
		_ = json.MarshalWrite(buf, body, jsontext.AllowInvalidUTF8(true)) // three strings always marshal
	}
	x.send(status, buf)
}

// access logs how the request ended. The key is named by its id.
func (x *exchange) access() {
	level := slog.LevelInfo
	if !x.log.Enabled(context.Background(), level) {
		return
	}
	var key string
	if x.caller != nil && x.caller.KeyID != (api.ID{}) {
		key = x.caller.KeyID.String()
	}
	x.log.LogAttrs(context.Background(), level, "request",
		slog.String("method", x.r.Method), slog.String("route", x.route), slog.Int("status", x.status),
		slog.Duration("duration", time.Since(x.start)), slog.Int("bytes", x.bytes),
		slog.String("requestId", x.id), slog.String("key", key))
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuffer() *bytes.Buffer { return buffers.Get().(*bytes.Buffer) }

// putBuffer gives a buffer back, unless one large answer would keep it large for ever.
func putBuffer(b *bytes.Buffer) {
	if b.Cap() <= 256<<10 {
		b.Reset()
		buffers.Put(b)
	}
}

// newID makes a request id; it need not be a secret, only another one.
func newID() string {
	const digits = "0123456789abcdefghijklmnopqrstuv"
	var b [24]byte
	copy(b[:], "req_")
	hi, lo := rand.Uint64(), rand.Uint64()
	for i := range 10 {
		b[4+i], b[14+i] = digits[hi>>(5*i)&31], digits[lo>>(5*i)&31]
	}
	return string(b[:])
}

// quoteClipped is s as a message may quote it.
func quoteClipped(s string) string {
	if len(s) > 100 {
		s = strings.ToValidUTF8(s[:100], "") + "…"
	}
	return strconv.Quote(s)
}
