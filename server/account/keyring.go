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
// no read either. That is safe because only this process opens the store.
type keyring struct {
	store   store.Store
	log     *slog.Logger
	keys    sync.Map     // public id → *cachedKey
	loading sync.RWMutex // locked while a key is revoked, which must not be cached again

	valid   sync.Map // public id of a key that is not revoked → struct{}
	scanned atomic.Bool
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
	if k, ok := r.keys.Load(public); ok {
		return k.(*cachedKey), nil
	}
	if err := r.findValid(ctx); err != nil {
		return nil, err
	}
	if _, ok := r.valid.Load(public); !ok {
		return nil, nil
	}
	r.loading.RLock()
	defer r.loading.RUnlock()
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
	k := &cachedKey{digest: row.Digest, caller: api.Caller{Organization: row.Organization, Environment: row.Environment,
		Actor: api.Actor{Type: api.APIKey, ID: row.ID.String(), Label: row.Label}, Scopes: row.Scopes, KeyID: row.ID, KeyLabel: row.Label}}
	if row.ExpiresAt != nil {
		k.expires, k.caller.ExpiresAt = row.ExpiresAt.UnixMilli(), *row.ExpiresAt
	}
	if row.LastUsedAt != nil {
		k.used.Store(row.LastUsedAt.UnixMilli())
		k.savedUse.Store(row.LastUsedAt.UnixMilli())
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
	r.loading.RLock()
	defer r.loading.RUnlock()
	err := r.store.View(ctx, store.Partition{}, func(tx store.Reader) error {
		return Keys.Scan(tx, store.Range{}, func(k *KeyRow) error {
			r.add(k)
			return nil
		})
	})
	if err != nil {
		return err
	}
	r.scanned.Store(true)
	return nil
}

// add adds a stored key.
func (r *keyring) add(k *KeyRow) {
	if k.RevokedAt == nil {
		r.valid.Store(k.Public, struct{}{})
	}
}

// remove removes a revoked key. The caller holds r.loading.
func (r *keyring) remove(k *KeyRow) {
	r.valid.Delete(k.Public)
	r.keys.Delete(k.Public)
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
		at := time.UnixMilli(k.used.Load()).UTC()
		row.LastUsedAt = &at
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
		if ms := k.(*cachedKey).used.Load(); ms != 0 {
			at := time.UnixMilli(ms).UTC()
			out.LastUsedAt = &at
		}
	}
	return out
}
