package offline

import (
	"context"
	"time"

	"bincard/server/api"
)

// A historyNeed is how much a read wants of what the replica was not there for.
type historyNeed int

const (
	// historyUnneeded of it: the replica knows as much as anybody.
	historyUnneeded historyNeed = iota
	// historyOptional there is: what is known here is a part of the answer.
	historyOptional
	// historyRequired: what is known here would be wrong.
	historyRequired
)

// historyNeeded tells how much of what was before an instant a read wants.
func historyNeeded(req *api.Request, began time.Time) historyNeed {
	before := func(at *time.Time) bool { return at != nil && at.Before(began) }
	switch in := req.Input.(type) {
	case *api.ReportSnapshotInput:
		if before(in.AsOf) {
			return historyRequired
		}
	case *api.ReportMovementsInput:
		switch {
		case before(in.CreatedFrom), before(in.CreatedTo):
			return historyRequired
		case in.CreatedFrom != nil:
			return historyUnneeded
		}
	}
	if req.Spec.History {
		return historyOptional
	}
	return historyUnneeded
}

// history asks the service for what was before the replica began. What is only
// a part of the answer is told from here as well: while there is no connection,
// and while work waits that the service does not know. answered tells whether
// that is the answer.
func (n *Node) history(ctx context.Context, req *api.Request) (res *api.Response, answered bool, err error) {
	at, err := n.replicaPosition(ctx, n.cfg.Replicas.Current())
	if err != nil || at.Since.IsZero() {
		return nil, false, nil
	}
	w := historyNeeded(req, at.Since)
	if w == historyUnneeded || w == historyOptional && !n.inSync() || !req.Caller.May(req.Spec.Scope) {
		return nil, false, nil
	}
	there := *req
	there.Caller = nil
	if res, err = n.cfg.Upstream.Do(ctx, &there); err == nil {
		return res, true, nil
	}
	if w == historyOptional && api.AsError(err).Code.Status() >= 500 {
		return nil, false, nil
	}
	if e := api.AsError(err); e.Code == api.Unavailable {
		return nil, true, &api.Error{Code: api.Unavailable, Details: e.Details, Err: e.Err, RequestID: e.RequestID,
			Message: "History before " + at.Since.Local().Format("2006-01-02 15:04") + " is only at the service, which cannot be reached. Choose a later date, or retry when there is a connection."}
	}
	return nil, true, err
}

// inSync tells whether the service answers and knows all that was done here.
func (n *Node) inSync() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.queue.Link(n.now()).Up && len(n.queue.Applied()) == 0
}
