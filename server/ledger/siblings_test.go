package ledger_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/server/store"
	"bincard/server/store/pgstore/pgtest"
)

// siblings returns two ledgers on one database, as two processes have them.
func siblings(t *testing.T) (a, b *ledgertest.World) {
	t.Helper()
	url := pgtest.Database(t)
	opened := func() store.Store { return openDatabase(t, url) }
	a, b = ledgertest.OpenStore(t, opened), ledgertest.OpenStore(t, opened)
	require.Equal(t, a.Org, b.Org)
	return a, b
}

// together runs fn n times at once.
func together(n int, fn func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { fn(i) })
	}
	wg.Wait()
}

// A key works on all processes as soon as it is created, and on none as soon as it is revoked.
func TestSiblings_Keys(t *testing.T) {
	t.Parallel()
	a, b := siblings(t)
	create := account.KeyInput{Organization: a.Org.ID, Environment: api.Live, Scopes: api.Scopes}
	together(8, func(i int) {
		here, there := a.Ledger, b.Ledger
		if i%2 == 1 {
			here, there = there, here
		}
		for range 5 {
			secret, key, err := here.CreateKey(t.Context(), create)
			if err != nil {
				t.Error(err)
				return
			}
			caller, err := there.Authenticate(t.Context(), secret)
			if err != nil || caller.KeyID != key.ID {
				t.Errorf("a new key: %v", err)
				return
			}
			if _, err := here.RevokeKey(t.Context(), a.Org.ID, key.ID, false); err != nil {
				t.Error(err)
			}
			if _, err := there.Authenticate(t.Context(), secret); !api.HasCode(err, api.Unauthorized) {
				t.Errorf("a revoked key: %v", err)
			}
			if _, err := here.Authenticate(t.Context(), secret); !api.HasCode(err, api.Unauthorized) {
				t.Errorf("a revoked key where it was revoked: %v", err)
			}
		}
	})
}

// The last use of a key is the last one on any process.
func TestSiblings_LastUseOfKeys(t *testing.T) {
	t.Parallel()
	a, b := siblings(t)
	secret, _, err := a.Ledger.CreateKey(t.Context(), account.KeyInput{Organization: a.Org.ID, Environment: api.Live, Scopes: api.Scopes})
	require.NoError(t, err)
	_, err = b.Ledger.Authenticate(t.Context(), secret)
	require.NoError(t, err)
	a.Clock.Advance(2 * time.Hour)
	b.Clock.Advance(2 * time.Hour)
	last := a.Clock.Now()
	_, err = a.Ledger.Authenticate(t.Context(), secret)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		keys, err := b.Ledger.Keys(t.Context(), a.Org.ID)
		return err == nil && keys[0].LastUsedAt != nil && keys[0].LastUsedAt.Equal(last)
	}, time.Minute, time.Millisecond)
}
