package session

import (
	"context"
	"errors"
	"fmt"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/names"
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
	req := &api.Request{Spec: spec, Input: input, Operator: s.Operator()}
	for _, o := range opts {
		o(req)
	}
	return s.perform(ctx, req)
}

// A connection is the service, and what its answers have told about it.
type connection struct {
	service api.Service
	access
	support
	syncState
}

// perform performs a request, unless the service is known not to support it.
func (c *connection) perform(ctx context.Context, req *api.Request) (*api.Response, error) {
	spec := req.Spec
	if err := c.checkSupport(spec); err != nil {
		return nil, err
	}
	if req.IdempotencyKey == "" && spec.Writes() {
		req.IdempotencyKey = api.NewKey()
	}

	res, err := c.service.Do(ctx, req)
	switch {
	case err == nil:
		c.recordAnswer(spec, res)
	case meansUnsupported(spec, err):
		unsupported := c.recordUnsupported(spec, req.Input, api.HasCode(err, api.NotFound))
		if unsupported == nil {
			return nil, err
		}
		res, err = nil, unsupported

	default:
		return nil, err
	}

	c.loadAccess(ctx, spec)

	return res, err
}

// recordAnswer records that the service supports an operation, and the access that it
// answered with, if any.
func (c *connection) recordAnswer(spec *api.Spec, res *api.Response) {
	c.recordSupport(spec, true)
	if access, ok := res.Output.(*api.Access); ok {
		c.setAccess(access)
		c.t.SetCompanyTexts(names.CompanyTexts(access.Rules.Reasons))
	}
}

// loadAccess reads the caller's access once, after the service has answered for the
// first time. A service without GetAccess supports no extension writes.
func (c *connection) loadAccess(ctx context.Context, spec *api.Spec) {
	access := api.GetAccess.Spec
	if c.tried(access) || spec == access || c.isOffline() {
		return
	}

	res, err := c.service.Do(ctx, &api.Request{Spec: access, Input: &api.GetAccessInput{}})
	var e *api.Error
	switch {
	case err == nil:
		c.recordAnswer(access, res)
	case errors.As(err, &e) && e.Code != api.Unavailable:
		c.recordSupport(access, !meansUnsupported(access, err))
	}
}

// Denied returns why the operation cannot be done from here, or "": the service does
// not support it, or the key lacks the scope. Scopes are checked once the service has
// reported them.
func (c *connection) Denied(spec *api.Spec) string {
	if err := c.checkSupport(spec); err != nil {
		return err.Error()
	}
	if c.hasScope(spec.Scope) {
		return ""
	}
	return c.t.Get("This terminal has no permission to do that (%s).", spec.Scope)
}

// MissingRights returns why the key may not perform one of the operations, or "". It
// ignores operations that the service does not support.
func (c *connection) MissingRights(specs ...*api.Spec) string {
	for _, spec := range specs {
		if why := c.Denied(spec); why != "" && c.Supports(spec) {
			return why
		}
	}

	return ""
}

// Entry returns the registry entry of a screen that needs an operation. If the
// operation is denied, the screen does not open and says why.
func (c *connection) Entry(pattern, label string, f tui.Factory, spec *api.Spec) tui.Entry {
	return tui.Entry{
		Pattern: pattern,
		Label:   label,
		Factory: f,
		Denied:  func(tui.Env) string { return c.Denied(spec) },
	}
}
