package session

import (
	"context"
	"errors"
	"fmt"

	"bincard/server/api"
)

// Call performs an operation as the site's operator. It returns an UnsupportedError if
// the service does not support the operation; later calls then fail without a request.
func Call[I, O any](ctx context.Context, s *Site, op api.Operation[I, O], in I, opts ...api.Option) (O, error) {
	var zero O
	res, err := s.Do(ctx, op.Spec, &in, opts...)
	if err != nil {
		return zero, err
	}
	out, ok := res.Output.(*O)
	if !ok {
		return zero, api.Internal(fmt.Errorf("%s answered %T", op.Spec.ID, res.Output))
	}
	return *out, nil
}

// Do performs the operation of spec as Call does; input points to its input.
func (s *Site) Do(ctx context.Context, spec *api.Spec, input any, opts ...api.Option) (*api.Response, error) {
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
		unsupported := s.recordUnsupported(s.T(), spec, input, api.HasCode(err, api.NotFound))
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

// loadAccess reads the caller's access once, after the service has answered for the
// first time. A service without GetAccess supports no extension writes.
func (s *Site) loadAccess(ctx context.Context, spec *api.Spec) {
	if s.tried(api.GetAccess.Spec) || spec == api.GetAccess.Spec || s.isOffline() {
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
