package ledger

import (
	"context"
	"math"
	"time"

	"bincard/server/api"
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

// changePageMovements is about how many movements one page of changes holds at most.
const changePageMovements = 4096

// withEpoch reads what carries the epoch, which is to be known before the look.
func withEpoch(ctx context.Context, l *Ledger, req *api.Request, b binding) (*api.Response, error) {
	if err := l.loadEpoch(ctx); err != nil {
		return nil, err
	}
	return l.read(ctx, req, b)
}

// followChanges answers the changes, and waits for one as long as the caller is ready
// to. Who waited may have lost its key meanwhile.
func followChanges(ctx context.Context, l *Ledger, req *api.Request, b binding) (*api.Response, error) {
	if err := l.loadEpoch(ctx); err != nil {
		return nil, err
	}
	if err := l.admit(ctx, req); err != nil {
		return nil, err
	}
	wait := waitTime(ctx, req.Input.(*api.ListChangesInput))
	enough := l.after(wait)
	for last := wait == 0; ; {
		change, leave := l.notifier.wait(partition(req.Caller))
		res, err := l.readAdmitted(ctx, req, b)
		if err != nil || last || len(res.Output.(*api.Changes).Items) > 0 || l.notifier.isClosed() {
			leave()
			return res, err
		}
		select {
		case <-change:
		case <-enough:
			last = true
		case <-req.Draining:
			last = true
		case <-ctx.Done():
			leave()
			return nil, ctx.Err()
		}
		leave()
		if err := l.checkKeyStillValid(ctx, req.Caller); err != nil {
			return nil, err
		}
	}
}

// waitTime is how long to wait: as asked, but not so long that the answer would
// come after the caller has given up.
func waitTime(ctx context.Context, in *api.ListChangesInput) time.Duration {
	most := min(in.Patience(), api.MaxWait*time.Second)
	if end, ok := ctx.Deadline(); ok {
		left := time.Until(end)
		most = min(most, left-min(left/10, time.Second))
	}
	return max(0, most)
}

// changes answers what is there.
func (rd *readTx) changes(in *api.ListChangesInput) (*api.Changes, error) {
	after, limit := int64(0), 100
	if in.After != nil {
		after = *in.After
	}
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	latest, _, err := rd.counter()
	if err != nil {
		return nil, err
	}
	out := &api.Changes{Epoch: rd.l.epoch(), Items: []api.Change{}, Latest: int64(latest)}
	if in.Epoch != "" && in.Epoch != out.Epoch || after > out.Latest {
		return nil, changesGone(after, out)
	}
	next, width := uint64(after)+1, 0
	err = journal.Scan(rd.r, store.Range{From: seqKey(next)}, func(rec *entry) error {
		if len(out.Items) == limit || width > changePageMovements {
			return store.ErrStop
		}
		if rec.Seq != next {
			return changesGone(after, out)
		}
		next++
		width += 1 + len(rec.Movements) + len(rec.Serials)
		change, err := rd.renderChange(rec)
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

// changesGone is the error of a place that the feed does not have.
func changesGone(after int64, at *api.Changes) error {
	return api.Fail(api.ChangesGone, api.Details{"after": after, "latest": at.Latest, "epoch": at.Epoch},
		"Changes after %d are not available: the feed is at %d and may have been restored from a backup. Read a snapshot and continue from there.",
		after, at.Latest)
}

// renderChange renders one record.
func (rd *readTx) renderChange(rec *entry) (*api.Change, error) {
	out := &api.Change{Seq: int64(rec.Seq), Key: rec.Key, Operation: rec.Spec,
		Actor: rec.Actor, CreatedBy: rec.Operator, CreatedAt: rec.At}
	var err error
	if out.Movements, err = rd.movements(rec); err != nil {
		return nil, err
	}
	if out.Balances, err = rd.showBalances(rec); err != nil {
		return nil, err
	}
	out.Stocks = make([]api.Stock, len(rec.Balances))
	for i := range rec.Balances {
		b, err := rd.mustBalance(rec.Balances[i].Balance)
		if err != nil {
			return nil, err
		}
		if out.Stocks[i], err = rd.stock(b); err != nil {
			return nil, err
		}
	}
	out.Documents, err = rd.documentsOf(rec)
	return out, err
}

func (rd *readTx) capabilities(*api.CapabilitiesInput) (*api.Capabilities, error) {
	latest, _, err := rd.counter()
	if err != nil {
		return nil, err
	}
	out := &api.Capabilities{Service: "bincard", Version: "v1", Operations: []string{}, MaxWait: api.MaxWait,
		Epoch: rd.l.epoch(), Latest: int64(min(latest, math.MaxInt64))}
	for _, s := range api.Operations() {
		if _, ok := rd.l.bindings[s.ID]; ok {
			out.Operations = append(out.Operations, s.ID)
		}
	}
	return out, nil
}
