package server_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bincard/apiclient"
	"bincard/server/api"
)

// A key that was made over the interface follows the feed until it is revoked
// over the interface, in the middle of a wait.
func TestKeyRevokedWhileItWaitsOverASocket(t *testing.T) {
	t.Parallel()
	s := open(t)
	admin := s.client(0, api.Live, append([]api.Scope{api.Admin}, api.Scopes...)...)
	made, err := api.CreateKey.Call(t.Context(), admin, api.CreateKeyInput{Label: "Feed", Scopes: []api.Scope{api.InventoryRead}})
	require.NoError(t, err)
	svc, err := apiclient.New(apiclient.Config{URL: s.url, Key: made.Secret, Organization: s.orgs[0].ID.String()})
	require.NoError(t, err)
	t.Cleanup(svc.Close)
	now, err := api.ListChanges.Call(t.Context(), svc, api.ListChangesInput{})
	require.NoError(t, err)

	wait, ended := int64(25), make(chan error, 1)
	go func() {
		for after := now.Latest; ; {
			got, err := api.ListChanges.Call(context.Background(), svc, api.ListChangesInput{After: &after, Wait: &wait})
			if err != nil {
				ended <- err
				return
			}
			after = got.Latest
		}
	}()
	for range 3 {
		_, err = api.CreateOwner.Call(t.Context(), admin, api.CreatePlaceInput{Code: api.NewKey(), Name: "O", Type: "x"})
		assert.NoError(t, err)
	}
	_, err = api.RevokeKey.Call(t.Context(), admin, api.KeyIDInput{KeyID: made.Key.ID})
	require.NoError(t, err)
	require.True(t, api.HasCode(<-ended, api.Unauthorized))
}
