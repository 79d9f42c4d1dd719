package offline

import (
	"context"
	"slices"
	"strconv"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// listWork answers a page of what was done here, in the order in which it was done.
func (n *Node) listWork(ctx context.Context, req *api.Request, in *api.ListWorkInput) (*api.List[api.Work], error) {
	after, err := parseCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	limit := 100
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	out := &api.List[api.Work]{Items: []api.Work{}}
	n.mu.Lock()
	told := n.workView()
	for _, it := range n.queue.Operations() {
		if it.Seq <= after || !matchesFilter(it, in) {
			continue
		}
		if len(out.Items) == limit {
			next := strconv.FormatInt(out.Items[limit-1].N, 10)
			out.NextCursor = &next
			break
		}
		out.Items = append(out.Items, told.work(it))
	}
	n.mu.Unlock()
	sight := n.views(req.Caller)
	for i := range out.Items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out.Items[i].Goods = sight.describe(ctx, &out.Items[i])
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

func matchesFilter(it *outbox.Operation, in *api.ListWorkInput) bool {
	switch {
	case in.Key != "" && it.Key != in.Key, in.Operator != "" && it.Operator != in.Operator, in.Device != "" && it.Device != in.Device:
		return false
	case in.State != "":
		return workState(it) == in.State
	}
	return in.Key != "" || it.State.Open()
}

func workState(it *outbox.Operation) api.WorkState {
	switch it.State {
	case outbox.Pending:
		if it.MaybeDone() {
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

// A workView tells operations to people, all as they stand at one instant.
type workView struct {
	n       *Node
	now     time.Time
	link    outbox.Link
	state   api.SyncState
	blocked map[string]outbox.BlockReason
}

// workView is for as long as n.mu is held.
func (n *Node) workView() *workView {
	t := &workView{n: n, now: n.now(), blocked: n.queue.Blocked()}
	t.link = n.queue.Link(t.now)
	t.state = syncState(&t.link, t.now)
	return t
}

func (t *workView) work(it *outbox.Operation) api.Work {
	w := api.Work{Key: it.Key, N: int64(it.Seq), Operation: it.SpecID, Target: it.Target, Body: slices.Clone(it.Body),
		State: workState(it), At: it.At, Since: it.Since, Sent: timePtr(it.SentAt), Operator: it.Operator, Device: it.Device,
		Refusal: workRefusal(it.Refusal), Risk: workRefusal(it.Risk), By: it.By, Reason: it.Reason, Successor: it.Successor,
		Replaces: it.Replaces, Needing: []string{}}
	if it.State.Open() {
		for _, other := range t.n.queue.Dependents(it.Key) {
			w.Needing = append(w.Needing, other.Key)
		}
	}
	if it.State == outbox.Pending {
		w.Wait = t.waitReason(it)
	}
	return w
}

// waitReason is why an operation is not sent now: first what a person must see to,
// then what all wait for, then its own turn.
func (t *workView) waitReason(it *outbox.Operation) api.WorkWait {
	switch why := t.blocked[it.Key]; {
	case why == outbox.BlockedByDependency:
		return api.WaitDependency
	case t.state == api.SyncDenied:
		return api.WaitKey
	case t.state == api.SyncOffline:
		return api.WaitLink
	case t.link.QuotaExceeded && outbox.Billable(it.SpecID):
		return api.WaitQuota
	case why == outbox.BlockedByOrder:
		return api.WaitOrder
	}
	return ""
}

// getWork is one operation as it stands now.
func (n *Node) getWork(ctx context.Context, caller *api.Caller, key string) (*api.Work, error) {
	n.mu.Lock()
	it := n.queue.Operation(key)
	if it == nil {
		n.mu.Unlock()
		return nil, workNotFound(key)
	}
	w := n.workView().work(it)
	n.mu.Unlock()
	w.Goods = n.views(caller).describe(ctx, &w)
	return &w, nil
}

func workNotFound(key string) error {
	return api.Fail(api.NotFound, api.Details{"key": key},
		"There is no operation with the key %s here. Resolved operations are listed for a week.", key)
}
