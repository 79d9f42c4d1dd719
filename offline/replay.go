package offline

import (
	"context"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// replayTimeout is how long the node waits for a response that only the service has. The
// node's own clients wait longer, so that they get an answer.
const replayTimeout = 8 * time.Second

// replayUpstream returns the service's response to a write whose key was used there. It
// returns unavailable if the service is known not to answer.
func (n *Node) replayUpstream(ctx context.Context, req *api.Request, unavailable error) (*api.Response, error) {
	if n.keyExpired(req.IdempotencyKey) {
		return nil, api.Fail(api.Unavailable, nil, "This was already done, but the service no longer has the response.")
	}
	if !n.online() {
		return nil, unavailable
	}
	sent, start := n.sentRequest(req), n.now()
	ctx, cancel := context.WithTimeout(ctx, replayTimeout)
	defer cancel()
	res, err := n.cfg.Upstream.Do(ctx, sent)
	switch outbox.Classify(err, n.notSent(err)) {
	case outbox.NotSent, outbox.Unanswered, outbox.Foreign:
		n.requestFailed(start, err)
	}
	return res, err
}

// requestFailed records that a request got no answer, so that the connection is checked.
func (n *Node) requestFailed(sentAt time.Time, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.closed {
		n.queue.ReadDone(n.now(), sentAt, err, n.notSent(err))
		n.notify()
	}
}

// sentRequest returns the request to send to the service: as saved in the queue, or
// as given if it is not there. It says which node sends it, so that the service does not
// take it for the equal work of another one.
func (n *Node) sentRequest(req *api.Request) *api.Request {
	n.mu.Lock()
	defer n.mu.Unlock()
	if op := n.queue.Operation(req.IdempotencyKey); op != nil {
		if sent, err := n.queue.Outgoing(op, n.now()); err == nil {
			return sent
		}
	}
	upstream := *req
	upstream.Caller, upstream.Client, upstream.ClientNumber = nil, api.ID{}, 0
	if !n.replicas.Polled() {
		number, _ := n.queue.NextSeq(time.Time{})
		upstream.Client, upstream.ClientNumber = n.queue.Header.Client, int64(number)
	}
	return &upstream
}
