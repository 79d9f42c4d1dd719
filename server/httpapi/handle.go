package httpapi

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"bincard/server/api"
)

// handle answers a request for an operation.
func (s *server) handle(x *exchange, spec *api.Spec) {
	x.req = &api.Request{Spec: spec, RequestID: x.id}
	err := s.perform(x)
	if x.answer != nil {
		defer putBuffer(x.answer)
	}
	if err != nil {
		x.fail(err)
		return
	}

	x.leave()
	x.send(spec.Status, x.answer)
}

// steps are what happens to each request for an operation until it has an answer. In this
// order, no answer reveals more than the key permits.
var steps = []func(*server, context.Context, *exchange) error{
	(*server).authenticate,
	(*server).limitRate,
	(*server).authorize,
	(*server).readHeader,
	(*server).join,
	(*server).readInput,
	(*server).call,
	(*server).encodeAnswer,
}

func (s *server) perform(x *exchange) error {
	ctx, cancel := context.WithTimeout(x.r.Context(), s.Timeout)
	defer cancel()
	for _, step := range steps {
		if err := step(s, ctx, x); err != nil {
			return err
		}
	}

	return nil
}

func (s *server) authenticate(ctx context.Context, x *exchange) (err error) {
	values := x.r.Header["Authorization"]
	if len(values) != 1 {
		return api.Fail(api.Unauthorized, nil, "Send one API key in the header Authorization: Bearer <key>.")
	}

	scheme, secret, _ := strings.Cut(values[0], " ")
	secret = strings.TrimSpace(secret)
	if !strings.EqualFold(scheme, "Bearer") || secret == "" || len(secret) > 512 {
		return api.Fail(api.Unauthorized, nil, "Send the API key in the header Authorization: Bearer <key>.")
	}

	x.caller, err = s.guard.check(ctx, x.r.RemoteAddr, s.polls.draining,
		func() (*api.Caller, error) { return s.Authenticate(ctx, secret) })
	x.req.Caller = x.caller

	return err
}

func (s *server) limitRate(_ context.Context, x *exchange) error {
	return s.limiter.allow(x.caller, x.w.Header())
}

// authorize checks that the key is for the organization and the operation.
func (s *server) authorize(_ context.Context, x *exchange) error {
	org, scope := x.r.PathValue("organizationId"), x.req.Spec.Scope
	if id, err := uuid.Parse(org); err != nil || len(org) != 36 || id != x.caller.Organization {
		return api.WrongOrganization(quoteClipped(org))
	}
	if !x.caller.May(scope) {
		return api.Fail(api.InsufficientScope, api.Details{"requiredScope": scope},
			"Missing scope %s. Use a key that has it.", scope)
	}

	return nil
}

func (s *server) readHeader(_ context.Context, x *exchange) error {
	err := decodeHeader(x.req, x.r.Header)
	if x.req.IdempotencyKey != "" && err == nil { // shows which write the answer is to
		x.w.Header()[api.KeyHeader] = []string{x.req.IdempotencyKey}
	}
	if s.AllowAcceptRisk && x.req.Spec.Writes() {
		x.req.AcceptRisk, x.req.After = x.r.Header.Get("Bincard-Insist") == "true", x.r.Header.Get("Bincard-After")
	}

	return err
}

func (s *server) join(_ context.Context, x *exchange) error { return s.admission.join(x) }

// encodeAnswer encodes the result and counts its bytes.
func (s *server) encodeAnswer(_ context.Context, x *exchange) error {
	h := x.w.Header()
	if x.res.Replayed {
		h.Set("Idempotent-Replayed", "true")
	}
	if x.res.CommittedBy != "" {
		h.Set("Bincard-Commit", x.res.CommittedBy)
	}

	x.answer = getBuffer()
	if err := encode(x.answer, x.res.Output); err != nil {
		return err
	}

	return s.transit.add(x, int64(x.answer.Len()), x.req.Spec.Writes())
}
