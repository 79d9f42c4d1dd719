package report

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
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

// NewFeed returns the feed of a store, whose service supports some operations.
func NewFeed(st store.Store, newID func() api.ID, supports func(operation string) bool) *Feed {
	shared, _ := st.(store.Shared)
	return &Feed{store: st, shared: shared, newID: newID, supports: supports}
}

// The epoch tells replicas that the data was restored from a backup: sequence
// numbers after the backup may be assigned again to other changes. It is one row
// of the system's partition.

var epochKey = []byte("epoch")

// An epochCache has the epoch in memory.
type epochCache struct {
	mu      sync.Mutex
	id      api.ID
	known   bool // it need not be read again
	changes int  // an epoch read before a change is not known after it
}

func (f *Feed) epochID() api.ID {
	f.epochCache.mu.Lock()
	defer f.epochCache.mu.Unlock()
	return f.epochCache.id
}

func (f *Feed) epoch() string { return f.epochID().String() }

// LoadEpoch loads the epoch, and creates the first one.
func (f *Feed) LoadEpoch(ctx context.Context) error {
	if err := store.Refresh(ctx, f.store, store.Partition{}); err != nil {
		return err
	}

	f.epochCache.mu.Lock()
	known := f.epochCache.known
	f.epochCache.mu.Unlock()
	if known {
		return nil
	}

	return f.replaceEpoch(ctx, false)
}

// NewEpoch starts a new epoch.
func (f *Feed) NewEpoch(ctx context.Context) error { return f.replaceEpoch(ctx, true) }

func (f *Feed) replaceEpoch(ctx context.Context, replace bool) error {
	f.epochCache.mu.Lock()
	changes := f.epochCache.changes
	f.epochCache.mu.Unlock()
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

	f.epochCache.mu.Lock()
	defer f.epochCache.mu.Unlock()
	f.epochCache.id, f.epochCache.known = id, f.epochCache.changes == changes

	return nil
}

// Changed notes that another process has changed rows of a partition, or nil if they are not
// known, and wakes the callers that wait for it.
func (f *Feed) Changed(p store.Partition, rows []store.Row) {
	has := func(table string, key []byte) bool {
		return rows == nil || slices.ContainsFunc(rows, func(row store.Row) bool {
			return row.Table == table && (key == nil || bytes.Equal(row.Key, key))
		})
	}
	switch system := (store.Partition{}); {
	case p == system && has(stored.MetaTable, epochKey):
		f.epochCache.mu.Lock()
		f.epochCache.known = false
		f.epochCache.changes++
		f.epochCache.mu.Unlock()
		f.NotifyAll()

	case p != system && has(journal.Entries.Name, nil):
		f.Notify(p)
	}
}
