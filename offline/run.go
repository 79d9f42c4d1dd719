package offline

import (
	"context"
	"sync"
	"time"
)

// Run sends what waits and reads what the service has, until ctx ends.
func (n *Node) Run(ctx context.Context) {
	var both sync.WaitGroup
	both.Go(func() { n.pushLoop(ctx) })
	both.Go(func() { n.pullLoop(ctx) })
	both.Go(func() { n.cacheLoop(ctx) })
	both.Wait()
}

// maxIdle is how long the node goes without looking whether there is anything to do.
const maxIdle = 30 * time.Second

// pushLoop sends what waits, as many at once as may be.
func (n *Node) pushLoop(ctx context.Context) {
	done := make(chan struct{})
	flying := 0
	defer func() {
		for ; flying > 0; flying-- {
			<-done
		}
	}()
	for {
		change, ok := n.nextChange(ctx)
		if !ok {
			return
		}
		s, err := n.NextBatch()
		if err != nil {
			n.cfg.Log.Error("cannot send pending operations", "error", err)
			s.WakeAt = n.now().Add(maxIdle)
		}
		for _, p := range s.Requests {
			flying++
			go func() {
				res, err := n.cfg.Upstream.Do(ctx, p.Req)
				if err := n.SendDone(p.Key, res, err); err != nil {
					n.cfg.Log.Error("cannot save an answer; requesting it again", "key", p.Key, "error", err)
				}
				done <- struct{}{}
			}()
		}
		timer := time.NewTimer(n.waitUntil(s.WakeAt))
		select {
		case <-ctx.Done():
		case <-change:
		case <-done:
			flying--
		case <-timer.C:
		}
		timer.Stop()
	}
}

// pullLoop reads what the service has, and waits there for what is new.
func (n *Node) pullLoop(ctx context.Context) {
	for {
		change, ok := n.nextChange(ctx)
		if !ok {
			return
		}
		req, at, err := n.NextRead(ctx)
		if req != nil {
			res, asked := n.cfg.Upstream.Do(ctx, req)
			if err = n.ReadDone(ctx, res, asked); err == nil {
				continue
			}
		}
		if err != nil {
			n.cfg.Log.Error("cannot read the service's changes", "error", err)
			at = n.now().Add(maxIdle)
		}
		timer := time.NewTimer(n.waitUntil(at))
		select {
		case <-ctx.Done():
		case <-change:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// cacheLoop writes down what shows when it has become more, and at the end.
func (n *Node) cacheLoop(ctx context.Context) {
	tick := time.NewTicker(maxIdle)
	defer tick.Stop()
	for more := true; more; {
		least := n.cfg.CacheMin
		select {
		case <-ctx.Done():
			more, least = false, 1
		case <-tick.C:
		}
		steps, stamp := n.cacheable(least)
		if len(steps) == 0 {
			continue
		}
		if err := n.writeCache(steps, stamp); err != nil {
			n.cfg.Log.Warn("cannot save the prediction cache; it is rebuilt at the next start", "error", err)
		}
	}
}

// nextChange is what tells of the next change; false where the node has ended.
func (n *Node) nextChange(ctx context.Context) (<-chan struct{}, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.saveSyncedAt(time.Minute)
	return n.changed, !n.closed && ctx.Err() == nil
}

// waitUntil is how long it is until an instant, or until it is time to look again.
func (n *Node) waitUntil(at time.Time) time.Duration {
	if at.IsZero() {
		return maxIdle
	}
	return min(maxIdle, max(0, at.Sub(n.now())))
}
