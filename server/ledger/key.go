package ledger

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/server/store"
)

// An APIKey describes an API key without its secret, which is shown only once.
type APIKey struct {
	ID           api.ID          `json:"id"`
	Organization api.ID          `json:"organizationId"`
	Environment  api.Environment `json:"environment"`
	// Hint is the masked secret, like bc_live_ab12cd34….
	Hint      string      `json:"hint"`
	Label     string      `json:"label"`
	Scopes    []api.Scope `json:"scopes"`
	CreatedAt time.Time   `json:"createdAt"`
	ExpiresAt *time.Time  `json:"expiresAt,omitzero"`
	RevokedAt *time.Time  `json:"revokedAt,omitzero"`
	// LastUsedAt is exact, except after a restart: then it may be an hour too old.
	LastUsedAt *time.Time `json:"lastUsedAt,omitzero"`
}

// An apiKey is the stored form of an APIKey, in the system's partition.
type apiKey struct {
	APIKey
	store.Unknown
	Public string `json:"public"`
	Digest []byte `json:"digest"`
}

var apiKeys = &store.Table[apiKey]{
	Name:  "apikeys",
	Key:   func(k *apiKey) []byte { return k.ID[:] },
	Codec: store.JSON[apiKey](),
	Indexes: []store.Index[apiKey]{
		{Name: "public", Keys: func(k *apiKey) [][]byte { return [][]byte{[]byte(k.Public)} }},
		{Name: "organization", Keys: func(k *apiKey) [][]byte {
			return [][]byte{join(k.Organization[:], seqKey(uint64(k.CreatedAt.UnixMilli())))}
		}},
	},
}

// KeyInput describes a new key.
type KeyInput struct {
	Organization api.ID
	Environment  api.Environment
	Scopes       []api.Scope
	// Label is the name shown for the key; "API key" if empty.
	Label string
	// ExpiresAt is when the key expires; nil means never.
	ExpiresAt *time.Time
}

func (in *KeyInput) check(now time.Time) error {
	var p api.Problems
	if !slices.Contains(in.Environment.Values(), string(in.Environment)) {
		p.Add("environment", "enum", "must be live or test, is %q", in.Environment)
	}
	if len(in.Scopes) == 0 {
		p.Add("scopes", "required", "must have at least one of %s", strings.Join(api.Scope("").Values(), ", "))
	}
	for i, s := range in.Scopes {
		if !slices.Contains(s.Values(), string(s)) {
			p.Add(fmt.Sprintf("scopes[%d]", i), "enum", "must be one of %s, is %q", strings.Join(s.Values(), ", "), s)
		}
	}
	if utf8.RuneCountInString(in.Label) > 255 {
		p.Add("label", "maxLength", "must have at most 255 characters")
	}
	if in.ExpiresAt != nil && !in.ExpiresAt.After(now) {
		p.Add("expiresAt", "future", "must be in the future, is %s", in.ExpiresAt.Format(time.RFC3339))
	}
	return p.Err()
}

// CreateKey creates a key and returns its secret, which cannot be read again. The
// organization must exist.
func (l *Ledger) CreateKey(ctx context.Context, in KeyInput) (secret string, key APIKey, err error) {
	now := api.Instant(l.now())
	if in.Label = strings.TrimSpace(in.Label); in.Label == "" {
		in.Label = "API key"
	}
	if err := in.check(now); err != nil {
		return "", APIKey{}, err
	}
	key = APIKey{ID: uuid.New(), Organization: in.Organization, Environment: in.Environment, Label: in.Label,
		Scopes: slices.Compact(slices.Sorted(slices.Values(in.Scopes))), CreatedAt: now, ExpiresAt: in.ExpiresAt}
	err = l.store.Update(ctx, store.Partition{}, func(tx store.Tx) error {
		if org, err := organizations.Get(tx, in.Organization[:]); err != nil {
			return err
		} else if org == nil {
			return organizationNotFound(in.Organization)
		}
		var public string
		secret, public = NewSecret(in.Environment)
		if existing, err := keyOfPublic(tx, public); err != nil {
			return err
		} else if existing != nil {
			return api.Fail(api.Unavailable, nil, "The new key's id is already taken. Retry.")
		}
		key.Hint = MaskKey(secret)
		digest := sha256.Sum256([]byte(secret))
		return apiKeys.Insert(tx, &apiKey{APIKey: key, Public: public, Digest: digest[:]})
	})
	if err != nil {
		return "", APIKey{}, toAPIError(ctx, err)
	}
	return secret, key, nil
}

// Keys lists the keys of an organization, newest first, revoked ones too.
func (l *Ledger) Keys(ctx context.Context, organization api.ID) (list []APIKey, err error) {
	err = l.store.View(ctx, store.Partition{}, func(r store.Reader) error {
		return apiKeys.ScanIndex(r, "organization", store.Prefix(organization[:]).Reversed(), func(k *apiKey) error {
			list = append(list, l.keyring.withLastUse(k))
			return nil
		})
	})
	if err != nil {
		return nil, toAPIError(ctx, err)
	}
	return list, nil
}

// RevokeKey revokes a key of the organization at once. Revoking it again has no effect.
func (l *Ledger) RevokeKey(ctx context.Context, organization, id api.ID) (key APIKey, err error) {
	// Hold the lock until the key is deleted from the keyring, so that it is not cached again.
	l.keyring.loading.Lock()
	defer l.keyring.loading.Unlock()
	var row *apiKey
	err = l.store.Update(ctx, store.Partition{}, func(tx store.Tx) (err error) {
		if row, err = apiKeys.Get(tx, id[:]); err != nil {
			return err
		}
		if row == nil || row.Organization != organization {
			return notFound("key", "keyId", id)
		}
		if row.RevokedAt == nil {
			now := api.Instant(l.now())
			row.RevokedAt = &now
		}
		return apiKeys.Put(tx, row)
	})
	if err != nil {
		return APIKey{}, toAPIError(ctx, err)
	}
	key = l.keyring.withLastUse(row)
	l.keyring.keys.Delete(row.Public)
	l.notifier.notify(store.Partition{Organization: organization, Environment: string(key.Environment)}) // end its waits for changes
	return key, nil
}

// Authenticate returns the caller of a secret. All invalid keys get the same
// UNAUTHORIZED error, except mistyped ones.
func (l *Ledger) Authenticate(ctx context.Context, secret string) (*api.Caller, error) {
	public, formed, intact := ParseSecret(secret)
	switch {
	case !formed:
		return nil, unauthorized()
	case !intact:
		return nil, api.Fail(api.Unauthorized, nil,
			"The API key is mistyped: its check characters do not match. Copy the whole key and retry.")
	}
	digest := sha256.Sum256([]byte(secret))
	k, err := l.loadKey(ctx, public)
	if err != nil {
		return nil, err
	}
	if k == nil || subtle.ConstantTimeCompare(digest[:], k.digest) != 1 {
		return nil, unauthorized()
	}
	now := l.now()
	if k.expires != 0 && now.UnixMilli() >= k.expires {
		return nil, unauthorized()
	}
	if k.markUsed(now) {
		go l.saveLastUse(k)
	}
	caller := k.caller
	return &caller, nil
}

func unauthorized() error {
	return api.Fail(api.Unauthorized, nil, "Invalid API key. Check that it is complete and has not been revoked or expired.")
}

func keyOfPublic(r store.Reader, public string) (found *apiKey, err error) {
	err = apiKeys.ScanIndex(r, "public", store.Prefix([]byte(public)), func(k *apiKey) error {
		found = k
		return store.ErrStop
	})
	return found, err
}
