package offline

import (
	"context"
	"errors"
	"slices"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger/replica"
	"bincard/server/store"
)

// A pull is the state of reading what the service has confirmed: NextRead
// returns the next request, ReadDone takes its answer.
type pull struct {
	syncer    syncer
	inFlight  *api.Request // waiting for its answer
	tries     int
	notBefore time.Time // no request before
	// nextCycle is when the next cycle begins, as computed at dueSetAt: a
	// clock that is set back before dueSetAt ends the wait.
	nextCycle, dueSetAt time.Time
	syncedAt            time.Time // when the replica was last known to match the service
	holdSends           bool      // nothing is sent during a cycle, so that its reads are consistent
}

// A syncer fills and follows the replica: by the change feed of Bincard's own
// service, or by the documented operations of any other. It fills a staged
// replica, makes it the current one when it is complete, and updates it from
// then on.
type syncer interface {
	// next returns the next request. If it is nil, call next again at the
	// given time or after a change.
	next(ctx context.Context) (*api.Request, time.Time, error)
	// handleAnswer takes the answer.
	handleAnswer(ctx context.Context, asked *api.Request, res *api.Response) error
	// handleError takes an error and reports whether it handled it; otherwise
	// the same request is repeated later.
	handleError(ctx context.Context, asked *api.Request, err error) (bool, error)
	// reset discards what is only partly read.
	reset()
}

// NextRead returns the next request for the service, with the time to call
// again. The request is nil while an answer is pending or nothing is due.
func (n *Node) NextRead(ctx context.Context) (*api.Request, time.Time, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	p := &n.pull
	if n.closed || p.inFlight != nil {
		return nil, time.Time{}, nil
	}
	now := n.now()
	if at := n.readNotBefore(); outbox.PauseActive(now, at) {
		return nil, at, nil
	}
	if p.nextCycle.After(now) && !now.Before(p.dueSetAt) {
		return nil, p.nextCycle, nil
	}
	req, at, err := p.syncer.next(ctx)
	if err == nil {
		p.inFlight = req
	}
	return p.inFlight, at, err
}

// readNotBefore returns the time before which nothing is read. n.mu is held.
func (n *Node) readNotBefore() time.Time {
	if at := n.readAfter; at.After(n.pull.notBefore) && n.draining {
		return at
	}
	return n.pull.notBefore
}

// ReadDone takes the answer to the request that NextRead returned.
func (n *Node) ReadDone(ctx context.Context, res *api.Response, asked error) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	p := &n.pull
	req := p.inFlight
	if n.closed || req == nil {
		return nil
	}
	p.inFlight = nil
	defer n.notify()
	if asked != nil {
		return n.readFailed(ctx, req, asked)
	}
	n.queue.ReadDone(n.now(), nil, false)
	p.tries, p.notBefore = 0, time.Time{}
	return p.syncer.handleAnswer(ctx, req, res)
}

// readFailed handles an error: there is no connection, the key is denied, or
// the service needs another syncer.
func (n *Node) readFailed(ctx context.Context, req *api.Request, asked error) error {
	if handled, err := n.pull.syncer.handleError(ctx, req, asked); handled || err != nil {
		return err
	}
	n.delayReads(retryAfter(asked))
	n.queue.ReadDone(n.now(), asked, n.cfg.NotSent == nil || n.cfg.NotSent(asked))
	return nil
}

// delayReads backs off, by at least the given time.
func (n *Node) delayReads(atLeast time.Duration) {
	p := &n.pull
	p.tries++
	at := n.now().Add(max(atLeast, outbox.Backoff(p.tries, n.cfg.Outbox.Random)))
	if at.After(p.notBefore) {
		p.notBefore = at
	}
}

func newRequest[I, O any](op api.Operation[I, O], in I) *api.Request {
	return &api.Request{Spec: op.Spec, Input: &in}
}

// replicaPosition returns how far a replica is filled, zero if it is nil.
func (n *Node) replicaPosition(ctx context.Context, target store.Store) (at replica.Position, err error) {
	if target == nil {
		return at, nil
	}
	return replica.ReadPosition(ctx, target, n.partition())
}

func (n *Node) partition() store.Partition {
	return store.Partition{Organization: n.cfg.Caller.Organization, Environment: string(n.cfg.Caller.Environment)}
}

func (n *Node) updateReplica(ctx context.Context, target store.Store, fn func(*replica.Tx) error) error {
	before, err := n.replicaPosition(ctx, target)
	if err != nil {
		return err
	}
	w := recordingStore{Store: target}
	if err := replica.Update(ctx, &w, n.partition(), fn); err != nil || target != n.cfg.Replicas.Current() {
		return err
	}
	after, err := n.replicaPosition(ctx, target)
	if err != nil {
		return err
	}
	n.rowChanges.add(before.Stamp, after.Stamp, w.rows)
	return nil
}

// abortPull stops reading for a while after an error. It resumes from the
// replica's position.
func (n *Node) abortPull(err error) error {
	if err == nil {
		return nil
	}
	n.delayReads(0)
	if n.pull.syncer != nil {
		n.pull.syncer.reset()
	}
	return errors.Join(errors.New("cannot merge the service's changes"), err)
}

// unconfirmedKeys returns the keys of the operations that the service has
// confirmed and the replica may not contain yet.
func (n *Node) unconfirmedKeys() (keys []string) {
	for _, op := range n.queue.Unconfirmed() {
		keys = append(keys, op.Key)
	}
	return keys
}

// swapReplica makes the staged replica the current one.
func (n *Node) swapReplica() (done func(), err error) {
	release, err := n.cfg.Replicas.Swap()
	if err != nil {
		return nil, err
	}
	return func() {
		if err := release(); err != nil {
			n.cfg.Log.Warn("cannot remove the old replica", "error", err)
		}
	}, nil
}

// isUnsupported reports whether the service does not support what it was
// asked. A key that the service does not know is another matter.
func isUnsupported(err error) bool {
	return !api.IsWrongOrganization(err) && slices.Contains([]api.Code{api.NotFound, api.NotImplemented, api.MethodNotAllowed}, api.AsError(err).Code)
}
