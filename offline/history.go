package offline

import (
	"context"
	"slices"
	"time"

	"bincard/server/api"
)

// A historyNeed is whether a read needs history from before the replica began.
type historyNeed int

const (
	// historyUnneeded means that the replica has everything.
	historyUnneeded historyNeed = iota
	// historyOptional means that the replica has a part of the result.
	historyOptional
	// historyRequired means that the replica's result would be wrong.
	historyRequired
)

// historyNeeded reports whether a read needs history from before began.
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

// history sends a read to the service if it needs history from before the replica
// began. answered is false if the local ledger should answer: if the history is not
// needed, or if it is optional and the service cannot be reached or lacks local work.
func (n *Node) history(ctx context.Context, req *api.Request) (res *api.Response, answered bool, err error) {
	position, err := n.replicas.Position(ctx, n.replicas.Current())
	if err != nil || position.Since.IsZero() {
		return nil, false, nil
	}
	need := historyNeeded(req, position.Since)
	if need == historyUnneeded || need == historyOptional && !n.inSync() || !req.Caller.May(req.Spec.Scope) {
		return nil, false, nil
	}
	upstream := *req
	upstream.Caller = nil
	if res, err = n.cfg.Upstream.Do(ctx, &upstream); err == nil {
		if req.FilterLocation() == (api.ID{}) {
			n.keepHere(res)
		}
		return res, true, nil
	}
	if need == historyOptional && api.AsError(err).Code.Status() >= 500 {
		return nil, false, nil
	}
	if e := api.AsError(err); e.Code == api.Unavailable {
		return nil, true, &api.Error{Code: api.Unavailable, Details: e.Details, Err: e.Err, RequestID: e.RequestID,
			Message: api.Textf("History before %s is only at the service, which cannot be reached. Choose a later date, or retry when connected.", position.Since.Local().Format("2006-01-02 15:04"))}
	}
	return nil, true, err
}

// keepHere removes the rows of locations whose data the node does not have from a report.
func (n *Node) keepHere(res *api.Response) {
	switch out := res.Output.(type) {
	case *api.List[api.MovementRow]:
		out.Items = slices.DeleteFunc(out.Items, func(r api.MovementRow) bool { return !n.isHere(r.LocationID) })
	case *api.List[api.SnapshotRow]:
		out.Items = slices.DeleteFunc(out.Items, func(r api.SnapshotRow) bool { return !n.isHere(r.LocationID) })
	}
}

// inSync reports whether the service is connected and has everything done at the node.
func (n *Node) inSync() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.queue.Link(n.now()).Up && len(n.queue.Applied()) == 0
}
