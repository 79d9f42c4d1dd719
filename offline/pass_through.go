package offline

import (
	"context"
	"maps"
	"time"

	"bincard/offline/outbox"
	"bincard/offline/syncer"
	"bincard/server/api"
)

// A passThrough sends writes on to the service at once: those that refer to what the local
// data lacks, and those whose response only the service has. It locks the state's mu for
// its keys and never while it waits for the service.
type passThrough struct {
	*state
	keys map[string]time.Time // of writes that were sent on, with the time
}

// forward sends a write on, which is then never saved here.
func (s *passThrough) forward(ctx context.Context, req *api.Request) (*api.Response, error) {
	s.mu.Lock()
	now := s.now()
	maps.DeleteFunc(s.keys, func(_ string, at time.Time) bool { return now.Sub(at) >= syncer.KeyLifetime })
	if _, again := s.keys[req.IdempotencyKey]; !again {
		s.keys[req.IdempotencyKey] = now
	}
	s.mu.Unlock()
	return s.cfg.Upstream.Do(ctx, s.sentRequest(req))
}

// forwarded reports whether a write with the key was sent on.
func (s *passThrough) forwarded(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.keys[key]
	return ok && s.now().Sub(at) < syncer.KeyLifetime
}

// replayTimeout is how long the node waits for a response that only the service has. The
// node's own clients wait longer, so that they get an answer.
const replayTimeout = 8 * time.Second

// replayUpstream returns the service's response to a write whose key was used there. It
// returns unavailable if the service is known not to answer.
func (s *passThrough) replayUpstream(ctx context.Context, req *api.Request, unavailable error) (*api.Response, error) {
	if s.source().keyExpired(s.Operation(req.IdempotencyKey)) {
		return nil, api.Fail(api.Unavailable, nil, "This was already done, but the service no longer has the response.")
	}
	if !s.online() {
		return nil, unavailable
	}

	sent, start := s.sentRequest(req), s.now()
	ctx, cancel := context.WithTimeout(ctx, replayTimeout)
	defer cancel()
	res, err := s.cfg.Upstream.Do(ctx, sent)
	switch outbox.Classify(err, s.notSent(err)) {
	case outbox.NotSent, outbox.Unanswered, outbox.Foreign:
		s.requestFailed(start, err)
	}

	return res, err
}

// requestFailed records that a request got no answer, so that the connection is checked.
func (s *passThrough) requestFailed(sentAt time.Time, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.queue.ReadDone(s.now(), sentAt, err, s.notSent(err))
		s.notify()
	}
}

// sentRequest returns the request to send to the service: as saved in the queue, or
// as given if it is not there.
func (s *passThrough) sentRequest(req *api.Request) *api.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	if op := s.queue.Operation(req.IdempotencyKey); op != nil {
		if sent, err := s.queue.Outgoing(op, s.now()); err == nil {
			return sent
		}
	}

	upstream := *req
	upstream.Caller, upstream.Client, upstream.ClientNumber = nil, api.NoID, 0
	s.source().identify(&upstream)

	return &upstream
}
