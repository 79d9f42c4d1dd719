package feed

import (
	"context"
	"slices"

	"bincard/offline/outbox"
	"bincard/offline/syncer"
	"bincard/server/api"
	"bincard/server/ledger/replica"
)

// applyChanges collects changes and applies them once they reach the latest
// one. Before that, the documents and balances read with them are newer than
// the changes.
func (f *Syncer) applyChanges(ctx context.Context, c *api.Changes) error {
	f.changes = append(f.changes, c.Items...)
	if len(f.changes) > 0 && f.changes[len(f.changes)-1].Seq < c.Latest {
		if len(f.changes) > snapshotThreshold {
			return f.restage()
		}
		return nil
	}
	target := f.stage
	if target == nil {
		target = f.Replicas.Current()
	}
	changes := f.changes
	f.changes = nil
	if len(changes) > 0 {
		err := f.Replicas.Update(ctx, target, func(r *replica.Tx) error { return r.Changes(c.Epoch, changes) })
		if err != nil {
			f.failures++
			return syncer.Abort(err)
		}
		f.failures = 0
	}
	f.SyncedAt = f.Now()
	fresh := f.stage != nil
	if fresh {
		f.stage = nil
		if err := f.Replicas.Replace(false); err != nil {
			return syncer.Abort(err)
		}
	}
	recorded, err := f.recordProgress(c.Epoch, changes)
	f.Rebuild = fresh || recorded || len(changes) > 0
	return err
}

// recordProgress writes to the journal what the replica contains now.
func (f *Syncer) recordProgress(epoch string, changes []api.Change) (bool, error) {
	newEpoch, err := f.setEpoch(epoch)
	if err != nil {
		return false, err
	}
	confirmed, err := f.confirm(changes)
	if err == nil && confirmed {
		err = f.Queue.CompactJournal(f.Now())
	}
	return newEpoch || confirmed, err
}

// setEpoch records the epoch that the replica follows. After a change of
// epoch, the operations confirmed in the old one wait to be confirmed again.
func (f *Syncer) setEpoch(epoch string) (bool, error) {
	if epoch == f.Queue.Epoch {
		return false, nil
	}
	return true, f.Queue.Commit(&outbox.Entry{Epoch: &outbox.Epoch{ID: epoch, At: f.Now()}})
}

// confirm records which operations the replica contains: those among the
// changes, whatever became of their answers, and those accepted before the
// changes were requested.
func (f *Syncer) confirm(changes []api.Change) (bool, error) {
	var entries []*outbox.Entry
	var keys []string
	for i := range changes {
		op := f.Queue.Operation(changes[i].Key)
		if op == nil || op.Confirmed {
			continue
		}
		if op.State != outbox.Done {
			entries = append(entries, f.Queue.MarkDone(f.Now(), op.Key))
		}
		keys = append(keys, op.Key)
	}
	for _, key := range f.acceptedBefore {
		if op := f.Queue.Operation(key); op.State == outbox.Done && !op.Confirmed && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	if len(keys) > 0 {
		entries = append(entries, &outbox.Entry{Confirm: &outbox.Confirm{Keys: keys}})
	}
	return len(keys) > 0, f.Queue.Commit(entries...)
}
