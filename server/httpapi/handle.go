package httpapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"bincard/server/api"
)

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
