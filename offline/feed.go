package offline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/store"
)

// A feedSyncer reads from Bincard's own service: a snapshot into a base of its own,
// which takes the place of the one that is read when it is whole, and from
// there the changes.
type feedSyncer struct {
	*Node
	stage          store.Store // being filled; nil while the current base is followed
	cursor         string
	changes        []api.Change // read, and not yet applied: the replica is whole with the last
	acceptedBefore []string     // confirmed before the question under way was asked
	failures       int          // how often the base did not take changes, one after the other
}

const (
	snapshotPage = 1000
	changesPage  = 500
	// waitSeconds is how long the service is asked to wait for a change, in seconds.
	waitSeconds = 25
	// snapshotThreshold is how many changes make a snapshot the shorter way.
	snapshotThreshold = 50_000
	// maxFailures is how often a base may fail to take changes.
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
		wait = 0 // one who does not know whether the service answers does not wait to hear it
	}
	return newRequest(api.ListChanges, api.ListChangesInput{After: &after, Limit: &limit, Wait: &wait, Epoch: at.Epoch}), time.Time{}, nil
}

// position is how far the base has come that is being filled or followed. One
// that cannot be read any more, or takes no changes, is read anew.
func (f *feedSyncer) position(ctx context.Context) (at ledger.ReplicaPosition, err error) {
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
	return ledger.ReplicaPosition{}, f.restage()
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
	case isUnsupported(asked): // it is another service than it was
		f.reset()
		f.queue.SetKeyLifetime(keyLifetime)
		f.pull.syncer = &probe{Node: f.Node}
	}
	return false, nil
}

func (f *feedSyncer) reset() { f.stage, f.cursor, f.changes = nil, "", nil }

// restage begins a base anew beside the current one.
func (f *feedSyncer) restage() error {
	stage, err := f.cfg.Replicas.Stage()
	if err != nil {
		return f.abortPull(err)
	}
	f.stage, f.cursor, f.changes = stage, "", nil
	return nil
}

// beginSnapshot takes who the node is to the service: the first thing that a base holds.
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
	return f.abortPull(f.updateReplica(ctx, f.stage, func(r *ledger.Replica) error {
		r.SetStart(f.now())
		return r.Begin(a.Organization, a.Rules)
	}))
}

// addSnapshotPage takes a page of the snapshot. It tells no keys: what was refused, given
// up here and then done for a copy of the request that was late shows in the
// balances alone.
func (f *feedSyncer) addSnapshotPage(ctx context.Context, page *api.SnapshotPage) error {
	err := f.updateReplica(ctx, f.stage, func(r *ledger.Replica) error { return r.Page(page) })
	if err != nil {
		return f.abortPull(err)
	}
	if f.cursor = ""; page.NextCursor != nil {
		f.cursor = *page.NextCursor
	}
	return nil
}

// applyChanges takes changes. They are applied when they reach the newest one: until
// then what is read with them is ahead of what is known.
func (f *feedSyncer) applyChanges(ctx context.Context, c *api.Changes) error {
	f.changes = append(f.changes, c.Items...)
	if len(f.changes) > 0 && f.changes[len(f.changes)-1].Seq < c.Latest {
		if len(f.changes) > snapshotThreshold {
			return f.restage()
		}
		return nil
	}
	base := f.stage
	if base == nil {
		base = f.cfg.Replicas.Current()
	}
	news := f.changes
	f.changes = nil
	if len(news) > 0 {
		err := f.updateReplica(ctx, base, func(r *ledger.Replica) error { return r.Changes(c.Epoch, news) })
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
	noted, err := f.recordProgress(c.Epoch, news)
	if !fresh && !noted && len(news) == 0 {
		return err
	}
	return errors.Join(err, f.rebuild(ctx))
}

// recordProgress notes in the journal what the base has come to.
func (f *feedSyncer) recordProgress(epoch string, news []api.Change) (bool, error) {
	turned, err := f.setEpoch(epoch)
	if err != nil {
		return false, err
	}
	settled, err := f.confirm(news)
	if err == nil && settled {
		err = f.compactJournal()
	}
	return turned || settled, err
}

// setEpoch notes the epoch that the base follows. After another one what the
// service had confirmed waits to be confirmed again.
func (n *Node) setEpoch(epoch string) (bool, error) {
	if epoch == n.queue.Epoch {
		return false, nil
	}
	return true, n.commit(&outbox.Entry{Epoch: &outbox.Epoch{ID: epoch, At: n.now()}})
}

// epochEntry is the entry by which work that is kept has an epoch before it, nil
// where there is one: the disk may not have taken it when the base came. Without
// it what the service confirms would not be asked again after a restore. n.mu is
// held.
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

// confirm notes which of the operations here the base has: those among the
// changes, which are done whatever became of their answers, and those confirmed
// before the changes were asked for, up to the newest one.
func (f *feedSyncer) confirm(news []api.Change) (bool, error) {
	var entries []*outbox.Entry
	var keys []string
	for i := range news {
		it := f.queue.Operation(news[i].Key)
		if it == nil || it.Confirmed {
			continue
		}
		if it.State != outbox.Done {
			entries = append(entries, f.queue.MarkDone(f.now(), it.Key))
		}
		keys = append(keys, it.Key)
	}
	for _, key := range f.acceptedBefore {
		if it := f.queue.Operation(key); it.State == outbox.Done && !it.Confirmed && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	if len(keys) > 0 {
		entries = append(entries, &outbox.Entry{Confirm: &outbox.Confirm{Keys: keys}})
	}
	return len(keys) > 0, f.commit(entries...)
}

// updateRules takes the rules that the service works by, where somebody asked it. Until
// it is asked again the rules here are those of then: what the service refuses
// of what they allow is told like any refusal.
func (n *Node) updateRules(ctx context.Context, res *api.Response) {
	a, ok := res.Output.(*api.Access)
	if !ok || a.Organization.ID != n.cfg.Caller.Organization || a.Environment != n.cfg.Caller.Environment {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	base := n.cfg.Replicas.Current()
	if n.closed || base == nil {
		return
	}
	if err := n.updateReplica(ctx, base, func(r *ledger.Replica) error { return r.Rules(a.Rules) }); err != nil {
		n.cfg.Log.Warn("cannot save the organization's rules", "error", err)
	}
}
