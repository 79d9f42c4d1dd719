package offline

import (
	"context"
	"sync"
	"time"

	"bincard/server/api"
)

// Run sends pending operations and reads the service's changes until ctx ends.
func (n *Node) Run(ctx context.Context) {
	var both sync.WaitGroup
	both.Go(func() { n.pushLoop(ctx) })
	both.Go(func() { n.pullLoop(ctx) })
	both.Go(func() { n.probeLoop(ctx) })
	both.Go(func() { n.cacheLoop(ctx) })
	both.Go(func() { n.noteLoop(ctx) })
	both.Wait()
}

// maxIdle is the longest pause before a loop checks for work.
const maxIdle = 30 * time.Second

// pushLoop sends pending operations, as many at once as the window permits.
func (n *Node) pushLoop(ctx context.Context) {
	done := make(chan struct{})
	inFlight := 0
	defer func() {
		for ; inFlight > 0; inFlight-- {
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
			inFlight++
			go func() {
				attempt, end := n.attempt(ctx)
				res, err := n.cfg.Upstream.Do(attempt, p.Req)
				end()
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
			inFlight--
		case <-timer.C:
		}
		timer.Stop()
	}
}

// probeLoop checks the connection: at once when a request failed, every few
// seconds while it is down, and when it was silent.
func (n *Node) probeLoop(ctx context.Context) {
	for {
		change, ok := n.nextChange(ctx)
		if !ok {
			return
		}
		req, timeout, at := n.NextProbe()
		if req != nil {
			probe, cancel := context.WithTimeout(ctx, timeout)
			n.setCancelProbe(cancel)
			err := n.sendProbe(probe, req)
			if err != nil && probe.Err() == context.Canceled && ctx.Err() == nil {
				n.probeCanceled()
			} else {
				n.ProbeDone(err)
			}
			cancel()
			continue
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

// probeRepeat is how long a probe waits for its answer before it is sent again as well.
const probeRepeat = 4 * time.Second

// sendProbe sends a probe, again every probeRepeat, and returns the first result. A probe
// that waits long for a slow service thus does not miss one that came back meanwhile: what
// was sent before that may be lost.
func (n *Node) sendProbe(ctx context.Context, req *api.Request) error {
	ctx, cancel := context.WithCancel(ctx)
	results, returned := make(chan error), make(chan struct{})
	var sent sync.WaitGroup
	defer sent.Wait()
	defer close(returned)
	defer cancel()
	repeat := time.NewTicker(probeRepeat)
	defer repeat.Stop()
	for {
		sent.Go(func() {
			_, err := n.cfg.Upstream.Do(ctx, req)
			select {
			case results <- err:
			case <-returned:
			}
		})
		select {
		case err := <-results:
			return err
		case <-repeat.C:
		}
	}
}

// pullLoop reads the service's changes and waits there for new ones.
func (n *Node) pullLoop(ctx context.Context) {
	for {
		change, ok := n.nextChange(ctx)
		if !ok {
			return
		}
		req, at, err := n.NextRead(ctx)
		if req != nil {
			attempt, end := n.attempt(ctx)
			res, asked := n.cfg.Upstream.Do(attempt, req)
			end()
			if err = n.ReadDone(ctx, res, asked); err == nil {
				continue
			}
		}
		if ctx.Err() != nil { // the read may have failed because of that
			return
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

// RepairMirror brings the second copy of the journal up to date if it is not.
func (n *Node) RepairMirror() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.closed {
		n.queue.RepairMirror()
	}
}

// tryDisk ends the alarm about the disk once it can be written again.
func (n *Node) tryDisk() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.closed && n.queue.TryDisk() {
		n.notify()
	}
}

// cacheLoop writes the prediction cache when it has grown, now and then when the
// replica has changed, and at the end. It also tries to bring
// the mirror up to date, and to write to a disk that failed.
func (n *Node) cacheLoop(ctx context.Context) {
	tick := time.NewTicker(cacheInterval)
	defer tick.Stop()
	more := true
	for i := time.Duration(1); more; i++ {
		fresh, newRevision := n.cacheGrowth(), i%(maxIdle/cacheInterval) == 0
		select {
		case <-ctx.Done():
			more, fresh, newRevision = false, 1, true
		case <-tick.C:
			n.RepairMirror()
			n.tryDisk()
		}
		if err := n.saveCache(fresh, newRevision); err != nil {
			n.cfg.Log.Warn("cannot save the prediction cache; it is rebuilt at the next start", "error", err)
		}
	}
}

// nextChange returns a channel that is closed at the next change; ok is false
// once the node is closed.
func (n *Node) nextChange(ctx context.Context) (<-chan struct{}, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.saveSyncedAt(time.Minute)
	return n.changed, !n.closed && ctx.Err() == nil
}

// waitUntil returns the time until at, at most maxIdle.
func (n *Node) waitUntil(at time.Time) time.Duration {
	if at.IsZero() {
		return maxIdle
	}
	return min(maxIdle, max(0, at.Sub(n.now())))
}
