package offline

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

// A feedSyncer reads from Bincard's own service: first a snapshot into a
// staged replica, which becomes the current one when it is complete, and then
// the changes since.
type feedSyncer struct {
	*Node
	stage          store.Store // being filled; nil while the current replica is updated
	cursor         string
	changes        []api.Change // read, but not yet applied: the replica is consistent only after the last one
	acceptedBefore []string     // accepted by the service before the current request was sent
	failures       int          // consecutive failures to apply changes
}

const (
	snapshotPage = 1000
	changesPage  = 500
	// waitSeconds is how long the service is asked to wait for a change.
	waitSeconds = 25
	// snapshotThreshold is the number of changes from which a snapshot is
	// faster.
	snapshotThreshold = 50_000
	// maxFailures is how often in a row a replica may fail to apply changes.
	maxFailures = 3
)

func (f *feedSyncer) next(ctx context.Context) (*api.Request, time.Time, error) {
	at, err := f.position(ctx)
	if err != nil {
		return nil, time.Time{}, err
	}
	f.acceptedBefore = f.unconfirmedKeys()
	switch {
	case !at.Known || at.Polled && f.stage == nil:
		return newRequest(api.GetAccess, api.GetAccessInput{}), time.Time{}, nil
	case !at.Complete:
		limit := int64(snapshotPage)
		return newRequest(api.GetSnapshot, api.SnapshotInput{Limit: &limit, Cursor: f.cursor}), time.Time{}, nil
	}
	after, limit, wait := at.Seq+int64(len(f.changes)), int64(changesPage), int64(waitSeconds)
	if f.stage != nil || len(f.changes) > 0 || !f.queue.Link(f.now()).Up {
		wait = 0 // while the connection is uncertain, request an immediate answer
	}
	return newRequest(api.ListChanges, api.ListChangesInput{After: &after, Limit: &limit, Wait: &wait, Epoch: at.Epoch}), time.Time{}, nil
}

// position returns how far the staged or current replica is filled. If it
// cannot be read, or repeatedly failed to apply changes, position stages a new
// one.
func (f *feedSyncer) position(ctx context.Context) (at replica.Position, err error) {
	if f.stage != nil {
		at, err = f.replicaPosition(ctx, f.stage)
		return at, f.abortPull(err)
	}
	at, err = f.replicaPosition(ctx, f.cfg.Replicas.Current())
	if ctx.Err() != nil || err == nil && f.failures < maxFailures {
		return at, err
	}
	f.cfg.Log.Warn("the replica is outdated; downloading it again", "error", err)
	f.failures = 0
	return replica.Position{}, f.restage()
}

func (f *feedSyncer) handleAnswer(ctx context.Context, _ *api.Request, res *api.Response) error {
	switch out := res.Output.(type) {
	case *api.Access:
		return f.beginSnapshot(ctx, out)
	case *api.SnapshotPage:
		return f.addSnapshotPage(ctx, out)
	case *api.Changes:
		return f.applyChanges(ctx, out)
	}
	return fmt.Errorf("the service answered %T", res.Output)
}

func (f *feedSyncer) handleError(_ context.Context, _ *api.Request, asked error) (bool, error) {
	switch {
	case api.HasCode(asked, api.ChangesGone) || api.HasCode(asked, api.InvalidCursor):
		f.changes = nil
		return true, f.restage()
	case isUnsupported(asked): // another service now runs at this address
		f.reset()
		f.queue.SetKeyLifetime(keyLifetime)
		f.pull.syncer = &probe{Node: f.Node}
	}
	return false, nil
}

func (f *feedSyncer) reset() { f.stage, f.cursor, f.changes = nil, "", nil }

// restage starts a new replica beside the current one.
func (f *feedSyncer) restage() error {
	stage, err := f.cfg.Replicas.Stage()
	if err != nil {
		return f.abortPull(err)
	}
	f.stage, f.cursor, f.changes = stage, "", nil
	return nil
}

// beginSnapshot starts the replica with the node's organization and rules.
func (f *feedSyncer) beginSnapshot(ctx context.Context, a *api.Access) error {
	if a.Organization.ID != f.cfg.Caller.Organization || a.Environment != f.cfg.Caller.Environment {
		return f.abortPull(fmt.Errorf("the key belongs to organization %s (%s), but the data here to %s (%s): use the matching key",
			a.Organization.Name, a.Environment, f.cfg.Caller.Organization, f.cfg.Caller.Environment))
	}
	if f.stage == nil {
		if err := f.restage(); err != nil {
			return err
		}
	}
	return f.abortPull(f.updateReplica(ctx, f.stage, func(r *replica.Tx) error {
		r.SetStart(f.now())
		return r.Begin(a.Organization, a.Rules)
	}))
}

// addSnapshotPage applies a page of the snapshot. A snapshot contains no
// idempotency keys. If an operation was rejected and discarded here, and a
// delayed copy of its request then succeeded, only the balances show it.
func (f *feedSyncer) addSnapshotPage(ctx context.Context, page *api.SnapshotPage) error {
	err := f.updateReplica(ctx, f.stage, func(r *replica.Tx) error { return r.Page(page) })
	if err != nil {
		return f.abortPull(err)
	}
	if f.cursor = ""; page.NextCursor != nil {
		f.cursor = *page.NextCursor
	}
	return nil
}

// applyChanges collects changes and applies them once they reach the latest
// one. Before that, the documents and balances read with them are newer than
// the changes.
func (f *feedSyncer) applyChanges(ctx context.Context, c *api.Changes) error {
	f.changes = append(f.changes, c.Items...)
	if len(f.changes) > 0 && f.changes[len(f.changes)-1].Seq < c.Latest {
		if len(f.changes) > snapshotThreshold {
			return f.restage()
		}
		return nil
	}
	target := f.stage
	if target == nil {
		target = f.cfg.Replicas.Current()
	}
	changes := f.changes
	f.changes = nil
	if len(changes) > 0 {
		err := f.updateReplica(ctx, target, func(r *replica.Tx) error { return r.Changes(c.Epoch, changes) })
		if err != nil {
			f.failures++
			return f.abortPull(err)
		}
		f.failures = 0
	}
	f.pull.syncedAt = f.now()
	fresh := f.stage != nil
	if fresh {
		f.stage = nil
		release, err := f.swapReplica()
		if err != nil {
			return f.abortPull(err)
		}
		f.polled.Store(false)
		defer release()
	}
	noted, err := f.recordProgress(c.Epoch, changes)
	if !fresh && !noted && len(changes) == 0 {
		return err
	}
	return errors.Join(err, f.rebuild(ctx))
}

// recordProgress writes to the journal what the replica contains now.
func (f *feedSyncer) recordProgress(epoch string, changes []api.Change) (bool, error) {
	newEpoch, err := f.setEpoch(epoch)
	if err != nil {
		return false, err
	}
	confirmed, err := f.confirm(changes)
	if err == nil && confirmed {
		err = f.compactJournal()
	}
	return newEpoch || confirmed, err
}

// setEpoch records the epoch that the replica follows. After a change of
// epoch, the operations confirmed in the old one wait to be confirmed again.
func (n *Node) setEpoch(epoch string) (bool, error) {
	if epoch == n.queue.Epoch {
		return false, nil
	}
	return true, n.commit(&outbox.Entry{Epoch: &outbox.Epoch{ID: epoch, At: n.now()}})
}

// epochEntry returns the entry that must precede the first operation in the
// journal if the journal has no epoch yet, else nil. The write of the epoch
// may have failed when the replica arrived, and without an epoch confirmed
// operations would not be checked again after the service is restored from a
// backup. n.mu is held.
func (n *Node) epochEntry(ctx context.Context) *outbox.Entry {
	if n.queue.Epoch != "" || n.polled.Load() {
		return nil
	}
	at, err := n.replicaPosition(ctx, n.cfg.Replicas.Current())
	if err != nil || at.Epoch == "" {
		return nil
	}
	return &outbox.Entry{Epoch: &outbox.Epoch{ID: at.Epoch, At: n.now()}}
}

// confirm records which operations the replica contains: those among the
// changes, whatever became of their answers, and those accepted before the
// changes were requested.
func (f *feedSyncer) confirm(changes []api.Change) (bool, error) {
	var entries []*outbox.Entry
	var keys []string
	for i := range changes {
		op := f.queue.Operation(changes[i].Key)
		if op == nil || op.Confirmed {
			continue
		}
		if op.State != outbox.Done {
			entries = append(entries, f.queue.MarkDone(f.now(), op.Key))
		}
		keys = append(keys, op.Key)
	}
	for _, key := range f.acceptedBefore {
		if op := f.queue.Operation(key); op.State == outbox.Done && !op.Confirmed && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	if len(keys) > 0 {
		entries = append(entries, &outbox.Entry{Confirm: &outbox.Confirm{Keys: keys}})
	}
	return len(keys) > 0, f.commit(entries...)
}

// updateRules saves the organization's rules from the answer to a request for
// them. Between two such requests the local rules may be outdated; an
// operation that the service then rejects is handled like any rejection.
func (n *Node) updateRules(ctx context.Context, res *api.Response) {
	a, ok := res.Output.(*api.Access)
	if !ok || a.Organization.ID != n.cfg.Caller.Organization || a.Environment != n.cfg.Caller.Environment {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	target := n.cfg.Replicas.Current()
	if n.closed || target == nil {
		return
	}
	if err := n.updateReplica(ctx, target, func(r *replica.Tx) error { return r.Rules(a.Rules) }); err != nil {
		n.cfg.Log.Warn("cannot save the organization's rules", "error", err)
	}
}
