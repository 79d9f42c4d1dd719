package httpapi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"bincard/server/api"
)

// MaxBody is the maximum size of a request body in bytes.
const MaxBody = 1 << 20

// handle answers a request for an operation.
func (s *server) handle(x *exchange, spec *api.Spec) {
	res, err := s.perform(x, spec)
	if err != nil {
		x.fail(err)
		return
	}

	h := x.w.Header()
	if res.Replayed {
		h.Set("Idempotent-Replayed", "true")
	}
	if res.CommittedBy != "" {
		h.Set("Bincard-Commit", res.CommittedBy)
	}

	buf := getBuffer()
	defer putBuffer(buf)
	if err := encode(buf, res.Output); err != nil {
		x.fail(err)
		return
	}
	if err := s.transit.add(x, int64(buf.Len()), spec.Writes()); err != nil {
		x.fail(err)
		return
	}

	x.leave()
	x.send(spec.Status, buf)
}

// perform checks the request step by step, so that an answer reveals no more
// than the key permits, and calls the service.
func (s *server) perform(x *exchange, spec *api.Spec) (*api.Response, error) {
	ctx, cancel := context.WithTimeout(x.r.Context(), s.Timeout)
	defer cancel()
	caller, err := s.authenticate(ctx, x.r)
	if err != nil {
		return nil, err
	}

	x.caller = caller
	if err := s.limiter.allow(caller, x.w.Header()); err != nil {
		return nil, err
	}

	org := x.r.PathValue("organizationId")
	if id, err := uuid.Parse(org); err != nil || len(org) != 36 || id != caller.Organization {
		return nil, api.WrongOrganization(quoteClipped(org))
	}
	if !caller.May(spec.Scope) {
		return nil, api.Fail(api.InsufficientScope, api.Details{"requiredScope": spec.Scope},
			"Missing scope %s. Use a key that has it.", spec.Scope)
	}

	req := &api.Request{Spec: spec, Caller: caller, RequestID: x.id}
	if err := readHeader(req, x.r.Header); err != nil {
		return nil, err
	}
	if req.IdempotencyKey != "" { // shows which write the answer is to
		x.w.Header()[api.KeyHeader] = []string{req.IdempotencyKey}
	}
	if s.AllowAcceptRisk && spec.Writes() {
		req.AcceptRisk, req.After = x.r.Header.Get("Bincard-Insist") == "true", x.r.Header.Get("Bincard-After")
	}
	if err := s.admission.join(x); err != nil {
		return nil, err
	}
	if req.Input, err = s.readInput(ctx, x, spec); err != nil {
		return nil, err
	}
	if isLongPoll(req) {
		return s.wait(ctx, x, req)
	}

	return s.do(ctx, x, req)
}

func (s *server) authenticate(ctx context.Context, r *http.Request) (*api.Caller, error) {
	values := r.Header["Authorization"]
	if len(values) != 1 {
		return nil, api.Fail(api.Unauthorized, nil, "Send one API key in the header Authorization: Bearer <key>.")
	}

	scheme, secret, _ := strings.Cut(values[0], " ")
	secret = strings.TrimSpace(secret)
	if !strings.EqualFold(scheme, "Bearer") || secret == "" || len(secret) > 512 {
		return nil, api.Fail(api.Unauthorized, nil, "Send the API key in the header Authorization: Bearer <key>.")
	}

	return s.guard.check(ctx, r.RemoteAddr, s.polls.draining,
		func() (*api.Caller, error) { return s.Authenticate(ctx, secret) })
}

// readInput reads the body, if any, waits for the request's turn, and decodes path, query
// and body. Without a body the request has no turn yet. A request that cannot be decoded
// has no fingerprint, so it fails before a replay is looked up.
func (s *server) readInput(ctx context.Context, x *exchange, spec *api.Spec) (any, error) {
	var query url.Values
	if x.r.URL.RawQuery != "" {
		var err error
		if query, err = url.ParseQuery(x.r.URL.RawQuery); err != nil {
			return nil, fieldError("query", "query", "is malformed; encode it as name=value&name=value")
		}
	}

	if x.r.Body == nil || x.r.Body == http.NoBody {
		return spec.Decode(x.r.PathValue, query, nil)
	}

	done, err := s.admission.startBody(ctx, x, x.r.ContentLength)
	if err != nil {
		return nil, err
	}

	defer done()
	buf := getBuffer()
	defer putBodyBuffer(buf)
	if err := x.readBody(buf); err != nil {
		return nil, err
	}
	if err := s.admission.start(ctx, x, spec, buf.Len()); err != nil {
		return nil, err
	}

	return spec.Decode(x.r.PathValue, query, buf.Bytes())
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

// do waits for the request's turn, unless it has it, calls the service and explains a timeout.
func (s *server) do(ctx context.Context, x *exchange, req *api.Request) (*api.Response, error) {
	if x.turn == nil {
		if err := s.admission.start(ctx, x, req.Spec, 0); err != nil {
			return nil, err
		}
	}

	res, err := s.Service.Do(ctx, req)
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) && api.AsError(err).Code == api.InternalError {
		return nil, unavailable(retryBusy, err, "The request timed out. Retry it with the same Idempotency-Key.")
	}

	return res, err
}
