package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"

	"bincard/server/api"
)

// maxAttempts is how often a request is made.
const maxAttempts = 5

// A Member is one of the processes that share a directory: the owner, which has a T,
// or a client of the owner. If the owner ends, one of the clients takes over and the
// others become its clients.
type Member[T io.Closer] struct {
	opener Opener[T]

	mu       sync.Mutex // held while looking for the owner
	closed   bool
	own      atomic.Pointer[T]             // nil unless this process is the owner
	rejected atomic.Pointer[RejectedError] // ends the membership
	stop     context.CancelFunc
	watchers sync.WaitGroup
}

// A LostError reports that the owner of a directory ended during a request, or does
// not answer, and that there is no other owner.
type LostError struct {
	Request error // of the last attempt; nil if there was none
	Cause   error // why there is no other owner; nil if there were too many attempts
}

func (e *LostError) Error() string {
	if e.Cause == nil {
		return fmt.Sprintf("the process that has the directory open does not answer: %v", e.Request)
	}
	return fmt.Sprintf("the process that has the directory open has stopped and none has replaced it: %v", e.Cause)
}

func (e *LostError) Unwrap() []error { return []error{e.Request, e.Cause} }

// Join connects to the owner of a directory, or becomes the owner.
func Join[T io.Closer](ctx context.Context, o Opener[T]) (*Member[T], error) {
	m := &Member[T]{opener: o}
	if err := m.findOwner(ctx); err != nil {
		return nil, err
	}

	ctx, m.stop = context.WithCancel(context.WithoutCancel(ctx))
	if m.own.Load() == nil {
		m.watchers.Go(func() { m.watchOwner(ctx) })
	}

	return m, nil
}

// Own returns what this process owns, or false if it is a client.
func (m *Member[T]) Own() (own T, ok bool) {
	if p := m.own.Load(); p != nil {
		return *p, true
	}
	return own, false
}

// Do runs own if this process is the owner, else remote, which makes a request to the
// owner. If the owner ends meanwhile, Do finds the next one and starts again, so the
// request must be safe to repeat. The error is a *LostError if there is no owner.
func (m *Member[T]) Do(ctx context.Context, own func(T) error, remote func() error) (err error) {
	for range maxAttempts {
		if p := m.own.Load(); p != nil {
			return own(*p)
		}
		if rejected := m.rejected.Load(); rejected != nil {
			return &LostError{Request: err, Cause: rejected}
		}
		if err = remote(); err == nil || !IsDisconnected(err) {
			return err
		}
		if ctx.Err() != nil {
			break
		}
		if cause := m.findOwner(ctx); cause != nil {
			return &LostError{Request: err, Cause: cause}
		}
	}

	return &LostError{Request: err}
}

// findOwner waits until the directory has an owner, or becomes the owner itself.
func (m *Member[T]) findOwner(ctx context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.closed:
		return errors.New("it is shutting down")
	case m.rejected.Load() != nil:
		return m.rejected.Load()
	case m.own.Load() != nil:
		return nil
	}

	own, owned, err := m.opener.Find(ctx)
	if owned {
		m.own.Store(&own)
	}
	if rejected := (*RejectedError)(nil); errors.As(err, &rejected) {
		m.rejected.Store(rejected)
	}

	return err
}

// checkOwner checks the watched owner, because another process may have become the owner
// between findOwner and the start of the watch.
func (m *Member[T]) checkOwner(ctx context.Context) {
	if m.opener.Check == nil {
		return
	}
	if err := m.opener.Check(ctx); err != nil && ctx.Err() == nil && !IsDisconnected(err) {
		m.rejected.Store(&RejectedError{err})
	}
}

// watchOwner takes over when the owner ends, even if nobody makes a request.
func (m *Member[T]) watchOwner(ctx context.Context) {
	for ctx.Err() == nil && m.own.Load() == nil {
		AwaitClose(ctx, m.opener.Dir, func() { m.checkOwner(ctx) })
		if ctx.Err() != nil {
			return
		}

		if err := m.findOwner(ctx); err != nil && ctx.Err() == nil {
			slog.Warn("the program that has the data open has stopped, and this one cannot replace it", "data",
				m.opener.Dir, "error", err)
			if m.rejected.Load() != nil {
				return
			}
			_ = pause(ctx, ownerTimeout)
		}
	}
}

// Close leaves the directory, to the next process if this one owns it.
func (m *Member[T]) Close() error {
	m.stop()
	m.watchers.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	if p := m.own.Load(); p != nil {
		return (*p).Close()
	}

	return nil
}

// IsDisconnected reports whether the owner did not answer a request. Its own answers,
// and those of a service behind it, have no cause here.
func IsDisconnected(err error) bool {
	var broken *disconnectedError
	if errors.As(err, &broken) {
		return true
	}
	var timeout net.Error
	e := api.AsError(err)
	return e.Code == api.Unavailable && e.Err != nil && !(errors.As(e.Err, &timeout) && timeout.Timeout())
}
