package feed

import (
	"bincard/offline/syncer"
	"bincard/server/api"
	"bincard/server/ledger/replica"
)

// A service that went back to an earlier state lacks the reader's last change, which
// the service reports for each read. A new or older replica does not have that change.
// Then the journal names it: the change up to which operations were confirmed.

// checkHistory returns the request that finds out whether the service has the change
// up to which operations were confirmed, nil if the replica itself shows it or it was
// found out already. While nothing may be sent for that, it precedes the download of a
// replica; the service may go back until that is complete, so it follows it too.
func (f *Syncer) checkHistory(at replica.Position) *api.Request {
	last := f.Queue.ConfirmedAt
	if f.checking = f.Queue.HistoryUnknown(); at.Complete {
		f.checking = !f.historyChecked && (f.stage != nil && last.Seq > 0 || at.Seq < last.Seq)
	}
	if !f.checking {
		return nil
	}
	one, none := int64(1), int64(0)
	return syncer.NewRequest(api.ListChanges, api.ListChangesInput{After: &last.Seq, Hash: last.Hash, Epoch: f.Queue.Epoch, Limit: &one, Wait: &none})
}

// showsHistory records that an answer continues the current replica.
func (f *Syncer) showsHistory(c *api.Changes) {
	if f.stage == nil && c.Epoch == f.Queue.Epoch {
		f.Queue.HistoryKnown(f.doubts)
	}
}

// historyAnswered takes the error of the request of checkHistory, nil for an answer.
func (f *Syncer) historyAnswered(err error) error {
	if err == nil {
		f.Queue.HistoryKnown(f.doubts)
	} else if err := f.sendAgain(err); err != nil {
		return err
	}
	f.checking, f.historyChecked = false, f.filled
	return nil
}
