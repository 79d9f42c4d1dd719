package offline

import (
	"errors"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// A Shipment is what is to be sent now, each to be answered with Delivered.
type Shipment struct {
	Send []Parcel
	// Wake is when to look again; zero where nothing waits for the time.
	Wake time.Time
}

// A Parcel is one operation on its way.
type Parcel struct {
	Key string
	Req *api.Request
}

// Pack chooses what is to be sent and notes in the journal that it will be. With
// an error there may be something to send as well.
func (n *Node) Pack() (Shipment, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed || n.pull.quiet {
		return Shipment{}, nil
	}
	plan := n.box.Plan(n.now())
	if err := n.keep(plan.Freeze); err != nil {
		n.box.Recall(plan.Send)
		return Shipment{}, err
	}
	s := Shipment{Wake: plan.Wake}
	for i, it := range plan.Send {
		req, err := request(&it.Capture)
		if err != nil {
			e := n.box.Answered(n.now(), it.Key, outbox.Disputed, outbox.RefusalOf(err), 0)
			if err := n.keep(e); err != nil {
				n.box.Recall(plan.Send[i+1:])
				return s, err
			}
			continue
		}
		s.Send = append(s.Send, Parcel{it.Key, req})
	}
	return s, nil
}

// Delivered takes the outcome of an attempt: the answer, or the error.
func (n *Node) Delivered(key string, res *api.Response, err error) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return nil
	}
	notSent := err != nil && n.cfg.NotSent != nil && n.cfg.NotSent(err)
	v := outbox.Judge(err, notSent)
	var why *outbox.Refusal
	if err != nil {
		why = outbox.RefusalOf(err)
	}
	e := n.box.Answered(n.now(), key, v, why, pauseOf(err))
	defer n.wake()
	if kept := n.keep(e); kept != nil {
		return kept // it is asked again, by the same key
	}
	if e != nil && (v == outbox.Rejected || v == outbox.Disputed) {
		n.stale.Store(true)
	}
	return nil
}

// pauseOf is how long the service asked to be left alone.
func pauseOf(err error) time.Duration {
	var e *api.Error
	if errors.As(err, &e) {
		if s, ok := e.Details["retryAfterSeconds"].(int64); ok && s > 0 {
			return time.Duration(s) * time.Second
		}
	}
	return 0
}
