package account_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/ledger/ledgertest"
)

func TestKey(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := ledgertest.Open(t)
	l, org := w.Ledger, w.Org
	ends := w.Clock.Now().Add(time.Hour)
	secret, key, err := l.CreateKey(ctx, account.KeyInput{Organization: org.ID, Environment: api.Test,
		Scopes: []api.Scope{api.TransfersRead, api.InventoryRead, api.InventoryRead}, Label: " Dock 3 ", ExpiresAt: &ends})
	require.NoError(t, err)
	require.Regexp(t, `^bc_test_[0-9a-z]{8}_[0-9A-Za-z]{49}$`, secret)
	require.Equal(t, secret[:16]+"…", key.Hint)

	caller, err := l.Authenticate(ctx, secret)
	require.NoError(t, err)
	require.Equal(t, &api.Caller{Organization: org.ID, Environment: api.Test, KeyID: key.ID, KeyLabel: "Dock 3", ExpiresAt: ends,
		Scopes: []api.Scope{api.InventoryRead, api.TransfersRead},
		Actor:  api.Actor{Type: api.APIKey, ID: key.ID.String(), Label: "Dock 3"}}, caller)

	keys, err := l.Keys(ctx, org.ID)
	require.NoError(t, err)
	require.Len(t, keys, 1)
	require.Equal(t, w.Clock.Now(), *keys[0].LastUsedAt)

	again := ledger.New(w.Store, ledger.Options{Now: w.Clock.Now})
	_, err = again.Authenticate(ctx, secret)
	require.NoError(t, err, "keys are stored")

	w.Clock.Set(ends)
	unauthorized(t, l, secret)
}

func TestKey_Revoked(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := ledgertest.Open(t)
	l, org := w.Ledger, w.Org
	other, err := l.CreateOrganization(ctx, "Other")
	require.NoError(t, err)
	secret, key := w.Key()
	_, err = l.Authenticate(ctx, secret)
	require.NoError(t, err)

	_, err = l.RevokeKey(ctx, other.ID, key.ID, false)
	require.True(t, api.HasCode(err, api.NotFound), "another organization's key is not found")
	revoked, err := l.RevokeKey(ctx, org.ID, key.ID, false)
	require.NoError(t, err)
	require.Equal(t, w.Clock.Now(), *revoked.RevokedAt)
	unauthorized(t, l, secret)

	w.Clock.Advance(time.Hour)
	revoked, err = l.RevokeKey(ctx, org.ID, key.ID, false)
	require.NoError(t, err)
	require.Equal(t, w.Clock.Now().Add(-time.Hour), *revoked.RevokedAt, "revoked once")
}

// unauthorized checks that the secret and others like it get the same error.
func unauthorized(t *testing.T, l *ledger.Ledger, secret string) {
	t.Helper()
	_, first := l.Authenticate(context.Background(), secret)
	require.True(t, api.HasCode(first, api.Unauthorized), "got %v", first)
	other, err := l.CreateOrganization(context.Background(), "Stranger")
	require.NoError(t, err)
	unknown, key, err := l.CreateKey(context.Background(), account.KeyInput{Organization: other.ID, Environment: api.Live, Scopes: api.Scopes})
	require.NoError(t, err)
	_, err = l.RevokeKey(context.Background(), other.ID, key.ID, false)
	require.NoError(t, err)
	for _, s := range []string{unknown, "", "bc_live_", "Bearer " + secret, strings.Repeat("x", 66)} {
		_, err := l.Authenticate(context.Background(), s)
		require.Equal(t, first, err, "for %q", s)
	}
	typo := secret[:20] + string(secret[20]^1) + secret[21:]
	_, err = l.Authenticate(context.Background(), typo)
	require.True(t, api.HasCode(err, api.Unauthorized))
}

func TestCreateKey_Validation(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	l, past := w.Ledger, w.Clock.Now()
	_, _, err := l.CreateKey(context.Background(), account.KeyInput{Environment: "prod", Scopes: []api.Scope{"all"}, ExpiresAt: &past})
	require.Equal(t, []string{"environment", "scopes[0]", "expiresAt"}, paths(t, err))
	_, _, err = l.CreateKey(context.Background(), account.KeyInput{Environment: api.Live, Scopes: api.Scopes})
	require.True(t, api.HasCode(err, api.NotFound), "got %v", err)
	_, err = l.CreateOrganization(context.Background(), "  ")
	require.Equal(t, []string{"name"}, paths(t, err))
}

// paths returns the fields of a VALIDATION_ERROR.
func paths(t *testing.T, err error) (list []string) {
	t.Helper()
	require.True(t, api.HasCode(err, api.ValidationError), "got %v", err)
	for _, f := range api.AsError(err).Details["fields"].([]api.FieldProblem) {
		list = append(list, f.Path)
	}
	return list
}

func FuzzAuthenticate(f *testing.F) {
	w := ledgertest.Open(f)
	l := w.Ledger
	secret, _ := w.Key()
	f.Add(secret)
	f.Add("bc_test_" + secret[8:])
	f.Add(secret[:60])
	f.Add("bc_live_ab12cd34_")
	f.Fuzz(func(t *testing.T, s string) {
		_, err := l.Authenticate(context.Background(), s)
		require.Equal(t, s == secret, err == nil)
		if err != nil {
			require.True(t, api.HasCode(err, api.Unauthorized))
		}
		masked := account.MaskKey(s)
		require.LessOrEqual(t, len(masked), 16+len("…"))
		require.True(t, masked == "…" || strings.HasPrefix(s, strings.TrimSuffix(masked, "…")))
	})
}

func BenchmarkAuthenticate(b *testing.B) {
	w := ledgertest.Open(b)
	l := w.Ledger
	secret, _ := w.Key()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := l.Authenticate(context.Background(), secret); err != nil {
			b.Fatal(err)
		}
	}
}
