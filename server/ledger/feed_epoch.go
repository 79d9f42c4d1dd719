package ledger

import (
	"context"
	"sync/atomic"

	"bincard/server/api"
	"bincard/server/store"
)

// The epoch tells replicas that the data was restored from a backup: the
// counters after the backup may then be given out a second time, for other
// changes. It is one row of the system's partition.

var epochKey = []byte("epoch")

// An epochCache is the epoch as this process knows it; nil until it was asked for.
type epochCache struct{ id atomic.Pointer[api.ID] }

func (l *Ledger) epochID() api.ID { return *l.epochCache.id.Load() }

func (l *Ledger) epoch() string { return l.epochID().String() }

// loadEpoch reads the epoch once, and begins the first one.
func (l *Ledger) loadEpoch(ctx context.Context) error {
	if l.epochCache.id.Load() != nil {
		return nil
	}
	return l.replaceEpoch(ctx, false)
}

// NewEpoch begins another epoch. It is to be called when the data was restored
// from a backup, before anybody is served: replicas then begin anew.
func (l *Ledger) NewEpoch(ctx context.Context) error { return l.replaceEpoch(ctx, true) }

func (l *Ledger) replaceEpoch(ctx context.Context, anew bool) error {
	var now api.ID
	err := l.store.Update(ctx, store.Partition{}, func(tx store.Tx) error {
		data, err := tx.Get(metaTable, epochKey)
		if err != nil {
			return err
		}
		if len(data) == 16 && !anew {
			now = api.ID(data)
			return nil
		}
		now = l.newID()
		return tx.Put(metaTable, epochKey, now[:])
	})
	if err != nil {
		return toAPIError(ctx, err)
	}
	l.epochCache.id.Store(&now)
	return nil
}
