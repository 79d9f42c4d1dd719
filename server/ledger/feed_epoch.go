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

func (l *Ledger) epochID() api.ID { return *l.epochCache.id.Load() }

func (l *Ledger) epoch() string { return l.epochID().String() }

// loadEpoch loads the epoch, and creates the first one.
func (l *Ledger) loadEpoch(ctx context.Context) error {
	if l.epochCache.id.Load() != nil {
		return nil
	}
	return l.replaceEpoch(ctx, false)
}

// NewEpoch starts a new epoch, so that replicas start over. Call it after
// restoring a backup, before serving requests.
func (l *Ledger) NewEpoch(ctx context.Context) error { return l.replaceEpoch(ctx, true) }

func (l *Ledger) replaceEpoch(ctx context.Context, replace bool) error {
	var id api.ID
	err := l.store.Update(ctx, store.Partition{}, func(tx store.Tx) error {
		data, err := tx.Get(metaTable, epochKey)
		if err != nil {
			return err
		}
		if len(data) == 16 && !replace {
			id = api.ID(data)
			return nil
		}
		id = l.newID()
		return tx.Put(metaTable, epochKey, id[:])
	})
	if err != nil {
		return toAPIError(ctx, err)
	}
	l.epochCache.id.Store(&id)
	return nil
}
