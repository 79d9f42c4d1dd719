package apitest

import (
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var keyTests = []test{
	{"create, list and revoke API keys", keyLifecycle},
	{"API key: only the caller's scopes", keyScopes},
	{"API keys of others are not visible", keyTenancy},
	{"API key: validation", keyValidated},
	{"list API keys: pages", keysPaged},
}

// admin returns the fixture with a key that has all scopes, including admin.
func (k *fixture) admin(organization int, env api.Environment) *fixture {
	return k.as(k.As(organization, env, append([]api.Scope{api.Admin}, api.Scopes...)...))
}

func (k *fixture) key(label string) api.KeyResult {
	k.Helper()
	return do(k, api.CreateKey, api.CreateKeyInput{Label: label, Scopes: []api.Scope{api.InventoryRead}})
}

func keyLifecycle(k *fixture) {
	k = k.admin(0, api.Live)
	ends, idem := k.Now().Add(time.Hour), api.NewKey()
	in := api.CreateKeyInput{Label: " Dock 3 ", Scopes: []api.Scope{api.TransfersRead, api.InventoryRead, api.InventoryRead}, ExpiresAt: &ends}
	made := do(k, api.CreateKey, in, api.Key(idem))
	require.Regexp(k, `^bc_live_[0-9a-z]{8}_[0-9A-Za-z]{49}$`, made.Secret)
	require.Equal(k, api.Credential{ID: made.Key.ID, OrganizationID: k.Orgs[0].ID, Environment: api.Live, Hint: made.Secret[:16] + "…",
		Label: "Dock 3", Scopes: []api.Scope{api.InventoryRead, api.TransfersRead}, CreatedAt: k.Now(), CreatedByKeyID: made.Key.CreatedByKeyID, ExpiresAt: &ends}, made.Key)

	again, err := api.CreateKey.Do(k.ctx, k.svc, in, api.Key(idem))
	require.NoError(k, err)
	require.True(k, again.Replayed)
	require.Equal(k, api.KeyResult{Key: made.Key}, *again.Output.(*api.KeyResult), "only the first response has the secret")

	find := func() (found []api.Credential) {
		for _, x := range do(k, api.ListKeys, api.ListKeysInput{}).Items {
			if x.ID == made.Key.ID {
				found = append(found, x)
			}
		}

		return found
	}

	require.Equal(k, []api.Credential{made.Key}, find())
	k.Advance(time.Minute)
	want := made.Key
	want.RevokedAt = ptr(k.Now())
	revoked := api.RevokedKey{Credential: want, RemainingDescendants: ptr(int64(0))}
	end := api.NewKey()
	require.Equal(k, revoked, do(k, api.RevokeKey, api.RevokeKeyInput{KeyID: made.Key.ID}, api.Key(end)))
	k.Advance(time.Minute)
	require.Equal(k, revoked, do(k, api.RevokeKey, api.RevokeKeyInput{KeyID: made.Key.ID}), "revoked once")
	require.Equal(k, revoked, do(k, api.RevokeKey, api.RevokeKeyInput{KeyID: made.Key.ID}, api.Key(end)))
	require.Equal(k, []api.Credential{want}, find())
}

func keyScopes(k *fixture) {
	weak := k.as(k.As(0, api.Live, api.Admin, api.InventoryRead))
	e := mustFail(weak, api.InsufficientScope, api.CreateKey,
		api.CreateKeyInput{Label: "x", Scopes: []api.Scope{api.InventoryRead, api.InventoryWrite}})
	k.requireDetails(e, "requiredScope", api.InventoryWrite)
	require.Equal(k, []api.Scope{api.Admin, api.InventoryRead},
		do(weak, api.CreateKey, api.CreateKeyInput{Label: "x", Scopes: []api.Scope{api.InventoryRead, api.Admin}}).Key.Scopes)
	for _, e := range []*api.Error{
		mustFail(k, api.InsufficientScope, api.CreateKey, api.CreateKeyInput{Label: "x", Scopes: []api.Scope{api.InventoryRead}}),
		mustFail(k, api.InsufficientScope, api.ListKeys, api.ListKeysInput{}),
		mustFail(k, api.InsufficientScope, api.RevokeKey, api.RevokeKeyInput{KeyID: newID()}),
	} {
		k.requireDetails(e, "requiredScope", api.Admin)
	}
}

func keyTenancy(k *fixture) {
	mine := k.admin(0, api.Live).key("mine").Key
	for _, other := range []*fixture{k.admin(0, api.Test), k.admin(1, api.Live)} {
		e := mustFail(other, api.NotFound, api.RevokeKey, api.RevokeKeyInput{KeyID: mine.ID})
		require.Contains(k, e.Message, mine.ID.String())
		id := newID()
		foreign := mustFail(other, api.NotFound, api.RevokeKey, api.RevokeKeyInput{KeyID: id})
		require.Equal(k, len(e.Message), len(foreign.Message))
		for _, x := range do(other, api.ListKeys, api.ListKeysInput{}).Items {
			require.NotEqual(k, mine.ID, x.ID)
		}

		mustFail(other, api.InvalidCursor, api.ListKeys, api.ListKeysInput{Page: api.Page{Cursor: mine.ID.String()}})
	}

	for _, x := range do(k.admin(0, api.Live), api.ListKeys, api.ListKeysInput{}).Items {
		require.Nil(k, x.RevokedAt)
	}
}

func keyValidated(k *fixture) {
	k = k.admin(0, api.Live)
	past := k.Now()
	e := mustFail(k, api.ValidationError, api.CreateKey, api.CreateKeyInput{Label: "x", Scopes: []api.Scope{api.InventoryRead}, ExpiresAt: &past})
	require.Equal(k, []string{"expiresAt"}, k.invalidFields(e))
	e = mustFail(k, api.ValidationError, api.CreateKey, api.CreateKeyInput{Scopes: []api.Scope{"inventory:eat"}})
	require.ElementsMatch(k, []string{"label", "scopes[0]"}, k.invalidFields(e))
	e = mustFail(k, api.ValidationError, api.CreateKey, api.CreateKeyInput{Label: "x"})
	require.Equal(k, []string{"scopes"}, k.invalidFields(e))
}

func keysPaged(k *fixture) {
	k = k.admin(0, api.Live)
	for range 4 {
		k.Advance(time.Second)
		k.key("n")
	}

	var want, got []api.ID
	for _, x := range do(k, api.ListKeys, api.ListKeysInput{Page: api.Page{Limit: ptr(int64(100))}}).Items {
		want = append(want, x.ID)
	}

	for cursor := ""; ; {
		list := do(k, api.ListKeys, api.ListKeysInput{Page: api.Page{Limit: ptr(int64(2)), Cursor: cursor}})
		for _, x := range list.Items {
			got = append(got, x.ID)
		}
		if list.NextCursor == nil {
			break
		}
		cursor = *list.NextCursor
	}

	require.GreaterOrEqual(k, len(want), 4)
	require.Equal(k, want, got)
}
