package ledger

import (
	"context"
	"time"

	"bincard/server/api"
)

func (l *Ledger) bindFeed(b map[string]binding) {
	reads(b, api.GetCapabilities, l.feed.Capabilities)
	reads(b, api.ListChanges, l.feed.Changes)
	reads(b, api.GetSnapshot, l.feed.Snapshot)
	handleWith(b, followChanges, api.ListChanges.Spec.ID)
	handleWith(b, withEpoch, api.GetCapabilities.Spec.ID, api.GetSnapshot.Spec.ID)
}

// withEpoch loads the epoch before a read that returns it.
func withEpoch(ctx context.Context, l *Ledger, req *api.Request, b binding) (*api.Response, error) {
	if err := l.feed.LoadEpoch(ctx); err != nil {
		return nil, toAPIError(ctx, err)
	}
	return l.read(ctx, req, b)
}

// followChanges returns changes, and waits for the next one as long as the caller
// asks. After waiting it checks again that the key is still valid.
func followChanges(ctx context.Context, l *Ledger, req *api.Request, b binding) (*api.Response, error) {
	if err := l.admit(ctx, req.Caller); err != nil {
		return nil, err
	}

	wait := waitTime(ctx, req.Input.(*api.ListChangesInput))
	if req.Node == nil {
		return l.awaitChanges(ctx, req, b, wait)
	}
	if err := req.Node.Check(); err != nil {
		return nil, err
	}

	node := l.addNode(ctx, req.Caller, req.Node)
	if node == nil {
		return l.awaitChanges(ctx, req, b, wait)
	}

	other := node.otherRun(req.Node.Session)
	if other != api.NoID {
		wait = min(wait, otherRunWait)
	}

	res, err := l.awaitChanges(ctx, req, b, wait)
	if err == nil {
		out := res.Output.(*api.Changes)
		out.OtherSession, out.Copies = other, node.Copies
	}

	return res, err
}

// otherRunWait is how long a node waits for changes while another run of it may be alive:
// both soon learn whether it is.
const otherRunWait = 2 * time.Second

// awaitChanges returns changes, and waits for the next one.
func (l *Ledger) awaitChanges(
	ctx context.Context,
	req *api.Request,
	b binding,
	wait time.Duration,
) (*api.Response, error) {
	timeout := l.after(wait)
	for last := wait == 0; ; {
		change, stop := l.feed.Wait(partition(req.Caller))
		res, err := l.readChanges(ctx, req, b)
		if err != nil || last || l.feed.IsClosed() {
			stop()
			return res, err
		}

		out := res.Output.(*api.Changes)
		if len(out.Items) > 0 || out.Position != nil && out.Position.Seq < out.Latest {
			stop()
			return res, nil
		}

		req = continueAfter(req, out.Position)
		if req.BeforeWait != nil {
			req.BeforeWait()
		}

		select {
		case <-change:
		case <-timeout:
			last = true
		case <-req.Draining:
			last = true
		case <-ctx.Done():
			stop()
			return nil, ctx.Err()
		}

		stop()
		if err := l.accounts.CheckKey(ctx, req.Caller); err != nil {
			return nil, toAPIError(ctx, err)
		}
	}
}

// readChanges returns the changes that the ledger has now.
func (l *Ledger) readChanges(ctx context.Context, req *api.Request, b binding) (*api.Response, error) {
	if err := l.feed.LoadEpoch(ctx); err != nil {
		return nil, toAPIError(ctx, err)
	}
	return l.readAdmitted(ctx, req, b)
}

// continueAfter returns the request for the changes after a position, the same request for
// none: changes of other locations are not read again.
func continueAfter(req *api.Request, at *api.Head) *api.Request {
	if at == nil {
		return req
	}
	in := *req.Input.(*api.ListChangesInput)
	in.After, in.Hash = &at.Seq, at.Hash
	next := *req
	next.Input = &in
	return &next
}

// waitTime returns how long to wait: as requested, but short enough to respond
// before the context's deadline.
func waitTime(ctx context.Context, in *api.ListChangesInput) time.Duration {
	longest := min(in.Patience(), api.MaxWait*time.Second)
	if end, ok := ctx.Deadline(); ok {
		remaining := time.Until(end)
		longest = min(longest, remaining-min(remaining/10, time.Second))
	}
	return max(0, longest)
}

// NewEpoch starts a new epoch, so that replicas start over. Call it after
// restoring a backup, before serving requests.
func (l *Ledger) NewEpoch(ctx context.Context) error { return toAPIError(ctx, l.feed.NewEpoch(ctx)) }
