package syncer

import (
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger/replica"
)

// A changeLookup is a request for the change with the key of an operation.
type changeLookup struct {
	op *outbox.Operation // nil while nothing is looked up
	at time.Time
	// position is that of the current replica.
	position outbox.Position
}

// nextLookup returns the request for the change of an operation whose outcome is not
// known, or nil if there is none. It names the replica's position, so that only a service
// with the same history answers.
func (f *feed) nextLookup(at replica.Position) *api.Request {
	f.lookup = changeLookup{}
	if f.noLookups || f.stage != nil || len(f.changes) > 0 {
		return nil
	}

	op := f.Queue.NextLookup(f.Now())
	if op == nil {
		return nil
	}

	f.lookup = changeLookup{op, f.Now(), outbox.Position{Seq: at.Seq, Hash: at.Hash}}
	none := int64(0)

	return NewRequest(api.ListChanges,
		api.ListChangesInput{Key: op.Key, After: &at.Seq, Hash: at.Hash, Epoch: at.Epoch, Wait: &none})
}

// lookedUp takes the answer to a lookup. A change that the replica does not have yet is
// left to the feed.
func (f *feed) lookedUp(c *api.Changes) error {
	asked := f.lookup
	f.lookup = changeLookup{}
	if c.Key != asked.op.Key { // an older service
		f.noLookups = true
		return nil
	}

	f.showsHistory(c)
	f.Queue.LookedUp(asked.at, asked.op, len(c.Items) > 0)
	if len(c.Items) == 0 || c.Items[0].Seq > asked.position.Seq {
		return nil
	}
	if asked.op.State == outbox.Held && c.Items[0].Client == nil {
		// The service has rejected it as the work of another program.
		return f.Queue.Commit(f.Queue.RecordedElse(f.Now(), asked.op, &c.Items[0]))
	}

	f.Rebuild = true
	if err := markRecorded(f.Local, c.Items); err != nil {
		return err
	}

	_, err := confirm(f.Local, c.Items, nil, nil, asked.position)

	return err
}
