package offline

import (
	"context"
	"net/http"
	"sync"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger"
)

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
func (n *Node) NextBatch() (Batch, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed || n.lease.copies != nil || n.pull.local.HoldSends || n.queue.HistoryUnknown() && !n.replicas.Polled() {
		return Batch{}, nil
	}
	plan := n.queue.Plan(n.now())
	if err := n.queue.Commit(plan.Sending); err != nil {
		n.queue.Unplan(plan.Send)
		return Batch{}, err
	}
	n.draining = len(plan.Send) > 0 || n.queue.InFlight() > 0
	s := Batch{WakeAt: plan.WakeAt}
	for i, op := range plan.Send {
		req, err := n.queue.Outgoing(op, n.now())
		if err != nil {
			e := n.queue.Complete(n.now(), op, outbox.Conflict, outbox.RefusalOf(err), 0)
			if err := n.queue.Commit(e); err != nil {
				n.queue.Unplan(plan.Send[i+1:])
				return s, err
			}
			continue
		}
		s.Requests = append(s.Requests, BatchRequest{op.Key, req})
	}
	return s, nil
}

// notSent reports whether an error means that the request never left.
func (n *Node) notSent(err error) bool {
	return err != nil && n.cfg.NotSent != nil && n.cfg.NotSent(err)
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
func (n *Node) SendDone(key string, res *api.Response, err error) error {
	x := &outcome{key: key, res: res, err: err}
	n.outcomes.put(x)
	n.mu.Lock()
	defer n.mu.Unlock()
	if !x.done && !n.closed {
		n.recordOutcomes(n.outcomes.take())
	}
	return x.saveErr
}

// recordOutcomes writes results to the journal. n.mu is held.
func (n *Node) recordOutcomes(list []*outcome) {
	defer n.notify()
	var entries []*outbox.Entry
	refused := false
	for _, x := range list {
		op := n.queue.Operation(x.key)
		if op == nil {
			continue
		}
		if x.err == nil {
			x.err = n.checkAnswer(op, x.res)
		}
		v := outbox.Classify(x.err, n.notSent(x.err))
		var why *outbox.Refusal
		if x.err != nil {
			why = outbox.RefusalOf(x.err)
		}
		if x.res != nil && x.res.Replayed {
			n.queue.MarkReplayed(op)
		}
		e := n.queue.Complete(n.now(), op, v, why, outbox.RetryAfter(x.err))
		if x.err == nil && x.res != nil {
			n.recordRemoteID(e, x.res.DocumentID())
		}
		entries = append(entries, e)
		refused = refused || e != nil && (v == outbox.Rejected || v == outbox.Conflict)
	}
	err := n.queue.Commit(entries...)
	for _, x := range list {
		x.done, x.saveErr = true, err // if not saved, it is sent again with the same key
	}
	if err == nil && refused {
		n.stale.Store(true)
		if n.queue.LotsUnknown() {
			if err := n.rebuild(context.Background()); err != nil {
				n.cfg.Log.Error("cannot find out which operations use the lots of a rejected one; they wait", "error", err)
			}
		}
	}
}

// checkAnswer returns an error if a response is not that to an operation: then
// the operation's outcome is unknown.
func (n *Node) checkAnswer(op *outbox.Operation, res *api.Response) error {
	req, err := n.queue.Request(op, false)
	if err != nil {
		return nil // this version did not send it
	}
	own := !n.replicas.Polled()
	proved := outbox.Proves(req, res, own)
	if proved && own && req.Spec.Creates() && req.Spec.Document != "" {
		proved = res.DocumentID() == ledger.DerivedID(n.partition(), string(req.Spec.Document), op.Key)
	}
	if proved {
		return nil
	}
	return &api.Error{Code: api.Unavailable, Details: api.Details{"outcome": "unknown"},
		Message: api.Text("The answer is not that to this operation."), Err: &api.ForeignAnswer{Status: http.StatusOK}}
}
