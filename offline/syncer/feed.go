package syncer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger/replica"
	"bincard/server/store"
)

// A feed reads from Bincard's own service: first a snapshot into a staged
// replica, which becomes the current one when it is complete, and then the
// changes since.
type feed struct {
	*Local
	stage          store.Store // being filled; nil while the current replica is updated
	cursor         string
	changes        []api.Change // read, but not yet applied: the replica is consistent only after the last one
	upTo           *api.Head    // how far changes were read, if the service leaves out those of other locations
	unlimited      bool         // the service does not know the limit to locations, which an older one rejects
	acceptedBefore []string     // accepted by the service before the changes were requested
	failures       int          // consecutive failures to apply changes
	behind         bool         // the replica was older than the journal when the current request was sent
	collected      *api.Changes // the last answer with changes, which wait for checkHistory
	checking       bool         // the current request is that of checkHistory
	lookup         changeLookup // the current request if it asks for a key
	noLookups      bool         // the service cannot be asked for a key
	historyChecked bool         // the service has, or lacks, what it had confirmed
	filled         bool         // the replica was complete when the current request was sent
	noOperators    bool         // the service has none, because it is older
	operatorCursor string
	doubts         int // HistoryDoubts when the current request was sent
}

const (
	snapshotPage = 1000
	changesPage  = 500
	// waitSeconds is how long the service is asked to wait for a change.
	waitSeconds = 25
	// snapshotThreshold is the number of changes from which a snapshot is
	// faster.
	snapshotThreshold = 50_000
)

var _ Syncer = (*feed)(nil)

// newFeed returns a Syncer by the change feed.
func newFeed(local *Local) *feed { return &feed{Local: local} }

// Next implements Syncer.
func (f *feed) Next(ctx context.Context) (*api.Request, time.Time, error) {
	at, err := f.position(ctx)
	if err != nil {
		return nil, time.Time{}, err
	}

	f.filled, f.behind, f.doubts = at.Complete, at.Seq < f.Queue.ConfirmedAt.Seq, f.Queue.HistoryDoubts()
	if f.collected == nil {
		f.acceptedBefore = nil
		for _, op := range f.Queue.Unconfirmed() {
			f.acceptedBefore = append(f.acceptedBefore, op.Key)
		}
	}

	if req := f.checkHistory(at); req != nil {
		return req, time.Time{}, nil
	}

	switch {
	case !at.Known || at.Polled && f.stage == nil:
		return NewRequest(api.GetAccess, api.GetAccessInput{}), time.Time{}, nil
	case !at.Complete:
		limit := int64(snapshotPage)
		return NewRequest(api.GetSnapshot,
			api.SnapshotInput{Limit: &limit, Cursor: f.cursor, LocationsFilter: f.filter()}), time.Time{}, nil
	}

	if req := f.nextLookup(at); req != nil {
		return req, time.Time{}, nil
	}

	if !at.Operators && !f.noOperators && len(f.changes) == 0 {
		limit := int64(100) // the feed only announces operators: earlier nodes do not know them
		return NewRequest(api.ListOperators,
			api.ListOperatorsInput{Page: api.Page{Limit: &limit, Cursor: f.operatorCursor}}), time.Time{}, nil
	}

	after, hash, limit, wait := at.Seq, at.Hash, int64(changesPage), int64(waitSeconds)
	if f.upTo != nil {
		after, hash = f.upTo.Seq, f.upTo.Hash
	} else if n := len(f.changes); n > 0 {
		after, hash = f.changes[n-1].Seq, f.changes[n-1].Hash
	}

	if f.stage != nil || len(f.changes) > 0 || f.upTo != nil || !f.Queue.Link(f.Now()).Up || f.Queue.HistoryUnknown() {
		wait = 0 // while the connection is uncertain, request an immediate answer
	}

	return NewRequest(api.ListChanges, api.ListChangesInput{
		After:           &after,
		Limit:           &limit,
		Wait:            &wait,
		Epoch:           at.Epoch,
		Hash:            hash,
		LocationsFilter: f.filter(),
	}), time.Time{}, nil
}

// filter returns the filter of a request for the locations of the replica. Without one,
// the replica ignores what belongs to others.
func (f *feed) filter() api.LocationsFilter {
	if f.unlimited {
		return api.LocationsFilter{}
	}
	return api.FilterLocations(f.Locations)
}

// position returns how far the staged or current replica is filled. If it
// cannot be read, or repeatedly failed to apply changes, position stages a new
// one.
func (f *feed) position(ctx context.Context) (at replica.Position, err error) {
	if f.stage != nil {
		at, err = f.Replicas.Position(ctx, f.stage)
		return at, Abort(err)
	}

	at, err = f.Replicas.Position(ctx, f.Replicas.Current())
	switch {
	case ctx.Err() != nil:
		return at, err
	case err == nil && at.Known && !at.Polled && !slices.Equal(at.Locations, f.Locations):
		f.Log.Info("downloading the data of other locations")
	case err == nil && f.failures < MaxFailures:
		return at, err
	default:
		f.Log.Warn("the replica is outdated; downloading it again", "error", err)
	}

	f.failures = 0

	return replica.Position{}, f.restage()
}

// HandleAnswer implements Syncer.
func (f *feed) HandleAnswer(ctx context.Context, _ *api.Request, res *api.Response) error {
	switch out := res.Output.(type) {
	case *api.Access:
		return f.beginSnapshot(ctx, out)
	case *api.List[api.Operator]:
		return f.setOperators(ctx, out)
	case *api.SnapshotPage:
		return f.addSnapshotPage(ctx, out)
	case *api.Changes:
		if f.checking {
			return f.historyAnswered(ctx, nil)
		}
		if f.lookup.op != nil {
			return f.lookedUp(out)
		}
		return f.applyChanges(ctx, out)
	}

	return fmt.Errorf("the service answered %T", res.Output)
}

// HandleError implements Syncer.
func (f *feed) HandleError(ctx context.Context, req *api.Request, err error) (Outcome, error) {
	asked := f.lookup.op
	f.lookup = changeLookup{}
	switch {
	case asked != nil && api.HasCode(err, api.ValidationError):
		f.noLookups = true // an older service
		return Handled, nil
	case f.checking && api.HasCode(err, api.ChangesGone):
		return Handled, f.historyAnswered(ctx, err)
	case api.HasCode(err, api.ChangesGone):
		return Handled, errors.Join(f.sendAgain(err), f.restage())
	case api.HasCode(err, api.InvalidCursor):
		return Handled, f.restage()
	case api.HasCode(err, api.ValidationError) && f.filter() != (api.LocationsFilter{}):
		f.unlimited = true
		return Handled, nil
	case req.Spec == api.ListOperators.Spec && IsUnsupported(err):
		f.noOperators = true
		return Handled, nil
	case IsUnsupported(err):
		f.Reset()
		return OtherService, nil
	}

	return Failed, nil
}

// sendAgain records that the service went back to an earlier state: it has another epoch,
// fewer changes than the replica, or others. What it had confirmed is sent again.
func (f *feed) sendAgain(err error) error {
	details := api.AsError(err).Details
	epoch := outbox.Epoch{ID: f.Queue.Epoch, At: f.Now(), AgreedAt: agreedAt(f.SyncedAt)}
	reason := api.GoneReason(fmt.Sprint(details["reason"]))
	switch reason {
	case api.GoneDiverged, api.GoneAhead:
		epoch.WentBack = true
	case api.GoneEpoch:
		id, _ := details["epoch"].(string)
		if id == "" {
			return nil // the snapshot will tell
		}
		epoch.ID = id
	}

	if epoch.WentBack || epoch.ID != f.Queue.Epoch {
		f.Log.Warn("the service went back to an earlier state; what it had confirmed is sent again", "reason", reason)
		f.Outdated = true
		if err := f.Queue.Commit(&outbox.Entry{Epoch: &epoch}); err != nil {
			return err
		}
	}

	f.Queue.HistoryKnown(f.doubts)

	return nil
}

// Reset implements Syncer.
func (f *feed) Reset() { f.stage, f.cursor, f.changes, f.upTo, f.collected = nil, "", nil, nil, nil }

// restage starts a new replica beside the current one.
func (f *feed) restage() error {
	stage, err := f.Replicas.Stage()
	if err != nil {
		return Abort(err)
	}
	f.Reset()
	f.stage, f.historyChecked, f.operatorCursor = stage, false, ""
	return nil
}

// beginSnapshot starts the replica with the node's organization and rules.
func (f *feed) beginSnapshot(ctx context.Context, a *api.Access) error {
	if a.Organization.ID != f.Caller.Organization || a.Environment != f.Caller.Environment {
		return Abort(
			fmt.Errorf("the key belongs to organization %s (%s), but the data here to %s (%s): use the matching key",
				a.Organization.Name, a.Environment, f.Caller.Organization, f.Caller.Environment),
		)
	}

	if f.stage == nil {
		if err := f.restage(); err != nil {
			return err
		}
	}

	return Abort(f.Replicas.Update(ctx, f.stage, func(r *replica.Tx) error {
		r.SetStart(f.Now())
		r.SetLocations(f.Locations)
		return r.Begin(a.Organization, a.Rules)
	}))
}

// addSnapshotPage applies a page of the snapshot. A snapshot contains no
// idempotency keys. If an operation was rejected and discarded here, and a
// delayed copy of its request then succeeded, only the balances show it.
func (f *feed) addSnapshotPage(ctx context.Context, page *api.SnapshotPage) error {
	err := f.Replicas.Update(ctx, f.stage, func(r *replica.Tx) error { return r.Page(page) })
	if err != nil {
		return Abort(err)
	}

	f.cursor = ""
	if page.NextCursor != nil {
		f.cursor = *page.NextCursor
	}

	return nil
}

// setOperators applies a page of operators.
func (f *feed) setOperators(ctx context.Context, list *api.List[api.Operator]) error {
	target := f.stage
	if target == nil {
		target, f.Rebuild = f.Replicas.Current(), true
	}

	err := f.Replicas.Update(ctx, target, func(r *replica.Tx) error { return r.Operators(list) })
	if err != nil {
		return Abort(err)
	}

	f.operatorCursor = ""
	if list.NextCursor != nil {
		f.operatorCursor = *list.NextCursor
	}

	return nil
}

// applyChanges collects changes and applies them once they reach the latest
// one. Before that, the documents and balances read with them are newer than
// the changes.
func (f *feed) applyChanges(ctx context.Context, c *api.Changes) error {
	f.showsHistory(c)
	f.changes = append(f.changes, c.Items...)
	f.upTo = c.Position
	if f.upTo != nil && f.upTo.Seq < c.Latest ||
		f.upTo == nil && len(f.changes) > 0 && f.changes[len(f.changes)-1].Seq < c.Latest {
		if len(f.changes) > snapshotThreshold {
			return f.restage()
		}
		return nil
	}

	if f.behind {
		f.collected = c
		return nil
	}

	return f.applyCollected(ctx, c)
}

// applyCollected applies the collected changes, of which c is the last answer.
func (f *feed) applyCollected(ctx context.Context, c *api.Changes) error {
	target := f.stage
	if target == nil {
		target = f.Replicas.Current()
	}

	changes, upTo := f.changes, f.upTo
	f.changes, f.upTo, f.collected = nil, nil, nil
	if err := markRecorded(f.Local, changes); err != nil {
		return Abort(err)
	}

	if len(changes) > 0 || upTo != nil {
		err := f.Replicas.Update(ctx, target, func(r *replica.Tx) error { return r.Changes(c.Epoch, changes, upTo) })
		if err != nil {
			f.failures++
			return Abort(err)
		}
		f.failures = 0
	}

	agreed := agreedAt(f.SyncedAt)
	f.SyncedAt = f.Now()
	fresh := f.stage != nil
	if fresh {
		f.stage = nil
		if err := f.Replicas.Replace(false); err != nil {
			return Abort(err)
		}
	}

	recorded, err := f.recordProgress(ctx, c.Epoch, agreed, changes)
	f.Rebuild = fresh || recorded || len(changes) > 0
	if err == nil {
		f.Queue.HistoryKnown(f.doubts)
	}

	return err
}
