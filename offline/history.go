package offline

import (
	"context"
	"time"

	"bincard/server/api"
)

// A want is how much a read wants of what the replica was not there for.
type want int

const (
	// nothing of it: the replica knows as much as anybody.
	nothing want = iota
	// whatever there is: what is known here is a part of the answer.
	whatever
	// certainly: what is known here would be wrong.
	certainly
)

// wants tells how much of what was before an instant a read wants.
func wants(req *api.Request, began time.Time) want {
	before := func(at *time.Time) bool { return at != nil && at.Before(began) }
	switch in := req.Input.(type) {
	case *api.ReportSnapshotInput:
		if before(in.AsOf) {
			return certainly
		}
	case *api.ReportMovementsInput:
		switch {
		case before(in.CreatedFrom), before(in.CreatedTo):
			return certainly
		case in.CreatedFrom == nil:
			return whatever
		}
	case *api.ExplainBalanceInput, *api.TraceLotInput, *api.SerialHistoryInput:
		return whatever
	}
	return nothing
}

// history asks the service for what was before the replica began. What is only
// a part of the answer is told from here as well: while there is no connection,
// and while work waits that the service does not know. answered tells whether
// that is the answer.
func (n *Node) history(ctx context.Context, req *api.Request) (res *api.Response, answered bool, err error) {
	at, err := n.place(ctx, n.cfg.Bases.Current())
	if err != nil || at.Since.IsZero() {
		return nil, false, nil
	}
	w := wants(req, at.Since)
	if w == nothing || w == whatever && !n.inStep() || !req.Caller.May(req.Spec.Scope) {
		return nil, false, nil
	}
	there := *req
	there.Caller = nil
	if res, err = n.cfg.Upstream.Do(ctx, &there); err == nil {
		return res, true, nil
	}
	if w == whatever && api.AsError(err).Code.Status() >= 500 {
		return nil, false, nil
	}
	if e := api.AsError(err); e.Code == api.Unavailable {
		return nil, true, &api.Error{Code: api.Unavailable, Details: e.Details, Err: e.Err, RequestID: e.RequestID,
			Message: "What happened before " + at.Since.Local().Format("2006-01-02 15:04") + " is known at the service alone, and it cannot be reached now. Ask for what came after, or again when there is a connection."}
	}
	return nil, true, err
}

// inStep tells whether the service answers and knows all that was done here.
func (n *Node) inStep() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.box.Line(n.now()).Up && len(n.box.Applied()) == 0
}
