package dock

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"bincard/server/api"
	"bincard/tui/i18n"
)

// Supports reports whether the service is expected to support an operation. Past calls
// decide. An operation that was not called counts as supported, unless it is an
// extension write and the service lacks GetAccess.
func (s *Site) Supports(spec *api.Spec) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	supported, tried := s.supported[spec.ID]
	if tried {
		return supported
	}
	access, asked := s.supported[api.GetAccess.ID]
	return !spec.Extension || !spec.Writes() || !asked || access
}

// recordSupport records whether the service supports an operation.
func (s *Site) recordSupport(spec *api.Spec, supported bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.supported[spec.ID] = supported
}

// An UnsupportedError reports that the service does not support an operation. Screens
// work without it.
type UnsupportedError struct {
	Spec *api.Spec
	// Uncertain is set if it may be only the document that does not exist.
	Uncertain bool

	t *i18n.Translator
}

func (e *UnsupportedError) Error() string {
	if e.Uncertain {
		return e.t.Get("Not found. The service does not support this (%s), or no longer has this document.", e.t.Message(e.Spec.Summary))
	}
	return e.t.Get("This service does not support that (%s).", e.t.Message(e.Spec.Summary))
}

// IsUnsupported reports whether err is an UnsupportedError.
func IsUnsupported(err error) bool {
	var m *UnsupportedError
	return errors.As(err, &m)
}

// Call performs an operation as the site's operator. It returns an UnsupportedError if
// the service does not support the operation; later calls then fail without a request.
func Call[I, O any](ctx context.Context, s *Site, op api.Operation[I, O], in I, opts ...api.Option) (O, error) {
	var zero O
	res, err := s.do(ctx, op.Spec, &in, opts...)
	if err != nil {
		return zero, err
	}
	out, ok := res.Output.(*O)
	if !ok {
		return zero, api.Internal(fmt.Errorf("%s answered %T", op.ID, res.Output))
	}
	return *out, nil
}

// do performs the operation of spec; input points to its input.
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
		unsupported := s.recordUnsupported(spec, input, api.HasCode(err, api.NotFound))
		if unsupported == nil {
			return nil, err
		}
		res, err = nil, unsupported
	default:
		return nil, err
	}
	s.loadAccess(ctx, spec)
	return res, err
}

// recordUnsupported records that the service does not support an operation, and
// returns the UnsupportedError. If the answer was NOT_FOUND (notFound), only the
// document may be missing: the operation counts as unsupported once a second document
// is not found either. It never does once it has succeeded; recordUnsupported then
// returns nil.
func (s *Site) recordUnsupported(spec *api.Spec, input any, notFound bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if notFound && s.supported[spec.ID] {
		return nil
	}
	if path, _, _, err := spec.Encode(input); err == nil && notFound && strings.Contains(spec.Path, "{") {
		before, seen := s.notFoundPath[spec.ID]
		if !seen || before == path {
			s.notFoundPath[spec.ID] = path
			return &UnsupportedError{Spec: spec, Uncertain: true, t: s.T()}
		}
	}
	s.supported[spec.ID] = false
	return &UnsupportedError{Spec: spec, t: s.T()}
}

// loadAccess reads the caller's access once, after the service has answered for the
// first time. A service without GetAccess supports no extension writes.
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

// meansUnsupported reports whether err means that the service does not have the
// operation. A NOT_FOUND that names a resource is about that resource.
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
