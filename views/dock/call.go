package dock

import (
	"bincard/tui/i18n"
	"context"
	"errors"
	"fmt"
	"strings"

	"bincard/server/api"
)

// Supports tells whether the service can be expected to perform an operation. What
// the interface shows it has; an addition that was missing once stays missing,
// and a service that cannot say who the caller is has no added writes.
func (s *Site) Supports(spec *api.Spec) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	has, tried := s.supported[spec.ID]
	if tried {
		return has
	}
	access, asked := s.supported[api.GetAccess.ID]
	return !spec.Extension || !spec.Writes() || !asked || access
}

// recordSupport remembers whether the service has an operation.
func (s *Site) recordSupport(spec *api.Spec, has bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.supported[spec.ID] = has
}

// An UnsupportedError tells that the service does not have an operation, which is
// no fault: the screen does without.
type UnsupportedError struct {
	Spec *api.Spec
	// Uncertain is set while it may be the document alone that is not there.
	Uncertain bool

	t *i18n.Translator
}

func (e *UnsupportedError) Error() string {
	if e.Uncertain {
		return e.t.Get("Not found. The service does not support this (%s), or no longer has this document.", e.Spec.Summary)
	}
	return e.t.Get("This service does not support that (%s).", e.Spec.Summary)
}

// IsUnsupported tells whether err is a MissingError.
func IsUnsupported(err error) bool {
	var m *UnsupportedError
	return errors.As(err, &m)
}

// Call performs an operation at the site as its operator. An operation that the
// service does not have is a MissingError, the next time without asking.
func Call[I, O any](ctx context.Context, s *Site, op api.Operation[I, O], in I, opts ...api.Option) (O, error) {
	var none O
	res, err := s.do(ctx, op.Spec, &in, opts...)
	if err != nil {
		return none, err
	}
	out, ok := res.Output.(*O)
	if !ok {
		return none, api.Internal(fmt.Errorf("%s answered %T", op.ID, res.Output))
	}
	return *out, nil
}

// do performs the operation of spec; input is a pointer to its input.
func (s *Site) do(ctx context.Context, spec *api.Spec, input any, opts ...api.Option) (*api.Response, error) {
	if !s.Supports(spec) {
		return nil, &UnsupportedError{Spec: spec, t: s.T()}
	}
	req := &api.Request{Spec: spec, Input: input, Operator: s.Operator()}
	for _, o := range opts {
		o(req)
	}
	if req.IdempotencyKey == "" && spec.Writes() {
		req.IdempotencyKey = api.NewKey()
	}
	res, err := s.opts.Service.Do(ctx, req)
	switch {
	case err == nil:
		s.recordSupport(spec, true)
		if access, ok := res.Output.(*api.Access); ok {
			s.setAccess(access)
		}
	case meansUnsupported(spec, err):
		missing := s.recordUnsupported(spec, input, api.HasCode(err, api.NotFound))
		if missing == nil {
			return nil, err
		}
		res, err = nil, missing
	default:
		return nil, err
	}
	s.loadAccess(ctx, spec)
	return res, err
}

// recordUnsupported remembers that the service does not have an operation, and answers
// the MissingError. Where one document was not found it may be that which is
// not there: the operation is missing when a second one is not found either,
// and never once it was performed (nil).
func (s *Site) recordUnsupported(spec *api.Spec, input any, unfound bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if unfound && s.supported[spec.ID] {
		return nil
	}
	if path, _, _, err := spec.Encode(input); err == nil && unfound && strings.Contains(spec.Path, "{") {
		before, doubted := s.notFoundPath[spec.ID]
		if !doubted || before == path {
			s.notFoundPath[spec.ID] = path
			return &UnsupportedError{Spec: spec, Uncertain: true, t: s.T()}
		}
	}
	s.supported[spec.ID] = false
	return &UnsupportedError{Spec: spec, t: s.T()}
}

// loadAccess asks the service once who the caller is, as soon as it has answered
// anything: one that cannot say has none of the added writes.
func (s *Site) loadAccess(ctx context.Context, spec *api.Spec) {
	s.mu.Lock()
	_, asked := s.supported[api.GetAccess.ID]
	s.mu.Unlock()
	if asked || spec == api.GetAccess.Spec || s.isOffline() {
		return
	}
	res, err := s.opts.Service.Do(ctx, &api.Request{Spec: api.GetAccess.Spec, Input: &api.GetAccessInput{}})
	var e *api.Error
	switch {
	case err == nil:
		s.recordSupport(api.GetAccess.Spec, true)
		if access, ok := res.Output.(*api.Access); ok {
			s.setAccess(access)
		}
	case errors.As(err, &e) && e.Code != api.Unavailable:
		s.recordSupport(api.GetAccess.Spec, !meansUnsupported(api.GetAccess.Spec, err))
	}
}

// meansUnsupported tells whether the error means that the service does not have the
// operation at all. A NOT_FOUND that names the resource is about that one.
func meansUnsupported(spec *api.Spec, err error) bool {
	var e *api.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code {
	case api.MethodNotAllowed, api.NotImplemented:
		return true
	case api.NotFound:
		return spec.Extension && e.Details["resource"] == nil
	}
	return false
}
