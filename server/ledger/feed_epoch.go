package ledger

import (
	"context"
	"sync/atomic"

	"bincard/server/api"
	"bincard/server/store"
)

// The epoch tells replicas that the data was restored from a backup: sequence
// numbers after the backup may be assigned again to other changes. It is one row
// of the system's partition.

var epochKey = []byte("epoch")

// An epochCache has the epoch in memory; nil until loaded.
type epochCache struct{ id atomic.Pointer[api.ID] }

func (f *feed) epochID() api.ID { return *f.epochCache.id.Load() }

func (f *feed) epoch() string { return f.epochID().String() }

// loadEpoch loads the epoch, and creates the first one.
func (f *feed) loadEpoch(ctx context.Context) error {
	if f.epochCache.id.Load() != nil {
		return nil
	}
	return f.replaceEpoch(ctx, false)
}

// newEpoch starts a new epoch.
func (f *feed) newEpoch(ctx context.Context) error { return f.replaceEpoch(ctx, true) }

func (f *feed) replaceEpoch(ctx context.Context, replace bool) error {
	var id api.ID
	err := f.store.Update(ctx, store.Partition{}, func(tx store.Tx) error {
		data, err := tx.Get(metaTable, epochKey)
		if err != nil {
			return err
		}
		if len(data) == 16 && !replace {
			id = api.ID(data)
			return nil
		}
		id = f.newID()
		return tx.Put(metaTable, epochKey, id[:])
	})
	if err != nil {
		return err
	}
	f.epochCache.id.Store(&id)
	return nil
}
