package httpapi

import (
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
	x.write(spec.Status, res.Output)
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
	if err := s.limiter.allow(caller); err != nil {
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
	if req.Input, err = readInput(x, spec); err != nil {
		return nil, err
	}
	if isLongPoll(req) {
		return s.wait(ctx, req)
	}
	return s.call(ctx, req)
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
	return s.guard.check(r.RemoteAddr, secret, func() (*api.Caller, error) { return s.Authenticate(ctx, secret) })
}

// readInput decodes path, query and body. A request that cannot be decoded has
// no fingerprint, so it fails before a replay is looked up.
func readInput(x *exchange, spec *api.Spec) (any, error) {
	r := x.r
	var query url.Values
	if r.URL.RawQuery != "" {
		var err error
		if query, err = url.ParseQuery(r.URL.RawQuery); err != nil {
			return nil, fieldError("query", "query", "is malformed; encode it as name=value&name=value")
		}
	}
	if r.Body == nil || r.Body == http.NoBody {
		return spec.Decode(r.PathValue, query, nil)
	}
	buf := getBuffer()
	defer putBuffer(buf)
	if r.ContentLength > MaxBody {
		x.w.Header()["Connection"] = []string{"close"}
		discardBody(r)
		return nil, tooLarge()
	}
	if _, err := buf.ReadFrom(http.MaxBytesReader(x.w, r.Body, MaxBody)); err != nil {
		if big := new(http.MaxBytesError); errors.As(err, &big) {
			discardBody(r)
			return nil, tooLarge()
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, api.Fail(api.InvalidJSON, nil, "The request body ended early. Send it in full.")
		}
		return nil, &api.Error{Code: api.InvalidJSON, Message: api.Text("The request body could not be read."), Err: err}
	}
	if buf.Len() > 0 {
		if err := checkContent(r.Header); err != nil {
			return nil, err
		}
	}
	return spec.Decode(r.PathValue, query, buf.Bytes())
}

// discardBody reads the rest of a body that is too large: many clients send
// all of it before they read the answer, and would see a broken connection
// instead. A client that waits for 100 Continue receives none.
func discardBody(r *http.Request) {
	if r.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, r.Body, 8*MaxBody) // best effort
	}
}

func tooLarge() error {
	return api.Fail(api.PayloadTooLarge, api.Details{"limit": MaxBody}, "The request body exceeds %d bytes. Split the request.", MaxBody)
}

// isLongPoll reports whether the client permits a delayed answer.
func isLongPoll(req *api.Request) bool {
	p, ok := req.Input.(api.Patient)
	return ok && p.Patience() > 0
}

// wait performs a long poll. It does not count against MaxConcurrent.
func (s *server) wait(ctx context.Context, req *api.Request) (*api.Response, error) {
	defer s.waiting.now.Add(-1)
	if s.waiting.now.Add(1) > int64(s.MaxWaiting) {
		return nil, unavailable(retryBusy, nil, "Too many long polls are open (%d). Retry with wait=0, or later.", s.MaxWaiting)
	}
	req.Draining = s.waiting.draining
	return s.do(ctx, req)
}

// call performs the request unless too many are in progress.
func (s *server) call(ctx context.Context, req *api.Request) (*api.Response, error) {
	defer s.busy.Add(-1)
	if s.busy.Add(1) > int64(s.MaxConcurrent) {
		return nil, unavailable(retryCrowded, nil, "Too many requests in progress (%d). Retry shortly.", s.MaxConcurrent)
	}
	return s.do(ctx, req)
}

// do calls the service and explains a timeout.
func (s *server) do(ctx context.Context, req *api.Request) (*api.Response, error) {
	res, err := s.Service.Do(ctx, req)
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) && api.AsError(err).Code == api.InternalError {
		return nil, unavailable(retryBusy, err, "The request timed out. Retry it with the same Idempotency-Key.")
	}
	return res, err
}
