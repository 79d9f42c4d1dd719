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
// found out already.
func (f *Syncer) checkHistory(at replica.Position) *api.Request {
	last := f.Queue.ConfirmedAt
	f.checking = !f.historyChecked && (f.stage != nil && last.Seq > 0 || at.Seq < last.Seq)
	if !f.checking {
		return nil
	}
	one, none := int64(1), int64(0)
	return syncer.NewRequest(api.ListChanges, api.ListChangesInput{After: &last.Seq, Hash: last.Hash, Epoch: f.Queue.Epoch, Limit: &one, Wait: &none})
}

// historyAnswered takes the error of the request of checkHistory, nil for an answer. A
// service with another epoch is no concern here: all operations are sent again.
func (f *Syncer) historyAnswered(err error) error {
	if err != nil {
		if err := f.sendAgain(err); err != nil {
			return err
		}
	}
	f.checking, f.historyChecked = false, true
	return nil
}
