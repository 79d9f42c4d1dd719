package offline

import (
	"context"
	"slices"
	"strconv"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// listWork returns a page of the operations done here, oldest first.
func (r *reader) listWork(ctx context.Context, req *api.Request, in *api.ListWorkInput) (*api.List[api.Work], error) {
	after, err := parseCursor(in.Cursor)
	if err != nil {
		return nil, err
	}

	limit := 100
	if in.Limit != nil {
		limit = int(*in.Limit)
	}

	out := &api.List[api.Work]{Items: []api.Work{}}
	r.mu.Lock()
	view := r.workView()
	for _, op := range r.queue.Operations() {
		if op.Seq <= after || !matchesFilter(op, in) {
			continue
		}
		if len(out.Items) == limit {
			next := strconv.FormatInt(out.Items[limit-1].N, 10)
			out.NextCursor = &next
			break
		}

		out.Items = append(out.Items, view.work(op))
	}

	r.mu.Unlock()
	names := r.views(req.Caller)
	for i := range out.Items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		names.addTo(ctx, &out.Items[i])
	}

	return out, nil
}

func parseCursor(cursor string) (uint64, error) {
	if cursor == "" {
		return 0, nil
	}
	after, err := strconv.ParseUint(cursor, 10, 64)
	if err != nil {
		return 0, api.Fail(api.InvalidCursor, nil, "Invalid cursor. Omit it to start from the beginning.")
	}
	return after, nil
}

func matchesFilter(op *outbox.Operation, in *api.ListWorkInput) bool {
	switch {
	case in.Key != "" && op.Key != in.Key,
		in.Operator != "" && op.Operator != in.Operator,
		in.Device != "" && op.Device != in.Device:
		return false
	case in.State != "":
		return workState(op) == in.State
	}

	return in.Key != "" || op.State.Open()
}

func workState(op *outbox.Operation) api.WorkState {
	switch op.State {
	case outbox.Pending:
		if op.MaybeDone() {
			return api.WorkSent
		}
		return api.WorkWaiting
	case outbox.Refused:
		return api.WorkRefused
	case outbox.Held:
		return api.WorkHeld
	case outbox.Replaced:
		return api.WorkReplaced
	case outbox.Discarded:
		return api.WorkDiscarded
	}

	return api.WorkDone
}

// A workView converts operations to api.Work, all as of one instant.
type workView struct {
	queue   *outbox.SavedQueue
	now     time.Time
	link    outbox.Link
	state   api.SyncState
	blocked map[string]outbox.BlockReason
}

// workView is valid while mu is held.
func (r *reader) workView() *workView {
	t := &workView{queue: r.queue, now: r.now(), blocked: r.queue.Blocked()}
	t.link = r.queue.Link(t.now)
	t.state = syncState(&t.link, t.now)
	return t
}

func (t *workView) work(op *outbox.Operation) api.Work {
	operator, supervisor := op.People()
	w := api.Work{
		Key:         op.Key,
		N:           int64(op.Seq),
		Operation:   op.SpecID,
		Target:      op.Target,
		Body:        slices.Clone(op.Body),
		State:       workState(op),
		At:          op.At,
		Since:       op.Since,
		Sent:        timePtr(op.SentAt),
		Operator:    operator,
		ApprovedBy:  supervisor,
		Device:      op.Device,
		Refusal:     workRefusal(op.Refusal),
		Risk:        workRefusal(op.Risk),
		By:          op.By,
		Reason:      op.Reason,
		Successor:   op.Successor,
		Replaces:    op.Replaces,
		NotRecorded: timePtr(op.NotRecordedAt),
		Needing:     []string{},
	}

	if op.Refusal != nil {
		w.Recorded = op.Refusal.Recorded
	}
	if op.State.Open() {
		for _, other := range t.queue.Dependents(op) {
			w.Needing = append(w.Needing, other.Key)
		}
	}

	if op.State == outbox.Pending {
		w.Wait = t.waitReason(op)
		w.Refusal = workRefusal(op.Missing)
	}

	return w
}

// waitReason returns why an operation is not sent now. A reason that needs a
// person comes first, then one that affects all operations, then the
// operation's order.
func (t *workView) waitReason(op *outbox.Operation) api.WorkWait {
	switch why := t.blocked[op.Key]; {
	case why == outbox.BlockedByDependency:
		return api.WaitDependency
	case t.state == api.SyncDenied:
		return api.WaitKey
	case t.state == api.SyncOffline:
		return api.WaitLink
	case t.link.QuotaExceeded && outbox.Billable(op.SpecID):
		return api.WaitQuota
	case why == outbox.BlockedByOtherNode:
		return api.WaitOtherSite
	case why == outbox.BlockedByOrder:
		return api.WaitOrder
	}

	return ""
}

// getWork returns one operation as it is now.
func (r *reader) getWork(ctx context.Context, caller *api.Caller, key string) (*api.Work, error) {
	r.mu.Lock()
	op := r.queue.Operation(key)
	if op == nil {
		r.mu.Unlock()
		return nil, workNotFound(key)
	}

	w := r.workView().work(op)
	r.mu.Unlock()
	r.views(caller).addTo(ctx, &w)

	return &w, nil
}

func workNotFound(key string) error {
	return api.Fail(api.NotFound, api.Details{"key": key},
		"There is no operation with the key %s here. Resolved operations are listed for a week.", key)
}
