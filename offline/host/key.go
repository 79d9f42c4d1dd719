package host

import (
	"context"
	"sync"

	"bincard/apiclient"
	"bincard/server/api"
)

// A checkedService is the service behind a node. Before the first request with a key it
// asks whether the key is one of the node's organization and environment, so that a
// wrong key cannot send work to another one. The node starts without the answer.
type checkedService struct {
	svc api.Service
	ask func(context.Context) (api.Access, error)
	// onAccess is called with what the service says about the key. It returns an error if the
	// node cannot use the key.
	onAccess func(context.Context, api.Access) error
	// beforeSend returns an error for a request that must not be sent; it may be nil.
	beforeSend func(context.Context, *api.Request) error

	mu      sync.Mutex
	key     int // the number of the key, from 0
	checked bool
	running *keyCheck // nil if none is in progress
}

// A keyCheck is one question about the key, and all requests that wait for the answer.
type keyCheck struct {
	done chan struct{}
	err  error
}

// Do performs the operation at the service.
func (s *checkedService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	for {
		key := s.current()
		res, err := s.try(ctx, req)
		if !api.HasCode(err, api.Unauthorized) || s.current() == key {
			return res, err
		} // the key was replaced meanwhile
	}
}

func (s *checkedService) try(ctx context.Context, req *api.Request) (*api.Response, error) {
	if err := s.check(ctx); err != nil {
		return nil, err
	}

	if s.beforeSend != nil {
		if err := s.beforeSend(ctx, req); err != nil {
			if api.HasCode(err, api.LocationNotAllowed) {
				return nil, err
			}
			return nil, notSent(err)
		}
	}

	return s.svc.Do(ctx, req)
}

// check returns an error unless the service has accepted the key.
func (s *checkedService) check(ctx context.Context) error {
	s.mu.Lock()
	if s.checked {
		s.mu.Unlock()
		return nil
	}

	c := s.running
	mine := c == nil
	if mine {
		c = &keyCheck{done: make(chan struct{})}
		s.running = c
	}

	s.mu.Unlock()
	if mine {
		s.run(ctx, c)
	}

	select {
	case <-c.done:
		return c.err
	case <-ctx.Done():
		return notSent(ctx.Err())
	}
}

func (s *checkedService) run(ctx context.Context, c *keyCheck) {
	access, err := s.ask(ctx)
	if err == nil {
		err = s.onAccess(ctx, access)
	}

	switch {
	case err == nil:
	case api.HasCode(err, api.Unavailable):
		c.err = notSent(err)
	default:
		c.err = err
	}

	s.mu.Lock()
	if s.running == c { // the key is still the same
		s.checked, s.running = c.err == nil, nil
	}

	s.mu.Unlock()
	close(c.done)
}

// replaceKey makes the next request check the key again, because there is another one.
func (s *checkedService) replaceKey() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.key++
	s.checked, s.running = false, nil
}

func (s *checkedService) current() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.key
}

// inProgress returns a channel that is closed at the end of the check in progress, or
// nil if there is none.
func (s *checkedService) inProgress() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running == nil {
		return nil
	}
	return s.running.done
}

// isChecked reports whether the service has accepted the key.
func (s *checkedService) isChecked() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.checked
}

// notSent returns the error of a request that was not sent, because the key could not be
// checked.
func notSent(err error) error {
	e := api.AsError(err)
	return &api.Error{Code: api.Unavailable, Message: e.Message, RequestID: e.RequestID, Err: e.Err,
		Details: api.Details{"outcome": apiclient.NotSent}}
}
