package httpapi

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bincard/server/api"
	"bincard/server/api/appendjson"
	"bincard/server/httpapi/fair"
)

// An exchange is a request and its answer. It passes through the mux as the
// ResponseWriter, which saves a context per request.
type exchange struct {
	w      http.ResponseWriter
	r      *http.Request
	log    *slog.Logger
	start  time.Time
	id     string
	route  string
	caller *api.Caller
	req    *api.Request  // for an operation
	res    *api.Response // what the service answered
	answer *bytes.Buffer // res as JSON
	status int
	bytes  int
	// chunkTimeout is how long the client may take to accept a chunk of the answer.
	chunkTimeout time.Duration
	cut          bool // the client did not accept the whole answer

	admission *admission // that the request has joined
	turn      *fair.Turn // while it runs
	started   time.Time  // of the turn
	cost      int64      // of the turn; 0 is its duration
	wait      time.Duration

	transit      *transit // that counts transitBytes
	transitBytes int64
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
	noSniff  = []string{"nosniff"}
	onlyTLS  = []string{"max-age=31536000"}
)

// write sends body as JSON.
func (x *exchange) write(status int, body any) {
	buf := getBuffer()
	defer putBuffer(buf)
	if err := encode(buf, body); err != nil {
		x.fail(err)
		return
	}
	x.send(status, buf)
}

// encode appends body as JSON. All of an answer is encoded before any is sent, so
// that a slow client holds nothing but the bytes.
func encode(buf *bytes.Buffer, body any) error {
	out, err := appendjson.Marshal(buf.AvailableBuffer(), body)
	if err != nil {
		return api.Internal(fmt.Errorf("write response: %w", err))
	}
	if cap(out) > buf.Cap() {
		*buf = *bytes.NewBuffer(out) // grown: no need to copy it
	} else {
		buf.Write(out)
	}

	return nil
}

func (x *exchange) send(status int, buf *bytes.Buffer) {
	h := x.w.Header()
	h["Content-Type"] = jsonType
	h["Cache-Control"] = noStore
	h["Content-Length"] = []string{strconv.Itoa(buf.Len())}
	x.WriteHeader(status)
	x.cut = x.writeChunks(buf.Bytes()) != nil
}

// writeChunk is the size of the chunks of a large answer.
const writeChunk = 64 << 10

// writeChunks writes a body. The write deadline of a large one moves with each chunk: a
// slow client receives all of it, and one that stops reading does not hold it.
func (x *exchange) writeChunks(body []byte) error {
	if len(body) <= writeChunk {
		_, err := x.Write(body)
		return err
	}

	control := http.NewResponseController(x.w)
	for len(body) > 0 {
		_ = control.SetWriteDeadline(time.Now().Add(x.chunkTimeout)) // not every writer has deadlines
		n := min(len(body), writeChunk)
		if _, err := x.Write(body[:n]); err != nil {
			return err
		}
		body = body[n:]
	}

	return nil
}

// An errorBody is the JSON of an error, or of a warning about a write that is saved.
type errorBody struct {
	Error   *problem `json:"error,omitzero"`
	Warning *problem `json:"warning,omitzero"`
}

// A problem is the JSON of what an errorBody is about.
type problem struct {
	Code      api.Code    `json:"code"`
	Message   string      `json:"message"`
	RequestID string      `json:"requestId"`
	Details   api.Details `json:"details,omitempty"`
}

// fail sends an error, and logs its cause, which is not sent.
func (x *exchange) fail(err error) {
	x.leave()
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

	h["Link"] = []string{"</docs#error-" + string(e.Code) + `>; rel="help"`}
	p := &problem{Code: e.Code, Message: e.Message, RequestID: x.id, Details: e.Details}
	body := errorBody{Error: p}
	if status == http.StatusAccepted {
		body = errorBody{Warning: p}
	}

	buf := getBuffer()
	defer putBuffer(buf)
	// Details may quote input, which may be invalid UTF-8.
	if err := json.MarshalWrite(buf, body, jsontext.AllowInvalidUTF8(true), json.Deterministic(true)); err != nil {
		x.log.LogAttrs(context.Background(), slog.LevelError, "cannot encode error details",
			slog.String("requestId", x.id), slog.Any("error", err))
		buf.Reset()
		p.Details = nil
		_ = json.MarshalWrite(buf, body, jsontext.AllowInvalidUTF8(true)) // three strings always marshal
	}

	x.send(status, buf)
}

// retryAfter is the error detail that the Retry-After header is set from.
const retryAfter = "retryAfterSeconds"

// Seconds to wait before a retry, by cause. The service sets its own.
const (
	retryCrowded = 1  // until one of many requests finishes
	retryBusy    = 5  // until a slow operation finishes
	retryUnready = 30 // until an operator has acted
)

// retrySeconds returns the seconds to wait that an error has, or retryCrowded.
func retrySeconds(e *api.Error) int64 {
	n, ok := e.Details[retryAfter].(int64)
	if !ok || n < 1 {
		return retryCrowded
	}
	return n
}

// unavailable returns an UNAVAILABLE error with the seconds to wait.
func unavailable(seconds int64, err error, format string, args ...any) *api.Error {
	e := api.Fail(api.Unavailable, api.Details{retryAfter: seconds}, format, args...)
	e.Err = err
	return e
}

// access logs the request, with the key's id.
func (x *exchange) access() {
	level := slog.LevelInfo
	if !x.log.Enabled(context.Background(), level) {
		return
	}

	var key string
	if x.caller != nil && x.caller.KeyID != api.NoID {
		key = x.caller.KeyID.String()
	}

	now := time.Now()
	record := slog.NewRecord(now, level, "request", 0) // without the source line, which is always this one
	record.AddAttrs(slog.String("method", x.r.Method), slog.String("route", x.route), slog.Int("status", x.status),
		slog.Duration("duration", now.Sub(x.start)), slog.Duration("wait", x.wait), slog.Int("bytes", x.bytes),
		slog.String("requestId", x.id), slog.String("key", key))
	if x.cut {
		record.AddAttrs(slog.Bool("cut", true))
	}

	_ = x.log.Handler().Handle(context.Background(), record) // as Logger.LogAttrs does
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuffer() *bytes.Buffer { return buffers.Get().(*bytes.Buffer) }

// putBuffer returns a buffer to the pool, unless an unusual answer has made it
// large. A report of 500 rows fits, whose buffer would be costly to grow each time.
func putBuffer(b *bytes.Buffer) {
	if b.Cap() <= 1<<20 {
		b.Reset()
		buffers.Put(b)
	}
}

// putBodyBuffer returns the buffer of a body to the pool, unless the body was large: many
// small requests would keep such buffers in use, and nothing would count them.
func putBodyBuffer(b *bytes.Buffer) {
	if b.Len() <= smallTransit {
		putBuffer(b)
	}
}

// quoteClipped quotes s for a message, shortened if necessary.
func quoteClipped(s string) string {
	if len(s) > 100 {
		s = strings.ToValidUTF8(s[:100], "") + "…"
	}
	return strconv.Quote(s)
}
