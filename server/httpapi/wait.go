package httpapi

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"bincard/server/api"
)

// defaultWaiting bounds the requests that wait for something to happen: they
// cost a connection and little else, so there may be more of them than of those
// at work.
const defaultWaiting = 4096

// waitCounter keeps count of the requests that wait.
type waitCounter struct {
	now      atomic.Int64
	once     sync.Once
	draining chan struct{} // closed when the service ends
}

// isLongPoll tells whether the caller is ready to wait for the answer.
func isLongPoll(req *api.Request) bool {
	p, ok := req.Input.(api.Patient)
	return ok && p.Patience() > 0
}

// wait performs a request that may wait. It takes no place among those at work.
func (s *server) wait(ctx context.Context, req *api.Request) (*api.Response, error) {
	defer s.waiting.now.Add(-1)
	if s.waiting.now.Add(1) > int64(s.MaxWaiting) {
		return nil, unavailable(retryBusy, nil, "Too many long polls are open (%d). Retry with wait=0, or later.", s.MaxWaiting)
	}
	req.Draining = s.waiting.draining
	return s.do(ctx, req)
}

// Drain makes what waits for something to happen answer at once, so that the
// server can end without waiting for it. Serve calls it.
func (s *server) Drain() { s.waiting.once.Do(func() { close(s.waiting.draining) }) }

// A drainer is a handler that can be told that the server ends.
type drainer interface{ Drain() }

// clockOf is the clock for rates; time.Now where none is given.
func clockOf(now func() time.Time) func() time.Time {
	if now == nil {
		return time.Now
	}
	return now
}
