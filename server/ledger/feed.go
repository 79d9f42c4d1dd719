package ledger

import (
	"context"
	"math"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

func bindFeed(b map[string]binding) {
	reads(b, api.GetCapabilities, (*readTx).capabilities)
	reads(b, api.ListChanges, (*readTx).changes)
	reads(b, api.GetSnapshot, (*readTx).snapshot)
	x := b[api.ListChanges.ID]
	x.handle = followChanges
	b[api.ListChanges.ID] = x
	for _, id := range []string{api.GetCapabilities.ID, api.GetSnapshot.ID} {
		x := b[id]
		x.handle = withEpoch
		b[id] = x
	}
}

// changePageMovements is the approximate maximum of movements on a page of changes.
const changePageMovements = 4096

// withEpoch loads the epoch before a read that returns it.
func withEpoch(ctx context.Context, l *Ledger, req *api.Request, b binding) (*api.Response, error) {
	if err := l.loadEpoch(ctx); err != nil {
		return nil, err
	}
	return l.read(ctx, req, b)
}

// followChanges returns changes, and waits for the next one as long as the caller
// asks. After waiting it checks again that the key is still valid.
func followChanges(ctx context.Context, l *Ledger, req *api.Request, b binding) (*api.Response, error) {
	if err := l.loadEpoch(ctx); err != nil {
		return nil, err
	}
	if err := l.admit(ctx, req.Caller); err != nil {
		return nil, err
	}
	wait := waitTime(ctx, req.Input.(*api.ListChangesInput))
	timeout := l.after(wait)
	for last := wait == 0; ; {
		change, stop := l.notifier.wait(partition(req.Caller))
		res, err := l.readAdmitted(ctx, req, b)
		if err != nil || last || len(res.Output.(*api.Changes).Items) > 0 || l.notifier.isClosed() {
			stop()
			return res, err
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

// changes returns the changes after the given sequence number.
func (tx *readTx) changes(in *api.ListChangesInput) (*api.Changes, error) {
	after, limit := int64(0), 100
	if in.After != nil {
		after = *in.After
	}
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	latest, _, err := tx.counter()
	if err != nil {
		return nil, err
	}
	out := &api.Changes{Epoch: tx.l.epoch(), Items: []api.Change{}, Latest: int64(latest)}
	if in.Epoch != "" && in.Epoch != out.Epoch || after > out.Latest {
		return nil, changesGone(after, out)
	}
	next, width := uint64(after)+1, 0
	err = journal.Entries.Scan(tx.r, store.Range{From: journal.SeqKey(next)}, func(e *journal.Entry) error {
		if len(out.Items) == limit || width > changePageMovements {
			return store.ErrStop
		}
		if e.Seq != next {
			return changesGone(after, out)
		}
		next++
		width += 1 + len(e.Movements) + len(e.Serials)
		change, err := tx.renderChange(e)
		if err != nil {
			return err
		}
		out.Items = append(out.Items, *change)
		return nil
	})
	if err == nil && len(out.Items) == 0 && after < out.Latest {
		err = changesGone(after, out)
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// changesGone returns the error for a position that the feed does not have.
func changesGone(after int64, at *api.Changes) error {
	return api.Fail(api.ChangesGone, api.Details{"after": after, "latest": at.Latest, "epoch": at.Epoch},
		"Changes after %d are not available: the feed is at %d and may have been restored from a backup. Read a snapshot and continue from there.",
		after, at.Latest)
}

// renderChange renders one journal entry.
func (tx *readTx) renderChange(e *journal.Entry) (*api.Change, error) {
	out := &api.Change{Seq: int64(e.Seq), Key: e.Key, Operation: e.Spec,
		Actor: e.Actor, CreatedBy: e.Operator, CreatedAt: e.At}
	var err error
	if out.Movements, err = tx.movements(e); err != nil {
		return nil, err
	}
	if out.Balances, err = tx.showBalances(e); err != nil {
		return nil, err
	}
	out.Stocks = make([]api.Stock, len(e.Balances))
	for i := range e.Balances {
		b, err := tx.mustBalance(e.Balances[i].Balance)
		if err != nil {
			return nil, err
		}
		if out.Stocks[i], err = tx.stock(b); err != nil {
			return nil, err
		}
	}
	out.Documents, err = tx.documentsOf(e)
	return out, err
}

func (tx *readTx) capabilities(*api.CapabilitiesInput) (*api.Capabilities, error) {
	latest, _, err := tx.counter()
	if err != nil {
		return nil, err
	}
	out := &api.Capabilities{Service: "bincard", Version: "v1", Operations: []string{}, MaxWait: api.MaxWait,
		Epoch: tx.l.epoch(), Latest: int64(min(latest, math.MaxInt64))}
	for _, s := range api.Operations() {
		if _, ok := tx.l.bindings[s.ID]; ok {
			out.Operations = append(out.Operations, s.ID)
		}
	}
	return out, nil
}
