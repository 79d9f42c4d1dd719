// Package feed is what replicas read: a snapshot to start with, then the changes.
//
// A change is a journal entry with the documents and balances as they are now. The
// notifier wakes callers that wait for the next one. The epoch tells replicas that the
// data was restored from a backup, so that they start over.
package feed

import (
	"context"
	"sync/atomic"

	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// A Feed is what replicas read: the changes, and snapshots to start with.
type Feed struct {
	notifier
	store      store.Store
	shared     store.Shared // nil if no other process writes
	newID      func() api.ID
	supports   func(operation string) bool
	epochCache epochCache
}

// New returns the feed of a store, whose service supports some operations.
func New(st store.Store, newID func() api.ID, supports func(operation string) bool) *Feed {
	shared, _ := st.(store.Shared)
	return &Feed{store: st, shared: shared, newID: newID, supports: supports}
}

// The epoch tells replicas that the data was restored from a backup: sequence
// numbers after the backup may be assigned again to other changes. It is one row
// of the system's partition.

var epochKey = []byte("epoch")

// An epochCache has the epoch in memory; nil until loaded.
type epochCache struct{ id atomic.Pointer[api.ID] }

func (f *Feed) epochID() api.ID { return *f.epochCache.id.Load() }

func (f *Feed) epoch() string { return f.epochID().String() }

// LoadEpoch loads the epoch, and creates the first one.
func (f *Feed) LoadEpoch(ctx context.Context) error {
	if f.epochCache.id.Load() != nil {
		return nil
	}
	return f.replaceEpoch(ctx, false)
}

// NewEpoch starts a new epoch.
func (f *Feed) NewEpoch(ctx context.Context) error { return f.replaceEpoch(ctx, true) }

func (f *Feed) replaceEpoch(ctx context.Context, replace bool) error {
	var id api.ID
	err := f.store.Update(ctx, store.Partition{}, func(tx store.Tx) error {
		data, err := tx.Get(stored.MetaTable, epochKey)
		if err != nil {
			return err
		}
		if len(data) == 16 && !replace {
			id = api.ID(data)
			return nil
		}
		id = f.newID()
		return tx.Put(stored.MetaTable, epochKey, id[:])
	})
	if err != nil {
		return err
	}
	f.epochCache.id.Store(&id)
	return nil
}
