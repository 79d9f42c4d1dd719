package syncer

import (
	"context"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger/replica"
)

// A service that went back to an earlier state lacks the reader's last change, which
// the service reports for each read. A new or older replica does not have that change.
// Then the journal names it: the change up to which operations were confirmed.

// checkHistory returns the request that finds out whether the service has the change
// up to which operations were confirmed, or nil if the replica itself shows it or it was
// found out already. While nothing may be sent for that, it precedes the download of a
// replica. The service may go back until the replica is complete and as new as the journal.
// So the request is repeated after the download, and before changes are applied to a replica
// that is older than the journal.
func (f *feed) checkHistory(at replica.Position) *api.Request {
	last := f.Queue.ConfirmedAt
	switch {
	case !at.Complete:
		f.checking = f.Queue.HistoryUnknown()
	case at.Seq < last.Seq:
		f.checking = f.collected != nil
	default:
		f.checking = !f.historyChecked && f.stage != nil && last.Seq > 0
	}

	if !f.checking {
		return nil
	}

	return NewHistoryCheck(last, f.Queue.Epoch)
}

// NewHistoryCheck returns the request that finds out whether the service has the change at a
// position.
func NewHistoryCheck(at outbox.Position, epoch string) *api.Request {
	one, none := int64(1), int64(0)
	return NewRequest(api.ListChanges,
		api.ListChangesInput{After: &at.Seq, Hash: at.Hash, Epoch: epoch, Limit: &one, Wait: &none})
}

// showsHistory records that an answer continues the current replica, if that is as new as
// the journal.
func (f *feed) showsHistory(c *api.Changes) {
	if f.stage == nil && c.Epoch == f.Queue.Epoch && !f.behind {
		f.Queue.HistoryKnown(f.doubts)
	}
}

// historyAnswered takes the error of the request of checkHistory, nil for an answer.
func (f *feed) historyAnswered(ctx context.Context, err error) error {
	if err == nil {
		f.Queue.HistoryKnown(f.doubts)
	} else if err := f.sendAgain(err); err != nil {
		return err
	}

	f.checking, f.historyChecked = false, f.filled
	if c := f.collected; c != nil {
		return f.applyCollected(ctx, c)
	}

	return nil
}
