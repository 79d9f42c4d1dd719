package offline

import (
	"context"
	"errors"
	"time"

	"bincard/offline/outbox"
	"bincard/offline/syncer"
	"bincard/server/api"
	"bincard/server/ledger/replica"
)

// A pull is the state of reading what the service has confirmed: NextRead
// returns the next request, ReadDone takes its answer.
type pull struct {
	syncer    syncer.Syncer
	local     *syncer.Local
	inFlight  *api.Request // waiting for its answer
	sentAt    time.Time    // when it was sent
	tries     int
	notBefore time.Time // no request before
}

// readPauseFactor is how many times as long as applying an answer took, disk
// writes included, reading pauses after it while operations are being sent:
// nothing is sent meanwhile, and the next answer then contains more at once.
const readPauseFactor = 4

// NextRead returns the next request for the service, with the time to call
// again. The request is nil while an answer is pending or nothing is due.
func (n *Node) NextRead(ctx context.Context) (*api.Request, time.Time, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	p := &n.pull
	if n.closed || p.inFlight != nil || n.queue.NeedsProbe() {
		return nil, time.Time{}, nil
	}
	now := n.now()
	if at := n.readNotBefore(); outbox.PauseActive(now, at) {
		return nil, at, nil
	}
	if l := p.local; l.NextCycle.After(now) && !now.Before(l.CycleSetAt) {
		return nil, l.NextCycle, nil
	}
	held := p.local.HoldSends
	req, at, err := p.syncer.Next(ctx)
	if err == nil {
		p.inFlight, p.sentAt = req, now
		n.addReport(req)
	}
	err = n.finishRead(ctx, err)
	if held && !p.local.HoldSends {
		n.notify()
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
	start := n.now()
	defer func() {
		now := n.now()
		n.readAfter = now.Add(readPauseFactor * now.Sub(start))
	}()
	if asked != nil {
		return n.readFailed(ctx, req, asked)
	}
	n.queue.ReadDone(n.now(), p.sentAt, nil, false)
	n.lease.update(req.Node, res, n.queue.Header.Client)
	p.tries, p.notBefore = 0, time.Time{}
	return n.finishRead(ctx, p.syncer.HandleAnswer(ctx, req, res))
}

// readFailed handles an error: there is no connection, the key is denied, or
// the service has changed.
func (n *Node) readFailed(ctx context.Context, req *api.Request, asked error) error {
	outcome, err := n.pull.syncer.HandleError(ctx, req, asked)
	if err = n.finishRead(ctx, err); outcome == syncer.Handled || err != nil {
		return err
	}
	n.delayReads(outbox.RetryAfter(asked))
	n.queue.ReadDone(n.now(), n.pull.sentAt, asked, n.notSent(asked))
	return nil
}

// finishRead does what the syncer left to the node, and returns its error.
func (n *Node) finishRead(ctx context.Context, err error) error {
	p := &n.pull
	if errors.As(err, new(*syncer.MergeError)) {
		n.delayReads(0)
		p.syncer.Reset()
	}
	if p.local.Outdated || err != nil { // after an error the replica may have changed
		n.stale.Store(true)
	}
	if p.local.Rebuild {
		err = errors.Join(err, n.rebuild(ctx))
	}
	p.local.Outdated, p.local.Rebuild = false, false
	n.replicas.Release()
	return err
}

// delayReads backs off, by at least the given time.
func (n *Node) delayReads(atLeast time.Duration) {
	p := &n.pull
	p.tries++
	at := n.now().Add(max(atLeast, n.queue.Backoff(p.tries)))
	if at.After(p.notBefore) {
		p.notBefore = at
	}
}

// UpdateRules saves the organization's rules from what the service says about
// the key. Between two such answers the local rules may be outdated; an
// operation that the service then rejects is handled like any rejection.
func (n *Node) UpdateRules(ctx context.Context, a *api.Access) {
	if a.Organization.ID != n.cfg.Caller.Organization || a.Environment != n.cfg.Caller.Environment {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	target := n.replicas.Current()
	if n.closed || target == nil {
		return
	}
	if err := n.replicas.Update(ctx, target, func(r *replica.Tx) error { return r.Rules(a.Rules) }); err != nil && ctx.Err() == nil {
		n.cfg.Log.Warn("cannot save the organization's rules", "error", err)
	}
}
