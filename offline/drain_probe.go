package offline

import (
	"context"
	"sync"
	"time"

	"bincard/offline/syncer"
	"bincard/server/api"
)

// NextProbe returns the request to check the connection with now, and its
// timeout, or else when to ask again. Report its result with ProbeDone.
func (d *drainer) NextProbe() (req *api.Request, timeout time.Duration, at time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	service := d.source()
	if d.closed || service.metered() && !d.queue.NeedsProbe() { // no heartbeat: it costs quota
		return nil, 0, time.Time{}
	}

	timeout, at = d.queue.NextProbe(d.now())
	if timeout == 0 {
		return nil, 0, at
	}

	req, d.probedDoubts = service.probe()

	return req, timeout, at
}

// ProbeDone takes the result of a probe.
func (d *drainer) ProbeDone(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return
	}
	if err == nil {
		d.queue.HistoryKnown(d.probedDoubts)
	}
	if d.replicas.Current() == nil && syncer.MayLack(err) {
		err = nil // a service with the documented operations, which a probe cannot tell yet
	}
	if d.queue.ProbeDone(d.now(), err, d.notSent(err), d.source().metered()) {
		d.pull.endPause()
		d.pull.attempts.abandon()
	}

	d.notify()
}

// NetworkChanged checks a connection that is down or in doubt at once: an address or a
// route of this machine has changed. A probe that was sent before may wait for an answer
// that cannot arrive.
func (d *drainer) NetworkChanged() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed || !d.queue.NeedsProbe() {
		return
	}

	d.queue.ProbeNow()
	if d.cancelProbe != nil {
		d.cancelProbe()
	}

	d.notify()
}

// setCancelProbe sets what cancels the probe that is about to be sent.
func (d *drainer) setCancelProbe(cancel context.CancelFunc) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.cancelProbe = cancel
}

// probeCanceled notes that NetworkChanged canceled the probe, which says nothing about
// the connection.
func (d *drainer) probeCanceled() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.cancelProbe = nil
	d.queue.ProbeCanceled()
}

// attempts are the requests in progress. Those that were sent before the
// connection broke would wait for an answer until they time out.
type attempts struct {
	mu      sync.Mutex
	cancels map[*context.CancelFunc]bool
}

// do sends a request.
func (a *attempts) do(ctx context.Context, service api.Service, req *api.Request) (*api.Response, error) {
	ctx, cancel := context.WithCancel(ctx)
	a.mu.Lock()
	if a.cancels == nil {
		a.cancels = map[*context.CancelFunc]bool{}
	}

	a.cancels[&cancel] = true
	a.mu.Unlock()
	defer func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.cancels, &cancel)
		cancel()
	}()

	return service.Do(ctx, req)
}

// abandon cancels all requests in progress.
func (a *attempts) abandon() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for cancel := range a.cancels {
		(*cancel)()
	}
}

// probeLoop checks the connection: at once when a request failed, every few
// seconds while it is down, and when it was silent.
func (d *drainer) probeLoop(ctx context.Context) {
	for {
		change, ok := d.nextChange(ctx)
		if !ok {
			return
		}

		req, timeout, at := d.NextProbe()
		if req != nil {
			probe, cancel := context.WithTimeout(ctx, timeout)
			d.setCancelProbe(cancel)
			err := d.sendProbe(probe, req)
			if err != nil && probe.Err() == context.Canceled && ctx.Err() == nil {
				d.probeCanceled()
			} else {
				d.ProbeDone(err)
			}

			cancel()

			continue
		}

		d.wait(ctx, change, at)
	}
}

// probeRepeat is how long a probe waits for its answer before it is sent again as well.
const probeRepeat = 4 * time.Second

// sendProbe sends a probe, again every probeRepeat, and returns the first result. A probe
// that waits long for a slow service thus does not miss one that came back meanwhile: what
// was sent before that may be lost.
func (d *drainer) sendProbe(ctx context.Context, req *api.Request) error {
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
			_, err := d.cfg.Upstream.Do(ctx, req)
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
