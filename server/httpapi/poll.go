package httpapi

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/server/httpapi/fair"
)

// The most open long polls. One costs little more than a connection, of which
// they must leave most to other requests.
const (
	defaultWaiting       = 2048
	defaultWaitingPerOrg = 256
	defaultWaitingPerKey = 64
)

// longPolls limits the open long polls.
type longPolls struct {
	limit    int
	now      atomic.Int64
	orgs     *fair.Counter[uuid.UUID]
	keys     *fair.Counter[uuid.UUID]
	once     sync.Once
	draining chan struct{} // closed when the server shuts down
}

func newLongPolls(cfg *Config) *longPolls {
	return &longPolls{limit: cfg.MaxWaiting, orgs: fair.NewCounter[uuid.UUID](cfg.MaxWaitingPerOrg),
		keys: fair.NewCounter[uuid.UUID](cfg.MaxWaitingPerKey), draining: make(chan struct{})}
}

// isLongPoll reports whether the client permits a delayed answer.
func isLongPoll(req *api.Request) bool {
	p, ok := req.Input.(api.Patient)
	return ok && p.Patience() > 0
}

// rejectedPollDelay is how long a poll over the limits waits for its answer, if its client
// accepts that: rejecting it at once would let clients that repeat it at once use more of
// the processor than polls that wait.
const rejectedPollDelay = 2 * time.Second

// delay waits before a poll is rejected. Meanwhile other requests have its turn.
func (w *longPolls) delay(ctx context.Context, x *exchange, req *api.Request) {
	x.leave()
	timer := time.NewTimer(min(rejectedPollDelay, req.Input.(api.Patient).Patience()))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-w.draining:
	case <-ctx.Done():
	}
}

// wait performs a long poll. While it waits, other requests have its turn.
func (s *server) wait(ctx context.Context, x *exchange, req *api.Request) (*api.Response, error) {
	w, org, key := s.polls, x.caller.Organization, x.caller.KeyID
	const retry = "Retry with wait=0, or later."
	tooMany := func(format string, limit int) error {
		w.delay(ctx, x, req)
		return api.Fail(api.RateLimited, api.Details{retryAfter: int64(retryBusy)}, format+" "+retry, limit)
	}
	if !w.keys.Add(key) {
		return nil, tooMany("Too many long polls of this key are open (%d).", s.MaxWaitingPerKey)
	}
	defer w.keys.Done(key)
	if !w.orgs.Add(org) {
		return nil, tooMany("Too many long polls of this organization are open (%d).", s.MaxWaitingPerOrg)
	}
	defer w.orgs.Done(org)
	defer w.now.Add(-1)
	if w.now.Add(1) > int64(w.limit) {
		return nil, unavailable(retryBusy, nil, "Too many long polls are open (%d). "+retry, w.limit)
	}
	req.Draining, req.BeforeWait = w.draining, x.leave
	return s.do(ctx, req)
}
