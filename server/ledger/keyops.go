package ledger

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

func bindKeys(b map[string]binding) {
	writes(b, api.CreateKey, nil, showCreatedKey)
	writes(b, api.RevokeKey, nil, showDocument[api.RevokedKey])
	reads[api.ListKeysInput, api.List[api.Credential]](b, api.ListKeys, nil)
	handleWith(b, createKey, api.CreateKey.Spec.ID)
	handleWith(b, revokeKey, api.RevokeKey.Spec.ID)
	handleWith(b, listKeys, api.ListKeys.Spec.ID)
}

// createKey creates a key in the caller's environment. The journal entry has the
// row for the system's partition, so that a retry completes a write that crashed
// between the two commits. Neither has the secret.
func createKey(ctx context.Context, l *Ledger, req *api.Request, b binding) (*api.Response, error) {
	secret, _ := account.NewSecret(req.Caller.Environment)
	b.change = func(c *posting.Tx, input any) error {
		in := input.(*api.CreateKeyInput)
		key := account.KeyInput{
			Organization: c.Partition.Organization,
			Environment:  req.Caller.Environment,
			Scopes:       in.Scopes,
			Label:        strings.TrimSpace(in.Label),
			ExpiresAt:    in.ExpiresAt,
		}

		if req.Caller.KeyID != api.NoID {
			key.CreatedBy = &req.Caller.KeyID
		}
		if err := checkExpiry(req.Caller, &key); err != nil {
			return err
		}
		if err := key.Check(c.Now); err != nil {
			return err
		}

		for _, s := range in.Scopes {
			if !req.Caller.May(s) {
				return api.Fail(
					api.InsufficientScope,
					api.Details{"requiredScope": s},
					"A key can only grant scopes it has, and this key lacks %s. Omit that scope, or use a key that has it.",
					s,
				)
			}
		}

		return c.SetDocument(key.Row(c.NewID("key"), secret, c.Now))
	}

	var row account.KeyRow
	b.render = func(tx *stored.Tx, e *journal.Entry) (any, error) {
		row = account.KeyRow{}
		if err := json.Unmarshal(e.Document, &row); err != nil {
			return nil, err
		}
		return showCreatedKey(tx, e)
	}

	b.afterWrite = func(ctx context.Context) error { return l.accounts.InstallKey(ctx, &row) }
	res, err := l.write(ctx, req, b)
	if err != nil {
		return nil, err
	}
	if !res.Replayed {
		res.Output.(*api.KeyResult).Secret = secret
	}

	return res, nil
}

func showCreatedKey(_ *stored.Tx, e *journal.Entry) (*api.KeyResult, error) {
	var row account.KeyRow
	if err := json.Unmarshal(e.Document, &row); err != nil {
		return nil, err
	}
	return &api.KeyResult{Key: row.Credential()}, nil
}

// revokeKey revokes a key of the caller's environment. The journal entry has the keys that
// are valid when it is written; a key that one of them creates at that moment is revoked
// as well, or with its creator.
func revokeKey(ctx context.Context, l *Ledger, req *api.Request, b binding) (*api.Response, error) {
	in := req.Input.(*api.RevokeKeyInput)
	keys, err := l.keysOf(ctx, req.Caller)
	if err != nil {
		return nil, err
	}

	at := slices.IndexFunc(keys, func(k account.APIKey) bool { return k.ID == in.KeyID })
	b.change = func(c *posting.Tx, _ any) error {
		if at < 0 {
			return account.KeyNotFound(in.KeyID)
		}
		revoked := keys[at].Revoke(keys, in.Descendants, c.Now)
		return c.SetDocument(revoked.Result())
	}

	b.afterWrite = func(ctx context.Context) error {
		_, err := l.RevokeKey(ctx, req.Caller.Organization, in.KeyID, in.Descendants)
		return err
	}

	return l.write(ctx, req, b)
}

// checkExpiry makes a new key expire with the key that creates it, unless it expires before:
// a key that ends must not leave one behind that does not.
func checkExpiry(c *api.Caller, key *account.KeyInput) error {
	switch {
	case c.ExpiresAt.IsZero():
	case key.ExpiresAt == nil:
		key.ExpiresAt = &c.ExpiresAt
	case key.ExpiresAt.After(c.ExpiresAt):
		var p api.Problems
		p.Add("expiresAt", "maximum", "must not be after %s, when the key that creates it expires",
			c.ExpiresAt.Format(time.RFC3339))
		return p.Err()
	}

	return nil
}

// listKeys returns the keys of the caller's environment, newest first.
func listKeys(ctx context.Context, l *Ledger, req *api.Request, _ binding) (*api.Response, error) {
	if err := l.admit(ctx, req.Caller); err != nil {
		return nil, err
	}
	if err := api.Check(req.Input); err != nil {
		return nil, err
	}

	keys, err := l.keysOf(ctx, req.Caller)
	if err != nil {
		return nil, err
	}

	list := make([]api.Credential, len(keys))
	for i := range keys {
		list[i] = keys[i].Credential()
	}

	out, err := pageOf(list, req.Input.(*api.ListKeysInput).Page, func(c *api.Credential) api.ID { return c.ID })
	if err != nil {
		return nil, err
	}

	return &api.Response{Output: out}, nil
}

// keysOf lists the keys of the caller's organization and environment.
func (l *Ledger) keysOf(ctx context.Context, c *api.Caller) ([]account.APIKey, error) {
	keys, err := l.Keys(ctx, c.Organization)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(keys, func(k account.APIKey) bool { return k.Environment != c.Environment }), nil
}
