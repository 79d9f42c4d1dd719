package apitest

import (
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var keyTests = []test{
	{"a key is made, shown once, listed and revoked", keyLife},
	{"a key gives away only scopes that it has", keyScopes},
	{"keys of another environment or organization are not there", keyTenancy},
	{"what a new key is to be is checked", keyChecked},
	{"keys come in pages", keysPaged},
}

// admin is the kit in the hands of a key with all scopes and admin.
func (k *fixture) admin(organization int, env api.Environment) *fixture {
	return k.as(k.As(organization, env, append([]api.Scope{api.Admin}, api.Scopes...)...))
}

func (k *fixture) key(label string) api.KeyResult {
	k.Helper()
	return do(k, api.CreateKey, api.CreateKeyInput{Label: label, Scopes: []api.Scope{api.InventoryRead}})
}

func keyLife(k *fixture) {
	k = k.admin(0, api.Live)
	ends, idem := k.Now().Add(time.Hour), api.NewKey()
	in := api.CreateKeyInput{Label: " Dock 3 ", Scopes: []api.Scope{api.TransfersRead, api.InventoryRead, api.InventoryRead}, ExpiresAt: &ends}
	made := do(k, api.CreateKey, in, api.Key(idem))
	require.Regexp(k, `^bc_live_[0-9a-z]{8}_[0-9A-Za-z]{49}$`, made.Secret)
	require.Equal(k, api.Credential{ID: made.Key.ID, OrganizationID: k.Orgs[0].ID, Environment: api.Live, Hint: made.Secret[:16] + "…",
		Label: "Dock 3", Scopes: []api.Scope{api.InventoryRead, api.TransfersRead}, CreatedAt: k.Now(), ExpiresAt: &ends}, made.Key)

	again, err := api.CreateKey.Do(k.ctx, k.svc, in, api.Key(idem))
	require.NoError(k, err)
	require.True(k, again.Replayed)
	require.Equal(k, api.KeyResult{Key: made.Key}, *again.Output.(*api.KeyResult), "the secret is shown once")

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
	want.RevokedAt = some(k.Now())
	end := api.NewKey()
	require.Equal(k, want, do(k, api.RevokeKey, api.KeyIDInput{KeyID: made.Key.ID}, api.Key(end)))
	k.Advance(time.Minute)
	require.Equal(k, want, do(k, api.RevokeKey, api.KeyIDInput{KeyID: made.Key.ID}), "revoked once")
	require.Equal(k, want, do(k, api.RevokeKey, api.KeyIDInput{KeyID: made.Key.ID}, api.Key(end)))
	require.Equal(k, []api.Credential{want}, find())
}

func keyScopes(k *fixture) {
	weak := k.as(k.As(0, api.Live, api.Admin, api.InventoryRead))
	e := refuse(weak, api.InsufficientScope, api.CreateKey,
		api.CreateKeyInput{Label: "x", Scopes: []api.Scope{api.InventoryRead, api.InventoryWrite}})
	k.details(e, "requiredScope", api.InventoryWrite)
	require.Equal(k, []api.Scope{api.Admin, api.InventoryRead},
		do(weak, api.CreateKey, api.CreateKeyInput{Label: "x", Scopes: []api.Scope{api.InventoryRead, api.Admin}}).Key.Scopes)
	for _, e := range []*api.Error{
		refuse(k, api.InsufficientScope, api.CreateKey, api.CreateKeyInput{Label: "x", Scopes: []api.Scope{api.InventoryRead}}),
		refuse(k, api.InsufficientScope, api.ListKeys, api.ListKeysInput{}),
		refuse(k, api.InsufficientScope, api.RevokeKey, api.KeyIDInput{KeyID: unknown()}),
	} {
		k.details(e, "requiredScope", api.Admin)
	}
}

func keyTenancy(k *fixture) {
	mine := k.admin(0, api.Live).key("mine").Key
	for _, other := range []*fixture{k.admin(0, api.Test), k.admin(1, api.Live)} {
		e := refuse(other, api.NotFound, api.RevokeKey, api.KeyIDInput{KeyID: mine.ID})
		require.Contains(k, e.Message, mine.ID.String())
		id := unknown()
		foreign := refuse(other, api.NotFound, api.RevokeKey, api.KeyIDInput{KeyID: id})
		require.Equal(k, len(e.Message), len(foreign.Message))
		for _, x := range do(other, api.ListKeys, api.ListKeysInput{}).Items {
			require.NotEqual(k, mine.ID, x.ID)
		}
		refuse(other, api.InvalidCursor, api.ListKeys, api.ListKeysInput{Cursor: mine.ID.String()})
	}
	for _, x := range do(k.admin(0, api.Live), api.ListKeys, api.ListKeysInput{}).Items {
		require.Nil(k, x.RevokedAt)
	}
}

func keyChecked(k *fixture) {
	k = k.admin(0, api.Live)
	past := k.Now()
	e := refuse(k, api.ValidationError, api.CreateKey, api.CreateKeyInput{Label: "x", Scopes: []api.Scope{api.InventoryRead}, ExpiresAt: &past})
	require.Equal(k, []string{"expiresAt"}, k.broken(e))
	e = refuse(k, api.ValidationError, api.CreateKey, api.CreateKeyInput{Scopes: []api.Scope{"inventory:eat"}})
	require.ElementsMatch(k, []string{"label", "scopes[0]"}, k.broken(e))
	e = refuse(k, api.ValidationError, api.CreateKey, api.CreateKeyInput{Label: "x"})
	require.Equal(k, []string{"scopes"}, k.broken(e))
}

func keysPaged(k *fixture) {
	k = k.admin(0, api.Live)
	for range 4 {
		k.Advance(time.Second)
		k.key("n")
	}
	var want, got []api.ID
	for _, x := range do(k, api.ListKeys, api.ListKeysInput{Limit: some(int64(100))}).Items {
		want = append(want, x.ID)
	}
	for cursor := ""; ; {
		list := do(k, api.ListKeys, api.ListKeysInput{Limit: some(int64(2)), Cursor: cursor})
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
