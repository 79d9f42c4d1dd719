package offline

import (
	"context"
	"net/http"
	"sync"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// A drainer sends the operations of the queue and records what the service answers. It
// holds mu while it chooses operations and records answers, and not while it waits for the
// service. Answers wait for mu in outcomes, which has a lock of its own.
type drainer struct {
	*state
	pull     *puller
	outcomes outcomes

	cancelProbe  context.CancelFunc // cancels the probe in flight; may be nil
	probedDoubts int                // HistoryDoubts when the probe was sent
}

// A Batch is what to send now. Report the result of each request with SendDone.
type Batch struct {
	Requests []BatchRequest
	// WakeAt is when to ask for the next batch; zero if nothing waits for a time.
	WakeAt time.Time
}

// A BatchRequest is the request of one operation.
type BatchRequest struct {
	Key string
	Req *api.Request
}

// NextBatch chooses the operations to send and journals that they are being sent. The
// Batch may contain requests even if there is an error.
func (d *drainer) NextBatch() (Batch, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed || d.lease.copies != nil || d.local.HoldSends || d.source().historyUnknown() {
		return Batch{}, nil
	}

	plan := d.queue.Plan(d.now())
	if err := d.queue.Commit(plan.Sending); err != nil {
		d.queue.Unplan(plan.Send)
		return Batch{}, err
	}

	d.draining = len(plan.Send) > 0 || d.queue.InFlight() > 0
	s := Batch{WakeAt: plan.WakeAt}
	for i, op := range plan.Send {
		req, err := d.queue.Outgoing(op, d.now())
		if err != nil {
			e := d.queue.Complete(d.now(), op, outbox.Conflict, outbox.RefusalOf(err), 0)
			if err := d.queue.Commit(e); err != nil {
				d.queue.Unplan(plan.Send[i+1:])
				return s, err
			}
			continue
		}

		s.Requests = append(s.Requests, BatchRequest{op.Key, req})
	}

	return s, nil
}

// An outcome is the result of sending an operation.
type outcome struct {
	key     string
	err     error
	res     *api.Response
	saveErr error // why the result could not be saved
	done    bool
}

// outcomes are the results that are not saved yet. They arrive one by one;
// those that arrive during a write to disk are saved together by the next
// write.
type outcomes struct {
	mu   sync.Mutex
	list []*outcome
}

func (o *outcomes) put(x *outcome) {
	o.mu.Lock()
	o.list = append(o.list, x)
	o.mu.Unlock()
}

func (o *outcomes) take() (list []*outcome) {
	o.mu.Lock()
	defer o.mu.Unlock()
	list, o.list = o.list, nil
	return list
}

// SendDone records the response to an operation, or the error.
func (d *drainer) SendDone(key string, res *api.Response, err error) error {
	x := &outcome{key: key, res: res, err: err}
	d.outcomes.put(x)
	d.mu.Lock()
	defer d.mu.Unlock()
	if !x.done && !d.closed {
		d.recordOutcomes(d.outcomes.take())
	}
	return x.saveErr
}

// recordOutcomes writes results to the journal. mu is held.
func (d *drainer) recordOutcomes(list []*outcome) {
	defer d.notify()
	var entries []*outbox.Entry
	refused := false
	for _, x := range list {
		op := d.queue.Operation(x.key)
		if op == nil {
			continue
		}
		if x.err == nil {
			x.err = d.checkAnswer(op, x.res)
		}

		v := outbox.Classify(x.err, d.notSent(x.err))
		var why *outbox.Refusal
		if x.err != nil {
			why = outbox.RefusalOf(x.err)
		}
		if x.res != nil && x.res.Replayed {
			d.queue.MarkReplayed(op)
		}

		e := d.queue.Complete(d.now(), op, v, why, outbox.RetryAfter(x.err))
		if x.err == nil && x.res != nil {
			d.recordRemoteID(e, x.res.DocumentID())
		}

		entries = append(entries, e)
		refused = refused || e != nil && (v == outbox.Rejected || v == outbox.Conflict)
	}

	err := d.queue.Commit(entries...)
	for _, x := range list {
		x.done, x.saveErr = true, err // if not saved, it is sent again with the same key
	}

	if err == nil && refused {
		d.stale.Store(true)
		if d.queue.LotsUnknown() {
			if err := d.rebuild(context.Background()); err != nil {
				d.cfg.Log.Error("cannot find out which operations use the lots of a rejected one; they wait", "error",
					err)
			}
		}
	}
}

// checkAnswer returns an error if a response is not that to an operation: then
// the operation's outcome is unknown.
func (d *drainer) checkAnswer(op *outbox.Operation, res *api.Response) error {
	req, err := d.queue.Request(op, false)
	if err != nil {
		return nil // this version did not send it
	}
	if d.source().proves(req, res) {
		return nil
	}

	return &api.Error{
		Code:    api.Unavailable,
		Details: api.Details{"outcome": "unknown"},
		Message: api.Text(
			"The response belongs to a different operation.",
		),
		Err: &api.ForeignAnswer{Status: http.StatusOK},
	}
}

// recordRemoteID adds the service's id of a created document to the entry of its
// response, if it differs from the local id.
func (d *drainer) recordRemoteID(e *outbox.Entry, remote api.ID) {
	if e == nil || e.StateChange == nil || e.StateChange.State != outbox.Done || remote == api.NoID {
		return
	}
	if local := d.cfg.createdID(&d.queue.Operation(e.StateChange.Key).Capture); local != "" &&
		local != remote.String() {
		e.StateChange.LocalID, e.StateChange.RemoteID = local, remote.String()
	}
}

// Resume ends all pauses: because a person asked, the key was replaced, or the
// network is back.
func (d *drainer) Resume() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.queue.Resume()
	d.pull.endPause()
	d.notify()
}

// pushLoop sends pending operations, as many at once as the window permits.
func (d *drainer) pushLoop(ctx context.Context) {
	var inFlight sync.WaitGroup
	defer inFlight.Wait()
	for {
		change, ok := d.nextChange(ctx)
		if !ok {
			return
		}

		s, err := d.NextBatch()
		if err != nil {
			d.cfg.Log.Error("cannot send pending operations", "error", err)
			s.WakeAt = d.now().Add(maxIdle)
		}

		for _, p := range s.Requests {
			inFlight.Go(func() {
				res, err := d.pull.attempts.do(ctx, d.cfg.Upstream, p.Req)
				if err := d.SendDone(p.Key, res, err); err != nil {
					d.cfg.Log.Error("cannot save an answer; requesting it again", "key", p.Key, "error", err)
				}
			})
		}

		d.wait(ctx, change, s.WakeAt)
	}
}
