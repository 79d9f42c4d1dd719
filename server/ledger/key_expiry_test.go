package ledger_test

import (
	"crypto/sha256"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// A key that expires leaves no key behind that lasts longer.
func TestCreateKey_ExpiresWithItsCreator(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	ends := w.Clock.Now().Add(time.Hour)
	short := api.As(w.Ledger, api.Caller{Organization: w.Org.ID, Environment: api.Live, Scopes: []api.Scope{api.InventoryRead, api.Admin}, ExpiresAt: ends,
		Actor: api.Actor{Type: api.APIKey, ID: "key", Label: "Test key"}}, "")
	create := func(at *time.Time) (api.KeyResult, error) {
		return api.CreateKey.Call(t.Context(), short, api.CreateKeyInput{Label: "child", Scopes: []api.Scope{api.InventoryRead}, ExpiresAt: at})
	}
	made, err := create(nil)
	require.NoError(t, err)
	require.Equal(t, ends, made.Key.ExpiresAt.UTC())
	sooner, later := ends.Add(-time.Minute), ends.Add(time.Minute)
	made, err = create(&sooner)
	require.NoError(t, err)
	require.Equal(t, sooner, made.Key.ExpiresAt.UTC())
	_, err = create(&later)
	require.True(t, api.HasCode(err, api.ValidationError), "%v", err)
}

// keyFamily creates keys, each with the one before, and returns them and their secrets.
func keyFamily(t *testing.T, w *ledgertest.World, n int) (keys []api.Credential, secrets []string) {
	t.Helper()
	secret, first, err := w.Ledger.CreateKey(t.Context(), account.KeyInput{Organization: w.Org.ID, Environment: api.Live, Scopes: []api.Scope{api.Admin}, Label: "first"})
	require.NoError(t, err)
	keys, secrets = append(keys, first.Credential()), append(secrets, secret)
	for len(keys) < n {
		made := ledgertest.Call(t, keyed(t, w, secrets[len(secrets)-1]), api.CreateKey, api.CreateKeyInput{Label: "child", Scopes: []api.Scope{api.Admin}})
		keys, secrets = append(keys, made.Key), append(secrets, made.Secret)
	}
	return keys, secrets
}

// keyed returns the ledger's operations for a secret.
func keyed(t *testing.T, w *ledgertest.World, secret string) api.Service {
	t.Helper()
	caller, err := w.Ledger.Authenticate(t.Context(), secret)
	require.NoError(t, err)
	return api.As(w.Ledger, *caller, "")
}

// validKeys returns the ids of the keys that are neither revoked nor expired.
func validKeys(t *testing.T, w *ledgertest.World) (ids []api.ID) {
	t.Helper()
	list, err := w.Ledger.Keys(t.Context(), w.Org.ID)
	require.NoError(t, err)
	for _, k := range list {
		if k.RevokedAt == nil && (k.ExpiresAt == nil || k.ExpiresAt.After(w.Clock.Now())) {
			ids = append(ids, k.ID)
		}
	}
	return ids
}

func TestRevokeKey_Descendants(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	_, other := keyFamily(t, w, 1)
	keys, secrets := keyFamily(t, w, 5)
	require.Nil(t, keys[0].CreatedByKeyID)
	for i, k := range keys[1:] {
		require.Equal(t, &keys[i].ID, k.CreatedByKeyID)
	}
	listed := ledgertest.Call(t, keyed(t, w, other[0]), api.ListKeys, api.ListKeysInput{})
	require.Contains(t, listed.Items, keys[4], "the list names the creators, too")

	revoke := func(k api.Credential, descendants bool) api.RevokedKey {
		out := ledgertest.Call(t, keyed(t, w, other[0]), api.RevokeKey, api.RevokeKeyInput{KeyID: k.ID, Descendants: descendants})
		return out
	}
	out := revoke(keys[2], false)
	require.Empty(t, out.RevokedDescendantIDs)
	require.EqualValues(t, 2, *out.RemainingDescendants)
	_, err := w.Ledger.Authenticate(t.Context(), secrets[3])
	require.NoError(t, err)
	out = revoke(keys[1], true)
	require.Equal(t, []api.ID{keys[3].ID, keys[4].ID}, out.RevokedDescendantIDs, "also those of a key revoked before")
	require.Zero(t, *out.RemainingDescendants)
	for _, secret := range secrets[1:] {
		_, err := w.Ledger.Authenticate(t.Context(), secret)
		require.True(t, api.HasCode(err, api.Unauthorized), "%v", err)
	}
	require.Len(t, validKeys(t, w), 2, "ancestors and others stay valid")
}

// A key cannot escape the revocation of its creator by being created meanwhile.
func TestRevokeKey_DescendantsCreatedMeanwhile(t *testing.T) {
	t.Parallel()
	for range 20 {
		w := ledgertest.Open(t)
		keys, secrets := keyFamily(t, w, 2)
		svc := keyed(t, w, secrets[1])
		var creators sync.WaitGroup
		for range 4 {
			creators.Go(func() {
				_, _ = api.CreateKey.Call(t.Context(), svc, api.CreateKeyInput{Label: "child", Scopes: []api.Scope{api.Admin}})
			})
		}
		_, err := w.Ledger.RevokeKey(t.Context(), w.Org.ID, keys[0].ID, true)
		require.NoError(t, err)
		creators.Wait()
		require.Empty(t, validKeys(t, w))
	}
}

// An operation that took no body knows the keys of that time again.
func TestRevokeKey_FingerprintWithoutBody(t *testing.T) {
	t.Parallel()
	in := api.RevokeKeyInput{KeyID: api.ID{1}}
	got, err := api.RevokeKey.Spec.Fingerprint(&in)
	require.NoError(t, err)
	want := sha256.Sum256([]byte("POST /keys/" + in.KeyID.String() + "/revoke\n"))
	require.Equal(t, want[:16], got[:])
	in.Descendants = true
	got, err = api.RevokeKey.Spec.Fingerprint(&in)
	require.NoError(t, err)
	require.NotEqual(t, want[:16], got[:])
}

// Operations return only the conflicts that they declare.
func TestConflicts_AreDeclared(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oats, at := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	out := ledgertest.Do(w, api.CreateOutbound, api.CreateOutboundInput{ProductID: oats.ID, LocationID: at.ID, RequestedQuantity: new(int64(5))})
	ledgertest.Refused(w, api.InsufficientStock, api.AllocateOutbound, api.HandleOutboundInput{OutboundID: out.Outbound.ID, Quantity: new(int64(5))})
	require.Contains(t, api.AllocateOutbound.Spec.Conflicts, api.InsufficientStock)

	kit := ledgertest.Do(w, api.CreateProduct, api.CreateProductInput{SKU: "KIT", Name: "Kit", Components: []api.Component{{ProductID: oats.ID, Quantity: 1}}})
	ledgertest.Do(w, api.ArchiveProduct, api.ProductInput{ProductID: kit.ID})
	ledgertest.Refused(w, api.ProductArchived, api.AssembleStock, api.AssembleInput{StockKey: api.StockKey{ProductID: kit.ID, LocationID: at.ID}, Quantity: 1})
	require.Contains(t, api.AssembleStock.Spec.Conflicts, api.ProductArchived)
}
