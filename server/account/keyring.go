package account

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"bincard/server/api"
	"bincard/server/store"
)

// A keyring caches the keys in use, so that authenticating a request costs one
// hash and no read. It knows the public ids of all keys, so that an unknown key costs
// no read either. Before either it asks what other processes have changed.
type keyring struct {
	store store.Store
	log   *slog.Logger
	keys  sync.Map // public id → *cachedKey
	valid sync.Map // public id of a key that may be valid → struct{}

	mu      sync.Mutex
	changes int // calls of forget; a key read before one is not cached after it
	resets  int
	scanned atomic.Bool // valid is complete
	scan    sync.Mutex
}

// A cachedKey is a key that is not revoked.
type cachedKey struct {
	caller   api.Caller
	digest   []byte
	expires  int64        // Unix milliseconds; 0 is never
	used     atomic.Int64 // last use, Unix milliseconds
	savedUse atomic.Int64 // last use in the store, Unix milliseconds
}

// lastUseInterval is the minimum time between two stored uses of a key.
const lastUseInterval = time.Hour

// load returns the key with a public id, or nil when it does not exist or is revoked.
func (r *keyring) load(ctx context.Context, public string) (*cachedKey, error) {
	if err := store.Refresh(ctx, r.store, store.Partition{}); err != nil {
		return nil, err
	}
	if k, ok := r.keys.Load(public); ok {
		return k.(*cachedKey), nil
	}
	if err := r.findValid(ctx); err != nil {
		return nil, err
	}
	if _, ok := r.valid.Load(public); !ok {
		return nil, nil
	}

	r.mu.Lock()
	changes := r.changes
	r.mu.Unlock()
	var row *KeyRow
	err := r.store.View(ctx, store.Partition{}, func(tx store.Reader) (err error) {
		row, err = keyOfPublic(tx, public)
		return err
	})
	if err != nil {
		return nil, err
	}
	if row == nil || row.RevokedAt != nil {
		return nil, nil
	}

	k := &cachedKey{digest: row.Digest, caller: api.Caller{
		Organization: row.Organization,
		Environment:  row.Environment,
		Actor: api.Actor{
			Type:  api.APIKey,
			ID:    row.ID.String(),
			Label: row.Label,
		},
		Scopes:   row.Scopes,
		KeyID:    row.ID,
		KeyLabel: row.Label,

		LocationID:   row.LocationID,
		LocationCode: row.Location,
		Role:         row.Role,
	}}

	if row.ExpiresAt != nil {
		k.expires, k.caller.ExpiresAt = row.ExpiresAt.UnixMilli(), *row.ExpiresAt
	}
	if row.LastUsedAt != nil {
		k.used.Store(row.LastUsedAt.UnixMilli())
		k.savedUse.Store(row.LastUsedAt.UnixMilli())
	}

	r.mu.Lock()
	defer r.mu.Unlock()
	if r.changes != changes {
		return k, nil
	}

	got, _ := r.keys.LoadOrStore(public, k)

	return got.(*cachedKey), nil
}

// findValid adds the public ids in the store to r.valid, once.
func (r *keyring) findValid(ctx context.Context) error {
	if r.scanned.Load() {
		return nil
	}

	r.scan.Lock()
	defer r.scan.Unlock()
	if r.scanned.Load() {
		return nil
	}

	r.mu.Lock()
	resets := r.resets
	r.mu.Unlock()
	err := r.store.View(ctx, store.Partition{}, func(tx store.Reader) error {
		return Keys.Scan(tx, store.Range{}, func(k *KeyRow) error {
			r.add(k)
			return nil
		})
	})
	if err != nil {
		return err
	}

	r.mu.Lock()
	defer r.mu.Unlock()
	r.scanned.Store(r.resets == resets)

	return nil
}

// add adds a stored key.
func (r *keyring) add(k *KeyRow) {
	if k.RevokedAt == nil {
		r.valid.Store(k.Public, struct{}{})
	}
}

// forget removes a key that has changed, so that it is read again.
func (r *keyring) forget(k *KeyRow) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes++
	if k.RevokedAt != nil {
		r.valid.Delete(k.Public)
	}
	r.keys.Delete(k.Public)
}

// reset removes all keys.
func (r *keyring) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes++
	r.resets++
	r.scanned.Store(false)
	r.keys.Clear()
}

// markUsed records a use in memory and reports whether to save it.
func (k *cachedKey) markUsed(now time.Time) bool {
	ms := now.UnixMilli()
	k.used.Store(ms)
	saved := k.savedUse.Load()
	return ms-saved >= lastUseInterval.Milliseconds() && k.savedUse.CompareAndSwap(saved, ms)
}

// saveLastUse saves the last use of a key. It is best effort.
func (r *keyring) saveLastUse(k *cachedKey) {
	id := k.caller.KeyID
	err := r.store.Update(context.Background(), store.Partition{}, func(tx store.Tx) error {
		row, err := Keys.Get(tx, id[:])
		if row == nil || err != nil {
			return err
		}
		row.LastUsedAt = latest(row.LastUsedAt, k.used.Load())
		return Keys.Put(tx, row)
	})
	if err != nil {
		r.log.Debug("could not save the last use of a key", "key", id, "error", err)
	}
}

// withLastUse returns the key with its last use from memory.
func (r *keyring) withLastUse(row *KeyRow) APIKey {
	out := row.APIKey
	if k, ok := r.keys.Load(row.Public); ok {
		out.LastUsedAt = latest(out.LastUsedAt, k.(*cachedKey).used.Load())
	}
	return out
}

// latest returns the later of a stored time of use and used, which is in Unix milliseconds,
// or 0 for a key that was not used.
func latest(stored *time.Time, used int64) *time.Time {
	if at := time.UnixMilli(used).UTC(); used != 0 && (stored == nil || stored.Before(at)) {
		return &at
	}
	return stored
}

// changed notes that another process has changed rows of the system's partition, or nil if
// they are not known. It returns the partitions of the changed keys.
func (r *keyring) changed(rows []store.Row) (of []store.Partition) {
	if rows == nil {
		r.reset()
	}

	for _, row := range rows {
		if row.Table != Keys.Name {
			continue
		}

		k := &KeyRow{}
		if row.Value == nil || Keys.Codec.Decode(row.Value, k) != nil {
			r.reset()
			continue
		}

		r.add(k)
		r.forget(k)
		of = append(of, store.Partition{Organization: k.Organization, Environment: string(k.Environment)})
	}

	return of
}
