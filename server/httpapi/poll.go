package httpapi

import (
	"context"
	"errors"
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
	limit    int64
	now      atomic.Int64
	orgs     *fair.Counter[uuid.UUID]
	keys     *fair.Counter[uuid.UUID]
	once     sync.Once
	draining chan struct{} // closed when the server shuts down

	delayed atomic.Int64 // polls over the limits that wait for their answer
	// What those are answered is made once: there may be many.
	tooManyOfKey, tooManyOfOrg, tooMany error
}

func newLongPolls(cfg *Config) *longPolls {
	const retry = " Retry with wait=0, or later."
	after := api.Details{retryAfter: int64(retryBusy)}

	return &longPolls{
		limit:    int64(cfg.MaxWaiting),
		orgs:     fair.NewCounter[uuid.UUID](cfg.MaxWaitingPerOrg),
		keys:     fair.NewCounter[uuid.UUID](cfg.MaxWaitingPerKey),
		draining: make(chan struct{}),
		tooManyOfKey: api.Fail(api.RateLimited, after,
			"Too many long polls of this key are open (%d)."+retry, cfg.MaxWaitingPerKey),
		tooManyOfOrg: api.Fail(api.RateLimited, after,
			"Too many long polls of this organization are open (%d)."+retry, cfg.MaxWaitingPerOrg),
		tooMany: unavailable(retryBusy, nil, "Too many long polls are open (%d)."+retry, cfg.MaxWaiting),
	}
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

// reject delays a poll over the limits and returns err. Delayed polls are at most half as
// many as open ones, because each keeps a connection from others.
func (w *longPolls) reject(ctx context.Context, x *exchange, err error) error {
	x.leave()
	delay := min(rejectedPollDelay, x.req.Input.(api.Patient).Patience())
	delayAnswer(ctx, &w.delayed, w.limit/2, delay, w.draining)
	return err
}

// delayAnswer waits, so that a client cannot send many requests in turn, unless limit
// requests wait already.
func delayAnswer(ctx context.Context, now *atomic.Int64, limit int64, d time.Duration, draining <-chan struct{}) {
	defer now.Add(-1)
	if now.Add(1) > limit {
		return
	}

	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-draining:
	case <-ctx.Done():
	}
}

// call calls the service.
func (s *server) call(ctx context.Context, x *exchange) (err error) {
	do := s.do
	if isLongPoll(x.req) {
		do = s.wait
	}
	x.res, err = do(ctx, x)

	return err
}

// wait performs a long poll. While it waits, other requests have its turn.
func (s *server) wait(ctx context.Context, x *exchange) (*api.Response, error) {
	w, org, key := s.polls, x.caller.Organization, x.caller.KeyID
	if !w.keys.Add(key) {
		return nil, w.reject(ctx, x, w.tooManyOfKey)
	}

	defer w.keys.Done(key)
	if !w.orgs.Add(org) {
		return nil, w.reject(ctx, x, w.tooManyOfOrg)
	}

	defer w.orgs.Done(org)
	defer w.now.Add(-1)
	if w.now.Add(1) > w.limit {
		return nil, w.tooMany
	}

	x.req.Draining, x.req.BeforeWait = w.draining, x.leave

	return s.do(ctx, x)
}

// do waits for the request's turn, unless it has it, calls the service and explains a timeout.
func (s *server) do(ctx context.Context, x *exchange) (*api.Response, error) {
	if x.turn == nil {
		if err := s.admission.start(ctx, x, 0); err != nil {
			return nil, err
		}
	}

	res, err := s.Service.Do(ctx, x.req)
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) && api.AsError(err).Code == api.InternalError {
		return nil, unavailable(retryBusy, err, "The request timed out. Retry it with the same Idempotency-Key.")
	}

	return res, err
}
