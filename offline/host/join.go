package host

import (
	"context"
	"errors"
	"net"
	"time"

	"bincard/server/api"
)

// Join connects to the owner of the node in a directory, or becomes the owner.
func Join(ctx context.Context, o Options) (*Shared, error) {
	client, err := o.dial()
	if err != nil {
		return nil, err
	}
	s := &Shared{options: o, client: client}
	if err := s.findOwner(ctx); err != nil {
		return nil, err
	}
	ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	if s.node.Load() == nil {
		s.watchers.Go(func() { s.watchOwner(ctx) })
	}
	return s, nil
}

// Do performs the operation at the node.
func (s *Shared) Do(ctx context.Context, req *api.Request) (res *api.Response, err error) {
	for range maxAttempts {
		if n := s.node.Load(); n != nil {
			return n.Do(ctx, req)
		}
		if res, err = s.client.Do(ctx, req); err == nil || !isDisconnected(err) {
			return res, err
		}
		if ctx.Err() != nil {
			break
		}
		if lost := s.findOwner(ctx); lost != nil {
			return nil, api.Fail(api.Unavailable, api.AsError(err).Details,
				"The program that saves offline work has stopped and none has replaced it: %v. Saved work is on disk, and repeating it is safe.", lost)
		}
	}
	e := api.AsError(err)
	return nil, &api.Error{Code: api.Unavailable, Details: e.Details, RequestID: e.RequestID, Err: err,
		Message: api.Text("The program that saves offline work does not answer. Saved work is on disk, and repeating it is safe.")}
}

// isDisconnected reports whether the owner did not answer. Its own answers, and
// those of the service behind it, have no cause here.
func isDisconnected(err error) bool {
	var timeout net.Error
	e := api.AsError(err)
	return e.Code == api.Unavailable && e.Err != nil && !(errors.As(e.Err, &timeout) && timeout.Timeout())
}

// AwaitReady waits until there is data to show. A node of another process has some.
func (s *Shared) AwaitReady(ctx context.Context) {
	if n := s.Own(); n != nil {
		n.AwaitReady(ctx)
	}
}

// AwaitSync waits for a while until the node has sent what it saved, if this
// process is the one to send it and the service answers.
func (s *Shared) AwaitSync(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, syncTimeout)
	defer cancel()
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for ctx.Err() == nil {
		n := s.Own()
		if n == nil {
			return
		}
		if st := n.Status(); st.Waiting == 0 || !st.Link.Next.IsZero() {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

// Close leaves the node, to the next process if this one owns it.
func (s *Shared) Close() error {
	s.stop()
	s.watchers.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.client.Close()
	if n := s.node.Load(); n != nil {
		return n.Close()
	}
	return nil
}
