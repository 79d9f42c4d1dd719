package account

import (
	"context"
	"crypto/subtle"

	"bincard/server/api"
	"bincard/server/store"
)

// Authenticate returns the caller of a secret. All invalid keys get the same
// UNAUTHORIZED error, except mistyped ones.
func (a *Accounts) Authenticate(ctx context.Context, secret string) (*api.Caller, error) {
	public, formed, intact := ParseSecret(secret)
	switch {
	case !formed:
		return nil, unauthorized()
	case !intact:
		return nil, api.Fail(api.Unauthorized, nil,
			"The API key is mistyped: its check characters do not match. Copy the whole key and retry.")
	}

	k, err := a.keyring.load(ctx, public)
	if err != nil {
		return nil, err
	}
	if k == nil {
		return nil, unauthorized()
	}
	if digest := digestOf(
		secret,
		k.caller.LocationID,
		k.caller.Role,
	); subtle.ConstantTimeCompare(
		digest[:],
		k.digest,
	) != 1 {
		return nil, unauthorized()
	}

	now := a.now()
	if k.expires != 0 && now.UnixMilli() >= k.expires {
		return nil, unauthorized()
	}
	if k.markUsed(now) {
		go a.keyring.saveLastUse(k)
	}

	caller := k.caller

	return &caller, nil
}

// CheckKey checks that the key of a caller that has waited is still valid.
func (a *Accounts) CheckKey(ctx context.Context, c *api.Caller) error {
	if c.KeyID == api.NoID {
		return nil
	}

	var row *KeyRow
	err := a.store.View(ctx, store.Partition{}, func(r store.Reader) (err error) {
		row, err = Keys.Shared(r, c.KeyID[:])
		return err
	})
	switch {
	case err != nil:
		return err
	case row == nil || row.RevokedAt != nil || row.ExpiresAt != nil && !row.ExpiresAt.After(a.now()):
		return unauthorized()
	}

	return nil
}

func unauthorized() error {
	return api.Fail(api.Unauthorized, nil,
		"Invalid API key. Check that it is complete and has not been revoked or expired.")
}
