package syncer

import (
	"context"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger/replica"
)

// recordProgress writes to the journal what the replica contains now: the
// operations accepted before the changes were requested, and the changes. agreed is when
// the service and the replica agreed before. It reports whether there was anything to
// write.
func (f *feed) recordProgress(ctx context.Context, epoch string, agreed time.Time, changes []api.Change) (bool, error) {
	newEpoch, err := setEpoch(f.Local, epoch, agreed)
	if err != nil {
		return false, err
	}

	at, err := f.Replicas.Position(ctx, f.Replicas.Current())
	if err != nil {
		return false, err
	}

	inReplica, err := f.inReplica(ctx, f.acceptedBefore)
	if err != nil {
		return false, err
	}

	recorded, err := confirm(f.Local, changes, f.acceptedBefore, inReplica, outbox.Position{Seq: at.Seq, Hash: at.Hash})
	if err == nil && recorded {
		err = f.Queue.CompactJournal(f.Now())
	}

	return newEpoch || recorded, err
}

// inReplica returns which of these operations the replica has. The program may have ended
// after it applied their changes, and before it recorded that. What a snapshot contains has
// no keys.
func (f *feed) inReplica(ctx context.Context, keys []string) (map[string]bool, error) {
	found := map[string]bool{}
	if len(keys) == 0 {
		return found, nil
	}

	err := f.Replicas.View(ctx, f.Replicas.Current(), func(r *replica.Tx) error {
		for _, key := range keys {
			operation, err := r.OperationOf(key)
			if err != nil {
				return err
			}
			found[key] = operation == f.Queue.Operation(key).SpecID
		}
		return nil
	})

	return found, err
}

// answerAge is the age that an answer with changes can have when it arrives: the service
// waits for changes, and the network may delay the answer.
const answerAge = time.Minute

// agreedAt returns when the service and the replica last had the same changes, if these
// arrived at a time. It is zero if none arrived.
func agreedAt(synced time.Time) time.Time {
	if synced.IsZero() {
		return synced
	}
	return synced.Add(-answerAge)
}

// setEpoch records the epoch that the replica follows. After a change of
// epoch, the operations confirmed in the old one wait to be confirmed again.
func setEpoch(l *Local, epoch string, agreed time.Time) (bool, error) {
	if epoch == l.Queue.Epoch {
		return false, nil
	}
	return true, l.Queue.Commit(&outbox.Entry{Epoch: &outbox.Epoch{ID: epoch, At: l.Now(), AgreedAt: agreed}})
}

// markRecorded records what the service's changes say of the operations here, whatever
// became of their answers: those among the changes are done, and one whose key the service
// recorded for something else is quarantined. It runs before the changes are applied to the
// replica: after that they are not read again.
func markRecorded(l *Local, changes []api.Change) error {
	var entries []*outbox.Entry
	for i := range changes {
		c := &changes[i]
		op := l.Queue.Operation(c.Key)
		switch {
		case op == nil || op.Confirmed:
		case !l.Queue.IsRecordedAs(op, c):
			entries = append(entries, l.Queue.RecordedElse(l.Now(), op, c))
		case op.State == outbox.Replaced:
			entries = append(entries, l.Queue.RecordedReplaced(l.Now(), op)...)
		default:
			entries = append(entries, l.Queue.MarkDone(l.Now(), op))
		}
	}

	return l.Queue.Commit(entries...)
}

// confirm records which operations the replica contains. One that was accepted before the
// changes were requested, and is neither among them nor in the replica, is sent again; if only
// a snapshot contained it, the service answers that it was done before.
func confirm(
	l *Local,
	changes []api.Change,
	acceptedBefore []string,
	inReplica map[string]bool,
	at outbox.Position,
) (bool, error) {
	var entries []*outbox.Entry
	var keys []string
	found := map[string]bool{}
	for i := range changes {
		c := &changes[i]
		op := l.Queue.Operation(c.Key)
		if op == nil || op.Confirmed {
			continue
		}

		found[op.Key] = true
		if op.State == outbox.Done && l.Queue.IsRecordedAs(op, c) {
			keys = append(keys, op.Key)
		}
	}

	for _, key := range acceptedBefore {
		op := l.Queue.Operation(key)
		if found[key] || op.State != outbox.Done || op.Confirmed {
			continue
		}
		var again []*outbox.Entry
		if !inReplica[key] {
			again = l.Queue.SendUnrecorded(l.Now(), op)
		}
		if again == nil {
			keys = append(keys, key)
		}
		entries = append(entries, again...)
	}

	if len(keys) > 0 {
		entries = append(entries, &outbox.Entry{Confirm: &outbox.Confirm{Keys: keys, Position: at}})
	}

	return len(entries) > 0, l.Queue.Commit(entries...)
}
