package offline

import (
	"context"
	"sync"
	"time"

	"bincard/offline/outbox"
	"bincard/offline/syncer"
	"bincard/server/api"
)

// NextProbe returns the request to check the connection with now, and its
// timeout, or else when to ask again. Report its result with ProbeDone.
func (n *Node) NextProbe() (req *api.Request, timeout time.Duration, at time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed || n.replicas.Polled() && !n.queue.NeedsProbe() { // no heartbeat: it costs quota
		return nil, 0, time.Time{}
	}
	if timeout, at = n.queue.NextProbe(n.now()); timeout == 0 {
		return nil, 0, at
	}
	if n.replicas.Polled() {
		one := int64(1)
		return syncer.NewRequest(api.ListInbounds, api.ListInboundsInput{Page: api.Page{Limit: &one}}), timeout, at
	}
	n.probedDoubts = n.queue.HistoryDoubts()
	if req := n.historyProbe(); req != nil {
		return req, timeout, at
	}
	return syncer.NewRequest(api.GetCapabilities, api.CapabilitiesInput{}), timeout, at
}

// historyProbe returns a probe that also finds out whether the service still has the last
// known change, so that work can be sent at once when it is answered. It is nil if none is
// known. n.mu is held.
func (n *Node) historyProbe() *api.Request {
	last, epoch := n.queue.ConfirmedAt, n.queue.Epoch
	at, err := n.replicas.Position(context.Background(), n.replicas.Current())
	if epoch == "" && err == nil && at.Complete { // the next operation is saved with it
		epoch = at.Epoch
	}
	if err == nil && at.Complete && at.Epoch == epoch && at.Seq >= last.Seq {
		last = outbox.Position{Seq: at.Seq, Hash: at.Hash}
	}
	if epoch == "" {
		return nil
	}
	one, none := int64(1), int64(0)
	return syncer.NewRequest(api.ListChanges, api.ListChangesInput{After: &last.Seq, Hash: last.Hash, Epoch: epoch, Limit: &one, Wait: &none})
}

// ProbeDone takes the result of a probe.
func (n *Node) ProbeDone(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return
	}
	if err == nil {
		n.queue.HistoryKnown(n.probedDoubts)
	}
	if n.replicas.Current() == nil && syncer.MayLack(err) {
		err = nil // a service with the documented operations, which a probe cannot tell yet
	}
	if n.queue.ProbeDone(n.now(), err, n.notSent(err), n.replicas.Polled()) {
		n.pull.tries, n.pull.notBefore, n.pull.local.NextCycle = 0, time.Time{}, time.Time{}
		n.attempts.abandon()
	}
	n.notify()
}

// NetworkChanged checks a connection that is down or in doubt at once: an address or a
// route of this machine has changed. A probe that was sent before may wait for an answer
// that cannot arrive.
func (n *Node) NetworkChanged() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed || !n.queue.NeedsProbe() {
		return
	}
	n.queue.ProbeNow()
	if n.cancelProbe != nil {
		n.cancelProbe()
	}
	n.notify()
}

// setCancelProbe sets what cancels the probe that is about to be sent.
func (n *Node) setCancelProbe(cancel context.CancelFunc) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cancelProbe = cancel
}

// probeCanceled notes that NetworkChanged canceled the probe, which says nothing about
// the connection.
func (n *Node) probeCanceled() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cancelProbe = nil
	n.queue.ProbeCanceled()
}

// attempts are the requests in progress. Those that were sent before the
// connection broke would wait for an answer until they time out.
type attempts struct {
	mu      sync.Mutex
	cancels map[*context.CancelFunc]bool
}

// attempt returns the context of a request.
func (n *Node) attempt(ctx context.Context) (attempt context.Context, end func()) {
	attempt, cancel := context.WithCancel(ctx)
	a := &n.attempts
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.cancels == nil {
		a.cancels = map[*context.CancelFunc]bool{}
	}
	a.cancels[&cancel] = true
	return attempt, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.cancels, &cancel)
		cancel()
	}
}

// abandon cancels all requests in progress.
func (a *attempts) abandon() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for cancel := range a.cancels {
		(*cancel)()
	}
}
