package feed

import (
	"slices"

	"bincard/offline/outbox"
	"bincard/offline/syncer"
	"bincard/server/api"
)

// recordProgress writes to the journal what the replica contains now: the
// operations accepted before the changes were requested, and the changes. It
// reports whether there was anything to write.
func recordProgress(l *syncer.Local, epoch string, changes []api.Change, acceptedBefore []string) (bool, error) {
	newEpoch, err := setEpoch(l, epoch)
	if err != nil {
		return false, err
	}
	confirmed, err := confirm(l, changes, acceptedBefore)
	if err == nil && confirmed {
		err = l.Queue.CompactJournal(l.Now())
	}
	return newEpoch || confirmed, err
}

// setEpoch records the epoch that the replica follows. After a change of
// epoch, the operations confirmed in the old one wait to be confirmed again.
func setEpoch(l *syncer.Local, epoch string) (bool, error) {
	if epoch == l.Queue.Epoch {
		return false, nil
	}
	return true, l.Queue.Commit(&outbox.Entry{Epoch: &outbox.Epoch{ID: epoch, At: l.Now()}})
}

// confirm records which operations the replica contains: those among the
// changes, whatever became of their answers, and those accepted before the
// changes were requested.
func confirm(l *syncer.Local, changes []api.Change, acceptedBefore []string) (bool, error) {
	var entries []*outbox.Entry
	var keys []string
	for i := range changes {
		op := l.Queue.Operation(changes[i].Key)
		if op == nil || op.Confirmed {
			continue
		}
		if op.State != outbox.Done {
			entries = append(entries, l.Queue.MarkDone(l.Now(), op.Key))
		}
		keys = append(keys, op.Key)
	}
	for _, key := range acceptedBefore {
		if op := l.Queue.Operation(key); op.State == outbox.Done && !op.Confirmed && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	if len(keys) > 0 {
		entries = append(entries, &outbox.Entry{Confirm: &outbox.Confirm{Keys: keys}})
	}
	return len(keys) > 0, l.Queue.Commit(entries...)
}
