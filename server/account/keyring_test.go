package account_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/ledger/ledgertest"
	"bincard/server/store"
)

func TestRevokeKey_EffectiveAtOnce(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := ledgertest.Open(t)
	l, org := w.Ledger, w.Org
	for range 50 {
		secret, key := w.Key()
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() { _, _ = l.Authenticate(ctx, secret) }) // before, during or after the revocation
		}
		_, err := l.RevokeKey(ctx, org.ID, key.ID, false)
		require.NoError(t, err)
		_, err = l.Authenticate(ctx, secret)
		require.True(t, api.HasCode(err, api.Unauthorized), "got %v", err)
		wg.Wait()
		_, err = l.Authenticate(ctx, secret)
		require.True(t, api.HasCode(err, api.Unauthorized), "not cached again: %v", err)
	}
}

func TestKey_LastUseIsStored(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := ledgertest.Open(t)
	l, org := w.Ledger, w.Org
	first := w.Clock.Now()
	secret, _ := w.Key()
	stored := func(want time.Time) func() bool {
		return func() bool {
			keys, err := ledger.New(w.Store, ledger.Options{}).Keys(ctx, org.ID)
			return err == nil && keys[0].LastUsedAt != nil && keys[0].LastUsedAt.Equal(want)
		}
	}
	_, err := l.Authenticate(ctx, secret)
	require.NoError(t, err)
	require.Eventually(t, stored(first), time.Minute, time.Millisecond)
	w.Clock.Set(first.Add(59 * time.Minute))
	_, err = l.Authenticate(ctx, secret)
	require.NoError(t, err)
	require.True(t, stored(first)(), "written at most once an hour")
	w.Clock.Set(first.Add(time.Hour))
	_, err = l.Authenticate(ctx, secret)
	require.NoError(t, err)
	require.Eventually(t, stored(w.Clock.Now()), time.Minute, time.Millisecond)
}

// A countingStore counts the transactions that read.
type countingStore struct {
	store.Store
	views atomic.Int64
}

func (s *countingStore) View(ctx context.Context, p store.Partition, fn func(store.Reader) error) error {
	s.views.Add(1)
	return s.Store.View(ctx, p, fn)
}

// Unknown and revoked keys are rejected without reading the store.
func TestAuthenticate_BadKeysReadNothing(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	st := &countingStore{Store: store.NewMemory()}
	t.Cleanup(func() { require.NoError(t, st.Close()) })
	l := ledger.New(st, ledger.Options{})
	org, err := l.CreateOrganization(ctx, "Harbor")
	require.NoError(t, err)
	create := func(l *ledger.Ledger) (string, account.APIKey) {
		secret, key, err := l.CreateKey(ctx, account.KeyInput{Organization: org.ID, Environment: api.Live, Scopes: api.Scopes})
		require.NoError(t, err)
		return secret, key
	}
	old, _ := create(l)
	revoked, key := create(l)
	_, err = l.RevokeKey(ctx, org.ID, key.ID, false)
	require.NoError(t, err)
	for _, l := range []*ledger.Ledger{l, ledger.New(st, ledger.Options{})} { // also after a restart
		reject := func(secret string) {
			_, err := l.Authenticate(ctx, secret)
			require.True(t, api.HasCode(err, api.Unauthorized), "got %v", err)
		}
		reject(revoked)
		before := st.views.Load()
		for range 100 {
			unknown, _ := account.NewSecret(api.Live)
			reject(unknown)
			reject(revoked)
		}
		require.Equal(t, before, st.views.Load())
		_, err := l.Authenticate(ctx, old)
		require.NoError(t, err)
		secret, _ := create(l)
		_, err = l.Authenticate(ctx, secret)
		require.NoError(t, err)
	}
}
