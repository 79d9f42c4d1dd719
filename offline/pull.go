package offline

import (
	"context"
	"errors"
	"slices"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/store"
)

// A pull reads from the service what it has confirmed. It is a step machine
// too: Ask says what to ask next, Told takes the answer.
type pull struct {
	syncer    syncer
	inFlight  *api.Request // the answer is awaited
	tries     int
	notBefore time.Time // nothing is asked before
	// nextCycle is when the next round is, where its pace was set at an instant: a
	// clock that is set back ends the wait.
	nextCycle, dueSetAt time.Time
	syncedAt            time.Time // when the replica was last known to be whole
	holdSends           bool      // nothing is sent for the moment, so that what is read fits together
}

// A syncer is how the replica is read: the feed of Bincard's own service, or the
// documented operations of any other. Each fills a base beside the one that is
// read, puts it in its place when it is whole, and follows from there.
type syncer interface {
	// next is what to ask next; where it is nil, not before the instant, or
	// before something changes.
	next(ctx context.Context) (*api.Request, time.Time, error)
	// handleAnswer takes the answer to it.
	handleAnswer(ctx context.Context, asked *api.Request, res *api.Response) error
	// handleError takes an error in its place, and tells whether it is dealt with:
	// else the same is asked again after a while.
	handleError(ctx context.Context, asked *api.Request, err error) (bool, error)
	// reset gives up what is half read.
	reset()
}

// NextRead is what to ask the service next, nil while an answer is awaited or it is
// not yet time, with the time to come again.
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

// readNotBefore is before when nothing is asked. n.mu is held.
func (n *Node) readNotBefore() time.Time {
	if at := n.readAfter; at.After(n.pull.notBefore) && n.draining {
		return at
	}
	return n.pull.notBefore
}

// ReadDone takes the answer to what Ask asked.
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

// readFailed takes an error: the line is down, the key is not taken, or the way is
// another one than was thought.
func (n *Node) readFailed(ctx context.Context, req *api.Request, asked error) error {
	if dealt, err := n.pull.syncer.handleError(ctx, req, asked); dealt || err != nil {
		return err
	}
	n.delayReads(retryAfter(asked))
	n.queue.ReadDone(n.now(), asked, n.cfg.NotSent == nil || n.cfg.NotSent(asked))
	return nil
}

// delayReads has the next question wait, at least so long.
func (n *Node) delayReads(least time.Duration) {
	p := &n.pull
	p.tries++
	at := n.now().Add(max(least, outbox.Backoff(p.tries, n.cfg.Outbox.Random)))
	if at.After(p.notBefore) {
		p.notBefore = at
	}
}

func newRequest[I, O any](op api.Operation[I, O], in I) *api.Request {
	return &api.Request{Spec: op.Spec, Input: &in}
}

// replicaPosition is how far a base has come; a nil base has not begun.
func (n *Node) replicaPosition(ctx context.Context, base store.Store) (at ledger.ReplicaPosition, err error) {
	if base == nil {
		return at, nil
	}
	return ledger.ReadReplicaPosition(ctx, base, n.partition())
}

func (n *Node) partition() store.Partition {
	return store.Partition{Organization: n.cfg.Caller.Organization, Environment: string(n.cfg.Caller.Environment)}
}

func (n *Node) updateReplica(ctx context.Context, base store.Store, fn func(*ledger.Replica) error) error {
	before, err := n.replicaPosition(ctx, base)
	if err != nil {
		return err
	}
	w := recordingStore{Store: base}
	if err := ledger.UpdateReplica(ctx, &w, n.partition(), fn); err != nil || base != n.cfg.Replicas.Current() {
		return err
	}
	after, err := n.replicaPosition(ctx, base)
	if err != nil {
		return err
	}
	n.rowChanges.add(before.Stamp, after.Stamp, w.rows)
	return nil
}

// abortPull tells of what stops the pull for a while: it is tried again from
// where the base stands.
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

// unconfirmedKeys are the operations that the service has confirmed and the base may
// not have yet.
func (n *Node) unconfirmedKeys() (keys []string) {
	for _, it := range n.queue.Unconfirmed() {
		keys = append(keys, it.Key)
	}
	return keys
}

// swapReplica puts the staged base in the place of the one that is read.
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

// isUnsupported are the errors of a service that does not know what it was asked; not
// those of one that does not know the key.
func isUnsupported(err error) bool {
	return !api.IsWrongOrganization(err) && slices.Contains([]api.Code{api.NotFound, api.NotImplemented, api.MethodNotAllowed}, api.AsError(err).Code)
}
