package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"bincard/apiclient"
	"bincard/offline"
	"bincard/server/api"
	"bincard/server/local"
)

// A sharedNode node is one that the programs of this machine have in common. One of
// them owns its directory: it keeps the work and sends it. The others come to
// its counter, and when it ends one of them takes its place. What was under way
// then is asked again by its key: what the one before has kept is in the journal.
type sharedNode struct {
	dir    string
	client *apiclient.Client
	// open makes this program the owner; nil where it cannot be.
	open func(context.Context) (*nodeHandle, error)

	mu       sync.Mutex // held while the owner is looked for
	closed   bool
	node     atomic.Pointer[nodeHandle]
	stop     context.CancelFunc
	watchers sync.WaitGroup
}

var _ api.Service = (*sharedNode)(nil)

const (
	// takeoverTimeout is how long a program waits for another one to take the place
	// of the owner, or to have begun.
	takeoverTimeout = 15 * time.Second
	// pollInterval is between two looks.
	pollInterval = 25 * time.Millisecond
	// syncTimeout is how long a program that does one thing waits for it to arrive.
	syncTimeout = 3 * time.Second
	// maxAttempts is how often a request is retried.
	maxAttempts = 5
)

// joinNode makes this program the owner of the node in dir, or a client of the one
// that is. open may be nil: then there must be an owner.
func joinNode(ctx context.Context, dir, organization string, open func(context.Context) (*nodeHandle, error)) (*sharedNode, error) {
	client, err := dialNode(dir, organization)
	if err != nil {
		return nil, err
	}
	s := &sharedNode{dir: dir, client: client, open: open}
	if err := s.findOwner(ctx); err != nil {
		return nil, err
	}
	ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	if s.node.Load() == nil {
		s.watchers.Go(func() { s.watchOwner(ctx) })
	}
	return s, nil
}

// Do performs the operation at the node, wherever it is.
func (s *sharedNode) Do(ctx context.Context, req *api.Request) (res *api.Response, err error) {
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
				"The program that saves offline work has stopped and none has replaced it: %s. Saved work is on disk, and repeating it is safe.", lost)
		}
	}
	e := api.AsError(err)
	return nil, &api.Error{Code: api.Unavailable, Details: e.Details, RequestID: e.RequestID, Err: err,
		Message: "The program that saves offline work does not answer. Saved work is on disk, and repeating it is safe."}
}

// isDisconnected tells whether no answer came from the program that was asked: what it
// answers itself, of the service behind it too, has no cause here.
func isDisconnected(err error) bool {
	var late net.Error
	e := api.AsError(err)
	return e.Code == api.Unavailable && e.Err != nil && !(errors.As(e.Err, &late) && late.Timeout())
}

// Now is the time of the service, as the owner knows it.
func (s *sharedNode) Now() time.Time { return s.clock().Now() }

// ClockOffset is by how much that is ahead of this machine's clock.
func (s *sharedNode) ClockOffset() time.Duration { return s.clock().ClockOffset() }

func (s *sharedNode) clock() timekeeper {
	if n := s.node.Load(); n != nil {
		return n.clock
	}
	return s.client
}

// ownNode is the node where this program owns it, else nil.
func (s *sharedNode) ownNode() *nodeHandle { return s.node.Load() }

// findOwner looks for the owner until there is one; it is this program where nobody
// else is.
func (s *sharedNode) findOwner(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	late := time.Now().Add(takeoverTimeout)
	for {
		if s.closed {
			return errors.New("it is shutting down")
		}
		if s.node.Load() != nil {
			return nil
		}
		c, err := local.Connect(ctx, s.dir)
		if err == nil {
			return c.Close()
		}
		if !errors.Is(err, local.ErrNotRunning) {
			return err
		}
		if s.open == nil {
			return errors.New("this one has no key for the service and cannot continue alone")
		}
		n, err := s.open(context.WithoutCancel(ctx))
		if err == nil {
			s.node.Store(n)
			return nil
		}
		var taken *offline.LockedError
		if !errors.As(err, &taken) || time.Now().After(late) {
			return err
		}
		select {
		case <-time.After(pollInterval):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// watchOwner waits at the owner's counter, to take its place when it ends though
// nobody asks for anything.
func (s *sharedNode) watchOwner(ctx context.Context) {
	line := &http.Client{Transport: nodeSocketTransport(s.dir)}
	defer line.CloseIdleConnections()
	for ctx.Err() == nil && s.node.Load() == nil {
		if req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://owner"+ownerPath, nil); err == nil {
			if res, err := line.Do(req); err == nil {
				_, _ = io.Copy(io.Discard, res.Body) // which ends with the owner
				res.Body.Close()
			}
		}
		if ctx.Err() != nil {
			return
		}
		if err := s.findOwner(ctx); err != nil && ctx.Err() == nil {
			slog.Warn("the program that saves offline work has stopped, and this one cannot replace it", "error", err)
			select {
			case <-time.After(takeoverTimeout):
			case <-ctx.Done():
			}
		}
	}
}

// awaitSync gives what was just done the time to reach the service, where this
// program is the one to send it and the service answers.
func (s *sharedNode) awaitSync(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, syncTimeout)
	defer cancel()
	look := time.NewTicker(pollInterval)
	defer look.Stop()
	for ctx.Err() == nil {
		n := s.ownNode()
		if n == nil {
			return
		}
		if st := n.Status(); st.Waiting == 0 || !st.Link.Next.IsZero() {
			return
		}
		select {
		case <-look.C:
		case <-ctx.Done():
		}
	}
}

// close leaves the node: to the next program, where this one owned it.
func (s *sharedNode) close() error {
	s.stop()
	s.watchers.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.client.Close()
	if n := s.node.Load(); n != nil {
		return n.close()
	}
	return nil
}
