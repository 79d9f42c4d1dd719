package host

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"bincard/server/local"
)

const (
	// takeoverTimeout is how long a process waits for the owner to end, or for the
	// next one to start.
	takeoverTimeout = 15 * time.Second
	// pollInterval is how often it looks.
	pollInterval = 25 * time.Millisecond
)

// findOwner waits until the directory has an owner, or becomes the owner itself.
func (s *Shared) findOwner(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	deadline := time.Now().Add(takeoverTimeout)
	for {
		if s.closed {
			return errors.New("it is shutting down")
		}
		if s.node.Load() != nil {
			return nil
		}
		c, err := local.Connect(ctx, s.options.Dir)
		if err == nil {
			return c.Close()
		}
		if !errors.Is(err, local.ErrNotRunning) {
			return err
		}
		if s.options.Open == nil {
			return errors.New("this one has no key for the service and cannot continue alone")
		}
		n, err := s.options.Open(context.WithoutCancel(ctx))
		if err == nil {
			s.node.Store(n)
			return nil
		}
		if !isLocked(err) || time.Now().After(deadline) {
			return err
		}
		if err := pause(ctx, pollInterval); err != nil {
			return err
		}
	}
}

// watchOwner takes over when the owner ends, even if nobody makes a request.
func (s *Shared) watchOwner(ctx context.Context) {
	for ctx.Err() == nil && s.node.Load() == nil {
		local.AwaitClose(ctx, s.options.Dir)
		if ctx.Err() != nil {
			return
		}
		if err := s.findOwner(ctx); err != nil && ctx.Err() == nil {
			slog.Warn("the program that saves offline work has stopped, and this one cannot replace it", "error", err)
			_ = pause(ctx, takeoverTimeout)
		}
	}
}

// openWaiting opens a node as soon as the process that has the directory ends, for
// as long as wait.
func openWaiting(ctx context.Context, cfg Config, wait time.Duration) (*Node, error) {
	for deadline := time.Now().Add(wait); ; {
		n, err := Open(ctx, cfg)
		if !isLocked(err) || time.Now().After(deadline) {
			return n, err
		}
		if err := pause(ctx, pollInterval); err != nil {
			return nil, err
		}
	}
}

func isLocked(err error) bool {
	var locked *LockedError
	return errors.As(err, &locked)
}

// pause waits, unless ctx ends first.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
