package ledger_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger"
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
	secret, _ := a.Key()
	_, err := b.Ledger.Authenticate(t.Context(), secret)
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

// follow waits on a ledger for the change after the newest one. The result is ready when the
// channel has it.
func follow(t *testing.T, w *ledgertest.World, secret string) <-chan error {
	t.Helper()
	caller, err := w.Ledger.Authenticate(t.Context(), secret)
	require.NoError(t, err)
	svc := api.As(w.Ledger, *caller, "")
	now := ledgertest.Call(t, svc, api.ListChanges, api.ListChangesInput{})
	done, waiting := make(chan error, 1), make(chan struct{})
	var once sync.Once
	go func() {
		wait := int64(25)
		req := &api.Request{Spec: api.ListChanges.Spec, Caller: caller, Input: &api.ListChangesInput{After: &now.Latest, Wait: &wait},
			BeforeWait: func() { once.Do(func() { close(waiting) }) }}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		res, err := w.Ledger.Do(ctx, req)
		if err == nil && len(res.Output.(*api.Changes).Items) == 0 {
			err = errNoChange
		}
		done <- err
	}()
	<-waiting
	return done
}

var errNoChange = errors.New("the wait ended without a change")

// Whoever waits for a change at one process is woken by one at another, also by the
// revocation of the key, without waiting for the end of the poll.
func TestSiblings_WakeWaits(t *testing.T) {
	t.Parallel()
	a, b := siblings(t)
	for _, w := range []*ledgertest.World{a, b} { // a wait ends only with a change
		never := func(time.Duration) <-chan time.Time { return nil }
		w.Ledger.Close()
		w.Ledger = ledger.New(w.Store, ledger.Options{Now: w.Clock.Now, After: never, Log: slog.New(slog.DiscardHandler)})
		w.Service = w.As(api.Live)
	}
	secret, key := a.Key()
	for range 3 {
		one, two := follow(t, b, secret), follow(t, a, secret)
		a.Owner(api.NewKey())
		require.NoError(t, <-one)
		require.NoError(t, <-two)
		one, two = follow(t, b, secret), follow(t, a, secret)
		b.Owner(api.NewKey())
		require.NoError(t, <-one)
		require.NoError(t, <-two)
	}
	one, two := follow(t, b, secret), follow(t, a, secret)
	_, err := a.Ledger.RevokeKey(t.Context(), a.Org.ID, key.ID, false)
	require.NoError(t, err)
	require.True(t, api.HasCode(<-one, api.Unauthorized))
	require.True(t, api.HasCode(<-two, api.Unauthorized))
}
