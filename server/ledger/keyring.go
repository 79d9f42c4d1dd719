package ledger

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"bincard/server/api"
	"bincard/server/store"
)

// A keyring remembers the keys in use, so that a request costs one hash and no
// look at the store. It can, because this process alone has the store.
type keyring struct {
	keys    sync.Map // public id → *knownKey
	loading sync.Mutex
}

// A cachedKey is a key that is not revoked.
type cachedKey struct {
	caller   api.Caller
	digest   []byte
	expires  int64        // Unix milliseconds; 0 is never
	used     atomic.Int64 // when it was used last, Unix milliseconds
	savedUse atomic.Int64 // what of that the store knows
}

// lastUseInterval is how much later a use must be than the one the store knows to be written.
const lastUseInterval = time.Hour

// loadKey is the key with the public id, or nil when there is none that is valid.
func (l *Ledger) loadKey(ctx context.Context, public string) (*cachedKey, error) {
	if k, ok := l.keyring.keys.Load(public); ok {
		return k.(*cachedKey), nil
	}
	l.keyring.loading.Lock()
	defer l.keyring.loading.Unlock()
	var row *apiKey
	err := l.store.View(ctx, store.Partition{}, func(r store.Reader) (err error) {
		row, err = keyOfPublic(r, public)
		return err
	})
	if err != nil {
		return nil, toAPIError(ctx, err)
	}
	if row == nil || row.RevokedAt != nil {
		return nil, nil
	}
	k := &cachedKey{digest: row.Digest, caller: api.Caller{Organization: row.Organization, Environment: row.Environment,
		Actor: api.Actor{Type: api.APIKey, ID: row.ID.String(), Label: row.Label}, Scopes: row.Scopes, KeyID: row.ID, KeyLabel: row.Label}}
	if row.ExpiresAt != nil {
		k.expires = row.ExpiresAt.UnixMilli()
	}
	if row.LastUsedAt != nil {
		k.used.Store(row.LastUsedAt.UnixMilli())
		k.savedUse.Store(row.LastUsedAt.UnixMilli())
	}
	got, _ := l.keyring.keys.LoadOrStore(public, k)
	return got.(*cachedKey), nil
}

// markUsed notes a use, and tells whether the store should be told of it.
func (k *cachedKey) markUsed(now time.Time) bool {
	ms := now.UnixMilli()
	k.used.Store(ms)
	noted := k.savedUse.Load()
	return ms-noted >= lastUseInterval.Milliseconds() && k.savedUse.CompareAndSwap(noted, ms)
}

// saveLastUse writes the last use down. It is a courtesy: when it fails nobody is told.
func (l *Ledger) saveLastUse(k *cachedKey) {
	id := k.caller.KeyID
	err := l.store.Update(context.Background(), store.Partition{}, func(tx store.Tx) error {
		row, err := apiKeys.Get(tx, id[:])
		if row == nil || err != nil {
			return err
		}
		at := time.UnixMilli(k.used.Load()).UTC()
		row.LastUsedAt = &at
		return apiKeys.Put(tx, row)
	})
	if err != nil {
		l.log.Debug("could not save the last use of a key", "key", id, "error", err)
	}
}

// withLastUse is the key with its last use as it is known in memory.
func (r *keyring) withLastUse(row *apiKey) APIKey {
	out := row.APIKey
	if k, ok := r.keys.Load(row.Public); ok {
		if ms := k.(*cachedKey).used.Load(); ms != 0 {
			at := time.UnixMilli(ms).UTC()
			out.LastUsedAt = &at
		}
	}
	return out
}
