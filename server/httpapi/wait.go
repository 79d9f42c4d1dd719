package httpapi

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"bincard/server/api"
)

// defaultWaiting limits the open long polls. One costs little more than a
// connection, so there may be more of them than operations in progress.
const defaultWaiting = 4096

// A waitCounter counts the open long polls.
type waitCounter struct {
	now      atomic.Int64
	once     sync.Once
	draining chan struct{} // closed when the server shuts down
}

// isLongPoll reports whether the client permits a delayed answer.
func isLongPoll(req *api.Request) bool {
	p, ok := req.Input.(api.Patient)
	return ok && p.Patience() > 0
}

// wait performs a long poll. It does not count against MaxConcurrent.
func (s *server) wait(ctx context.Context, req *api.Request) (*api.Response, error) {
	defer s.waiting.now.Add(-1)
	if s.waiting.now.Add(1) > int64(s.MaxWaiting) {
		return nil, unavailable(retryBusy, nil, "Too many long polls are open (%d). Retry with wait=0, or later.", s.MaxWaiting)
	}
	req.Draining = s.waiting.draining
	return s.do(ctx, req)
}

// Drain makes all long polls return at once, so that the server can shut down.
// Serve calls it.
func (s *server) Drain() { s.waiting.once.Do(func() { close(s.waiting.draining) }) }

// A drainer is a handler that is notified when the server shuts down.
type drainer interface{ Drain() }

// clockOf returns now, or time.Now if it is nil.
func clockOf(now func() time.Time) func() time.Time {
	if now == nil {
		return time.Now
	}
	return now
}
