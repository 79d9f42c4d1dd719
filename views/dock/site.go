package dock

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"bincard/server/api"
)

// A Place is the location at which a terminal stands.
type Place struct {
	ID         api.ID
	Code, Name string
}

// PlaceOf is the place that an embedded reference names; zero for nil.
func PlaceOf(ref *api.PlaceRef) Place {
	if ref == nil {
		return Place{}
	}
	return Place{ID: ref.ID, Code: ref.Code, Name: ref.Name}
}

// Chosen tells whether there is a place at all.
func (p Place) Chosen() bool { return p.ID != api.ID{} }

// String is the place as people say it: "WH-1 Main warehouse".
func (p Place) String() string {
	if p.Name == "" || p.Name == p.Code {
		return p.Code
	}
	return p.Code + " " + p.Name
}

// Options are what a Site is made of. Only Service is required.
type Options struct {
	Service  api.Service // acts for the caller already: see api.As
	Operator string      // who works here, named on every write
	Place    Place       // where the terminal stands, if it is known
	// OnPlace hears of another place that was chosen, to keep it; it may be nil.
	OnPlace func(Place)
}

// A Site is what the screens need to know of the world: the service, who works
// and where. It is shared by all screens of a session and safe for use by
// several goroutines.
type Site struct {
	opts Options

	mu    sync.Mutex
	place Place
	known map[string]bool // operation ID: whether the service has it
}

// NewSite makes a site.
func NewSite(opts Options) *Site {
	return &Site{opts: opts, place: opts.Place, known: map[string]bool{}}
}

// Operator is who works here; it may be empty.
func (s *Site) Operator() string { return s.opts.Operator }

// Place is where the terminal stands now.
func (s *Site) Place() Place {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.place
}

// SetPlace makes p the place where the terminal stands.
func (s *Site) SetPlace(p Place) {
	s.mu.Lock()
	s.place = p
	s.mu.Unlock()
	if s.opts.OnPlace != nil {
		s.opts.OnPlace(p)
	}
}

// Has tells whether the service can be expected to perform an operation. What
// the interface shows it has; an addition that was missing once stays missing,
// and a service that cannot say who the caller is has no added writes.
func (s *Site) Has(spec *api.Spec) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	has, tried := s.known[spec.ID]
	if tried {
		return has
	}
	access, asked := s.known[api.GetAccess.ID]
	return !spec.Extension || !spec.Writes() || !asked || access
}

// note remembers whether the service has an operation.
func (s *Site) note(spec *api.Spec, has bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[spec.ID] = has
}

// A MissingError tells that the service does not have an operation, which is
// no fault: the screen does without.
type MissingError struct{ Spec *api.Spec }

func (e *MissingError) Error() string {
	return fmt.Sprintf("This service cannot do that (%s).", e.Spec.Summary)
}

// Missing tells whether err is a MissingError.
func Missing(err error) bool {
	var m *MissingError
	return errors.As(err, &m)
}

// Ask performs an operation at the site as its operator. An operation that the
// service does not have is a MissingError, the next time without asking.
func Ask[I, O any](ctx context.Context, s *Site, op api.Operation[I, O], in I, opts ...api.Option) (O, error) {
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
	if !s.Has(spec) {
		return nil, &MissingError{spec}
	}
	req := &api.Request{Spec: spec, Input: input, Operator: s.opts.Operator}
	for _, o := range opts {
		o(req)
	}
	if req.IdempotencyKey == "" && spec.Writes() {
		req.IdempotencyKey = api.NewKey()
	}
	res, err := s.opts.Service.Do(ctx, req)
	switch {
	case err == nil:
		s.note(spec, true)
	case lacks(spec, err):
		s.note(spec, false)
		res, err = nil, &MissingError{spec}
	default:
		return nil, err
	}
	s.meet(ctx, spec)
	return res, err
}

// meet asks the service once who the caller is, as soon as it has answered
// anything: one that cannot say has none of the added writes.
func (s *Site) meet(ctx context.Context, spec *api.Spec) {
	s.mu.Lock()
	_, asked := s.known[api.GetAccess.ID]
	s.mu.Unlock()
	if asked || spec == api.GetAccess.Spec {
		return
	}
	_, err := s.opts.Service.Do(ctx, &api.Request{Spec: api.GetAccess.Spec, Input: &api.GetAccessInput{}})
	var e *api.Error
	switch {
	case err == nil:
		s.note(api.GetAccess.Spec, true)
	case errors.As(err, &e) && e.Code != api.Unavailable:
		s.note(api.GetAccess.Spec, !lacks(api.GetAccess.Spec, err))
	}
}

// lacks tells whether the error means that the service does not have the
// operation at all. A NOT_FOUND that names the resource is about that one.
func lacks(spec *api.Spec, err error) bool {
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
