package local

import (
	"context"
	"errors"
	"time"
)

const (
	// ownerTimeout is how long a process waits for the owner to end, or for the
	// next one to serve the directory.
	ownerTimeout = 15 * time.Second
	// pollInterval is how often it looks.
	pollInterval = 25 * time.Millisecond
)

// A RejectedError reports that this process cannot be a client of the process that
// serves the directory.
type RejectedError struct{ Err error }

func (e *RejectedError) Error() string { return e.Err.Error() }
func (e *RejectedError) Unwrap() error { return e.Err }

// An Opener opens a directory, unless another process serves it.
type Opener[T any] struct {
	Dir string
	// Open makes this process the owner.
	Open func(context.Context) (T, error)
	// IsLocked reports whether an error of Open means that another process has the
	// directory open.
	IsLocked func(error) bool
	// Check checks the process that serves the directory. An error other than a
	// broken connection becomes a *RejectedError. It may be nil.
	Check func(context.Context) error
}

// Find waits until another process serves the directory, or opens it here. owned
// reports whether this process is the owner.
func (o *Opener[T]) Find(ctx context.Context) (own T, owned bool, err error) {
	for deadline := time.Now().Add(ownerTimeout); ; {
		c, err := Connect(ctx, o.Dir)
		if err == nil {
			_ = c.Close() // only a test; each request connects
			if o.Check != nil {
				err = o.Check(ctx)
			}

			switch {
			case err == nil:
				return own, false, nil
			case ctx.Err() != nil:
				return own, false, ctx.Err()
			case !IsDisconnected(err):
				return own, false, &RejectedError{err}
			}
		} else if !errors.Is(err, ErrNotRunning) {
			return own, false, err
		}

		if own, err = o.Open(context.WithoutCancel(ctx)); err == nil {
			return own, true, nil
		}
		if !o.IsLocked(err) || time.Now().After(deadline) {
			return own, false, err
		}
		if err := pause(ctx, pollInterval); err != nil {
			return own, false, err
		}
	}
}

// OpenWithin opens the directory as soon as the process that has it open ends, for as
// long as wait.
func (o *Opener[T]) OpenWithin(ctx context.Context, wait time.Duration) (T, error) {
	for deadline := time.Now().Add(wait); ; {
		own, err := o.Open(ctx)
		if err == nil || !o.IsLocked(err) || time.Now().After(deadline) {
			return own, err
		}
		if err := pause(ctx, pollInterval); err != nil {
			return own, err
		}
	}
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
