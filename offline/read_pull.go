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

// A puller reads what the service has confirmed into the replica, with a syncer. NextRead
// returns the next request, ReadDone takes its answer. Both hold mu while the syncer works
// and the view is rebuilt, and nothing holds it while the request is under way.
type puller struct {
	*state
	syncer    syncer.Syncer
	inFlight  *api.Request // waiting for its answer
	sentAt    time.Time    // when it was sent
	tries     int
	notBefore time.Time // no request before
	readAfter time.Time // while draining, nothing is read before
	attempts  attempts
}

// readPauseFactor is how many times as long as applying an answer took, disk
// writes included, reading pauses after it while operations are being sent:
// nothing is sent meanwhile, and the next answer then contains more at once.
const readPauseFactor = 4

// NextRead returns the next request for the service, with the time to call
// again. The request is nil while an answer is pending or nothing is due.
func (p *puller) NextRead(ctx context.Context) (*api.Request, time.Time, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.inFlight != nil || p.queue.NeedsProbe() {
		return nil, time.Time{}, nil
	}

	now := p.now()
	if at := p.readNotBefore(); outbox.PauseActive(now, at) {
		return nil, at, nil
	}
	if l := p.local; l.NextCycle.After(now) && !now.Before(l.CycleSetAt) {
		return nil, l.NextCycle, nil
	}

	held := p.local.HoldSends
	req, at, err := p.syncer.Next(ctx)
	if err == nil {
		p.inFlight, p.sentAt = req, now
		p.addReport(req)
	}

	err = p.finishRead(ctx, err)
	if held && !p.local.HoldSends {
		p.notify()
	}

	return p.inFlight, at, err
}

// readNotBefore returns the time before which nothing is read. mu is held.
func (p *puller) readNotBefore() time.Time {
	if at := p.readAfter; at.After(p.notBefore) && p.draining {
		return at
	}
	return p.notBefore
}

// ReadDone takes the answer to the request that NextRead returned.
func (p *puller) ReadDone(ctx context.Context, res *api.Response, asked error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	req := p.inFlight
	if p.closed || req == nil {
		return nil
	}

	p.inFlight = nil
	defer p.notify()
	start := p.now()
	defer func() {
		now := p.now()
		p.readAfter = now.Add(readPauseFactor * now.Sub(start))
	}()
	if asked != nil {
		return p.readFailed(ctx, req, asked)
	}

	p.queue.ReadDone(p.now(), p.sentAt, nil, false)
	p.lease.update(req.Node, res, p.queue.Header.Client)
	p.tries, p.notBefore = 0, time.Time{}

	return p.finishRead(ctx, p.syncer.HandleAnswer(ctx, req, res))
}

// readFailed handles an error: there is no connection, the key is denied, or
// the service has changed.
func (p *puller) readFailed(ctx context.Context, req *api.Request, asked error) error {
	outcome, err := p.syncer.HandleError(ctx, req, asked)
	err = p.finishRead(ctx, err)
	if outcome == syncer.Handled || err != nil {
		return err
	}
	p.delayReads(outbox.RetryAfter(asked))
	p.queue.ReadDone(p.now(), p.sentAt, asked, p.notSent(asked))
	return nil
}

// finishRead does what the syncer left to the node, and returns its error.
func (p *puller) finishRead(ctx context.Context, err error) error {
	if errors.As(err, new(*syncer.MergeError)) {
		p.delayReads(0)
		p.syncer.Reset()
	}
	if p.local.Outdated || err != nil { // after an error the replica may have changed
		p.stale.Store(true)
	}
	if p.local.Rebuild {
		err = errors.Join(err, p.rebuild(ctx))
	}

	p.local.Outdated, p.local.Rebuild = false, false
	p.replicas.Release()

	return err
}

// delayReads backs off, by at least the given time.
func (p *puller) delayReads(atLeast time.Duration) {
	p.tries++
	at := p.now().Add(max(atLeast, p.queue.Backoff(p.tries)))
	if at.After(p.notBefore) {
		p.notBefore = at
	}
}

// endPause ends the pause of reads. mu is held.
func (p *puller) endPause() {
	p.tries, p.notBefore, p.local.NextCycle = 0, time.Time{}, time.Time{}
}

// UpdateRules saves the organization's rules from what the service says about
// the key. Between two such answers the local rules may be outdated; an
// operation that the service then rejects is handled like any rejection.
func (p *puller) UpdateRules(ctx context.Context, a *api.Access) {
	if a.Organization.ID != p.cfg.Caller.Organization || a.Environment != p.cfg.Caller.Environment {
		return
	}

	p.mu.Lock()
	defer p.mu.Unlock()
	target := p.replicas.Current()
	if p.closed || target == nil {
		return
	}

	err := p.replicas.Update(ctx, target, func(r *replica.Tx) error { return r.Rules(a.Rules) })
	if err != nil && ctx.Err() == nil {
		p.cfg.Log.Warn("cannot save the organization's rules", "error", err)
	}
}

// pullLoop reads the service's changes and waits there for new ones.
func (p *puller) pullLoop(ctx context.Context) {
	for {
		change, ok := p.nextChange(ctx)
		if !ok {
			return
		}

		req, at, err := p.NextRead(ctx)
		if req != nil {
			res, asked := p.attempts.do(ctx, p.cfg.Upstream, req)
			err = p.ReadDone(ctx, res, asked)
			if err == nil {
				continue
			}
		}

		if ctx.Err() != nil { // the read may have failed because of that
			return
		}
		if err != nil {
			p.cfg.Log.Error("cannot read the service's changes", "error", err)
			at = p.now().Add(maxIdle)
		}

		p.wait(ctx, change, at)
	}
}
