package server_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bincard/apiclient"
	"bincard/server/api"
)

// A key created through the interface can follow the feed until it is revoked,
// even during a long poll.
func TestRevokeKey_EndsLongPolls(t *testing.T) {
	t.Parallel()
	s := open(t)
	admin := s.client(0, api.Live, append([]api.Scope{api.Admin}, api.Scopes...)...)
	created, err := api.CreateKey.Call(t.Context(), admin, api.CreateKeyInput{Label: "Feed", Scopes: []api.Scope{api.InventoryRead}})
	require.NoError(t, err)
	svc, err := apiclient.New(apiclient.Config{URL: s.url, Key: created.Secret, Organization: s.orgs[0].ID.String()})
	require.NoError(t, err)
	t.Cleanup(svc.Close)
	now, err := api.ListChanges.Call(t.Context(), svc, api.ListChangesInput{})
	require.NoError(t, err)

	wait, done := int64(25), make(chan error, 1)
	go func() {
		for after := now.Latest; ; {
			got, err := api.ListChanges.Call(context.Background(), svc, api.ListChangesInput{After: &after, Wait: &wait})
			if err != nil {
				done <- err
				return
			}
			after = got.Latest
		}
	}()
	for range 3 {
		_, err = api.CreateOwner.Call(t.Context(), admin, api.CreatePlaceInput{Code: api.NewKey(), Name: "O", Type: "x"})
		assert.NoError(t, err)
	}
	_, err = api.RevokeKey.Call(t.Context(), admin, api.RevokeKeyInput{KeyID: created.Key.ID})
	require.NoError(t, err)
	require.True(t, api.HasCode(<-done, api.Unauthorized))
}
