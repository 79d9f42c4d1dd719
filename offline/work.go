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
	after, err := place(in.Cursor)
	if err != nil {
		return nil, err
	}
	limit := 100
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	out := &api.List[api.Work]{Items: []api.Work{}}
	n.mu.Lock()
	told := n.teller()
	for _, it := range n.box.Items() {
		if it.N <= after || !wanted(it, in) {
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
	sight := n.looking(req.Caller)
	for i := range out.Items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out.Items[i].Goods = sight.goods(ctx, &out.Items[i])
	}
	return out, nil
}

func place(cursor string) (uint64, error) {
	if cursor == "" {
		return 0, nil
	}
	after, err := strconv.ParseUint(cursor, 10, 64)
	if err != nil {
		return 0, api.Fail(api.InvalidCursor, nil, "The cursor is none that this list gave out. Begin without one.")
	}
	return after, nil
}

func wanted(it *outbox.Item, in *api.ListWorkInput) bool {
	switch {
	case in.Key != "" && it.Key != in.Key, in.Operator != "" && it.Operator != in.Operator, in.Device != "" && it.Device != in.Device:
		return false
	case in.State != "":
		return stateOfWork(it) == in.State
	}
	return in.Key != "" || it.State.Open()
}

func stateOfWork(it *outbox.Item) api.WorkState {
	switch it.State {
	case outbox.Captured:
		if it.Unknown() {
			return api.WorkSent
		}
		return api.WorkWaiting
	case outbox.Refused:
		return api.WorkRefused
	case outbox.Held:
		return api.WorkHeld
	case outbox.Superseded:
		return api.WorkReplaced
	case outbox.Dropped:
		return api.WorkDropped
	}
	return api.WorkDone
}

// A teller tells operations to people, all as they stand at one instant.
type teller struct {
	n       *Node
	now     time.Time
	line    outbox.Line
	state   api.SyncState
	blocked map[string]outbox.Why
}

// teller is for as long as n.mu is held.
func (n *Node) teller() *teller {
	t := &teller{n: n, now: n.now(), blocked: n.box.Blocked()}
	t.line = n.box.Line(t.now)
	t.state = stateOf(&t.line, t.now)
	return t
}

func (t *teller) work(it *outbox.Item) api.Work {
	w := api.Work{Key: it.Key, N: int64(it.N), Operation: it.Operation, Target: it.Target, Body: slices.Clone(it.Body),
		State: stateOfWork(it), At: it.At, Since: it.Since, Sent: instant(it.SentAt), Operator: it.Operator, Device: it.Device,
		Refusal: refusal(it.Refusal), Risk: refusal(it.Risk), By: it.By, Reason: it.Reason, Successor: it.Successor,
		Replaces: it.Replaces, Needing: []string{}}
	if it.State.Open() {
		for _, other := range t.n.box.Needing(it.Key) {
			w.Needing = append(w.Needing, other.Key)
		}
	}
	if it.State == outbox.Captured {
		w.Wait = t.wait(it)
	}
	return w
}

// wait is why an operation is not sent now: first what a person must see to,
// then what all wait for, then its own turn.
func (t *teller) wait(it *outbox.Item) api.WorkWait {
	switch why := t.blocked[it.Key]; {
	case why == outbox.InNeed:
		return api.WaitNeed
	case t.state == api.SyncBarred:
		return api.WaitKey
	case t.state == api.SyncOffline:
		return api.WaitLine
	case t.line.Exhausted && outbox.Billable(it.Operation):
		return api.WaitQuota
	case why == outbox.InOrder:
		return api.WaitOrder
	}
	return ""
}

// workOf is one operation as it stands now.
func (n *Node) workOf(ctx context.Context, caller *api.Caller, key string) (*api.Work, error) {
	n.mu.Lock()
	it := n.box.Item(key)
	if it == nil {
		n.mu.Unlock()
		return nil, unknownWork(key)
	}
	w := n.teller().work(it)
	n.mu.Unlock()
	w.Goods = n.looking(caller).goods(ctx, &w)
	return &w, nil
}

func unknownWork(key string) error {
	return api.Fail(api.NotFound, api.Details{"key": key},
		"There is no work with the key %s here. What is settled goes from the list after a week; list what there is.", key)
}
