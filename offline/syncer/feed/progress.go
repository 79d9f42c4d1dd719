package feed

import (
	"bincard/offline/outbox"
	"bincard/offline/syncer"
	"bincard/server/api"
)

// recordProgress writes to the journal what the replica contains now: the
// operations accepted before the changes were requested, and the changes. fresh is
// set for the first changes after a snapshot. It reports whether there was anything to
// write.
func recordProgress(l *syncer.Local, epoch string, changes []api.Change, acceptedBefore []string, fresh bool) (bool, error) {
	newEpoch, err := setEpoch(l, epoch)
	if err != nil {
		return false, err
	}
	recorded, err := confirm(l, changes, acceptedBefore, fresh)
	if err == nil && recorded {
		err = l.Queue.CompactJournal(l.Now())
	}
	return newEpoch || recorded, err
}

// setEpoch records the epoch that the replica follows. After a change of
// epoch, the operations confirmed in the old one wait to be confirmed again.
func setEpoch(l *syncer.Local, epoch string) (bool, error) {
	if epoch == l.Queue.Epoch {
		return false, nil
	}
	return true, l.Queue.Commit(&outbox.Entry{Epoch: &outbox.Epoch{ID: epoch, At: l.Now()}})
}

// confirm records which operations the replica contains: those among the changes,
// whatever became of their answers. An operation whose key the service recorded for
// something else is quarantined. One that was accepted before the changes were requested
// and is not among them is sent again, unless a snapshot contains it.
func confirm(l *syncer.Local, changes []api.Change, acceptedBefore []string, fresh bool) (bool, error) {
	var entries []*outbox.Entry
	var keys []string
	add := func(e *outbox.Entry) {
		if e != nil {
			entries = append(entries, e)
		}
	}
	found := map[string]bool{}
	for i := range changes {
		c := &changes[i]
		op := l.Queue.Operation(c.Key)
		if op == nil || op.Confirmed {
			continue
		}
		found[op.Key] = true
		if !l.Queue.IsRecordedAs(op, c) {
			add(l.Queue.RecordedElse(l.Now(), op.Key, c))
			continue
		}
		if op.State != outbox.Done {
			add(l.Queue.MarkDone(l.Now(), op.Key))
		}
		keys = append(keys, op.Key)
	}
	for _, key := range acceptedBefore {
		op := l.Queue.Operation(key)
		if found[key] || op.State != outbox.Done || op.Confirmed {
			continue
		}
		if e := l.Queue.SendUnrecorded(l.Now(), key); e != nil && !fresh {
			add(e)
		} else {
			keys = append(keys, key)
		}
	}
	if len(keys) > 0 {
		entries = append(entries, &outbox.Entry{Confirm: &outbox.Confirm{Keys: keys}})
	}
	return len(entries) > 0, l.Queue.Commit(entries...)
}
