package ledger

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"bincard/server/api"
	"bincard/server/store"
)

func bindKeys(b map[string]binding) {
	writes(b, api.CreateKey, nil, showCreatedKey)
	writes(b, api.RevokeKey, nil, showDocument[api.Credential])
	reads[api.ListKeysInput, api.List[api.Credential]](b, api.ListKeys, nil)
	for id, handle := range map[string]func(context.Context, *Ledger, *api.Request, binding) (*api.Response, error){
		api.CreateKey.ID: createKey, api.RevokeKey.ID: revokeKey, api.ListKeys.ID: listKeys,
	} {
		x := b[id]
		x.handle = handle
		b[id] = x
	}
}

// createKey creates a key in the caller's environment. The journal entry has the
// row for the system's partition, so that a retry completes a write that crashed
// between the two commits. Neither has the secret.
func createKey(ctx context.Context, l *Ledger, req *api.Request, b binding) (*api.Response, error) {
	secret, public := NewSecret(req.Caller.Environment)
	digest := sha256.Sum256([]byte(secret))
	b.change = func(c *writeTx, input any) error {
		in := input.(*api.CreateKeyInput)
		key := KeyInput{Organization: c.p.Organization, Environment: req.Caller.Environment, Scopes: in.Scopes,
			Label: strings.TrimSpace(in.Label), ExpiresAt: in.ExpiresAt}
		if err := key.check(c.now); err != nil {
			return err
		}
		for _, s := range in.Scopes {
			if !req.Caller.May(s) {
				return api.Fail(api.InsufficientScope, api.Details{"requiredScope": s},
					"A key can only grant scopes it has, and this key lacks %s. Omit that scope, or use a key that has it.", s)
			}
		}
		return c.setDocument(apiKey{Public: public, Digest: digest[:], APIKey: APIKey{ID: c.newID("key"), Organization: key.Organization,
			Environment: key.Environment, Hint: MaskKey(secret), Label: key.Label,
			Scopes: slices.Compact(slices.Sorted(slices.Values(key.Scopes))), CreatedAt: c.now, ExpiresAt: key.ExpiresAt}})
	}
	var row apiKey
	b.render = func(tx *readTx, e *entry) (any, error) {
		row = apiKey{}
		if err := json.Unmarshal(e.Document, &row); err != nil {
			return nil, err
		}
		return showCreatedKey(tx, e)
	}
	b.afterWrite = func(ctx context.Context) error { return l.installKey(ctx, &row) }
	res, err := l.write(ctx, req, b)
	if err != nil {
		return nil, err
	}
	if !res.Replayed {
		res.Output.(*api.KeyResult).Secret = secret
	}
	return res, nil
}

// installKey inserts the key of a journal entry in the system's partition, once.
func (l *Ledger) installKey(ctx context.Context, row *apiKey) error {
	return l.store.Update(ctx, store.Partition{}, func(tx store.Tx) error {
		if existing, err := apiKeys.Get(tx, row.ID[:]); existing != nil || err != nil {
			return err
		}
		if existing, err := keyOfPublic(tx, row.Public); err != nil {
			return err
		} else if existing != nil {
			return api.Fail(api.Unavailable, nil, "The new key's id is already taken. Retry with another Idempotency-Key.")
		}
		return apiKeys.Insert(tx, row)
	})
}

func showCreatedKey(_ *readTx, e *entry) (*api.KeyResult, error) {
	var row apiKey
	if err := json.Unmarshal(e.Document, &row); err != nil {
		return nil, err
	}
	return &api.KeyResult{Key: row.credential()}, nil
}

// credential returns the key as the API shows it.
func (k *APIKey) credential() api.Credential {
	return api.Credential{ID: k.ID, OrganizationID: k.Organization, Environment: k.Environment, Hint: k.Hint, Label: k.Label,
		Scopes: k.Scopes, CreatedAt: k.CreatedAt, ExpiresAt: k.ExpiresAt, RevokedAt: k.RevokedAt, LastUsedAt: k.LastUsedAt}
}

// revokeKey revokes a key of the caller's environment.
func revokeKey(ctx context.Context, l *Ledger, req *api.Request, b binding) (*api.Response, error) {
	in := req.Input.(*api.KeyIDInput)
	keys, err := l.keysOf(ctx, req.Caller)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(keys, func(k APIKey) bool { return k.ID == in.KeyID })
	b.change = func(c *writeTx, _ any) error {
		if at < 0 {
			return notFound("key", "keyId", in.KeyID)
		}
		key := keys[at]
		if key.RevokedAt == nil {
			key.RevokedAt = &c.now
		}
		return c.setDocument(key.credential())
	}
	b.afterWrite = func(ctx context.Context) error {
		_, err := l.RevokeKey(ctx, req.Caller.Organization, in.KeyID)
		return err
	}
	return l.write(ctx, req, b)
}

// listKeys returns the keys of the caller's environment, newest first.
func listKeys(ctx context.Context, l *Ledger, req *api.Request, _ binding) (*api.Response, error) {
	if err := l.admit(ctx, req); err != nil {
		return nil, err
	}
	if err := api.Check(req.Input); err != nil {
		return nil, err
	}
	in, limit := req.Input.(*api.ListKeysInput), 25
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	keys, err := l.keysOf(ctx, req.Caller)
	if err != nil {
		return nil, err
	}
	if in.Cursor != "" {
		at := slices.IndexFunc(keys, func(k APIKey) bool { return k.ID.String() == in.Cursor })
		if at < 0 {
			return nil, badCursor(in.Cursor)
		}
		keys = keys[at+1:]
	}
	out := &api.List[api.Credential]{Items: []api.Credential{}}
	if len(keys) > limit {
		keys = keys[:limit]
		last := keys[limit-1].ID.String()
		out.NextCursor = &last
	}
	for i := range keys {
		out.Items = append(out.Items, keys[i].credential())
	}
	return &api.Response{Output: out}, nil
}

// keysOf lists the keys of the caller's organization and environment.
func (l *Ledger) keysOf(ctx context.Context, c *api.Caller) ([]APIKey, error) {
	keys, err := l.Keys(ctx, c.Organization)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(keys, func(k APIKey) bool { return k.Environment != c.Environment }), nil
}

// checkKeyStillValid checks the key of a caller that has waited.
func (l *Ledger) checkKeyStillValid(ctx context.Context, c *api.Caller) error {
	if c.KeyID == (api.ID{}) {
		return nil
	}
	var row *apiKey
	err := l.store.View(ctx, store.Partition{}, func(r store.Reader) (err error) {
		row, err = apiKeys.Shared(r, c.KeyID[:])
		return err
	})
	switch {
	case err != nil:
		return toAPIError(ctx, err)
	case row == nil || row.RevokedAt != nil || row.ExpiresAt != nil && !row.ExpiresAt.After(l.now()):
		return unauthorized()
	}
	return nil
}
