// Package ledgertest opens ledgers for tests: a small company with a clock
// that tests set, whose books are checked when the test ends.
package ledgertest

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/store"
	"bincard/server/store/boltstore"
)

// A World is a ledger with one organization in it. When the test ends its
// ledger is verified and must have no fault.
type World struct {
	Ledger *ledger.Ledger
	Store  store.Store
	Org    api.Organization
	// Service has all rights in the live environment of the organization.
	Service api.Service
	Clock   *Clock
	// Damaged worlds are not verified: the test has planted faults.
	Damaged bool

	t   testing.TB
	dir string
}

// Start is where the clock of a new world stands.
var Start = time.Date(2026, 3, 31, 14, 0, 0, 0, time.UTC)

// Open makes a world in memory.
func Open(t testing.TB) *World {
	t.Helper()
	return begin(t, store.NewMemory(), "")
}

// OpenDir makes a world in a data directory, or finds again the one that an
// earlier call made there. Only one world can have a directory open.
func OpenDir(t testing.TB, dir string) *World {
	t.Helper()
	st, err := boltstore.Open(dir, boltstore.Options{NoSync: true})
	require.NoError(t, err)
	return begin(t, st, dir)
}

func begin(t testing.TB, st store.Store, dir string) *World {
	t.Helper()
	w := &World{Store: st, Clock: &Clock{now: Start}, t: t, dir: dir}
	require.NoError(t, ledger.CheckFormat(context.Background(), st, "test"))
	w.Ledger = ledger.New(st, ledger.Options{Now: w.Clock.Now, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(w.Close)
	known, err := w.Ledger.Organizations(context.Background())
	require.NoError(t, err)
	if len(known) > 0 {
		w.Org = known[0]
	} else {
		w.Org, err = w.Ledger.CreateOrganization(context.Background(), "Harbour Foods")
		require.NoError(t, err)
	}
	w.Service = w.As(api.Live)
	return w
}

// Close verifies the ledger and closes its store; the end of the test does it.
func (w *World) Close() {
	w.t.Helper()
	if w.Store == nil {
		return
	}
	if !w.Damaged {
		w.Verify()
	}
	w.Ledger.Close()
	require.NoError(w.t, w.Store.Close())
	w.Store = nil
}

// Reopen closes a world that is in a directory and opens it again, as a
// restart of the service does. The clock goes on.
func (w *World) Reopen() *World {
	w.t.Helper()
	require.NotEmpty(w.t, w.dir, "only a world in a directory can be opened again")
	w.Close()
	again := OpenDir(w.t, w.dir)
	again.Clock.Set(w.Clock.Now())
	return again
}

// Verify re-counts the ledger, which must have no fault.
func (w *World) Verify() *ledger.VerifyResult {
	w.t.Helper()
	proof, err := w.Ledger.Verify(context.Background())
	require.NoError(w.t, err)
	for _, f := range proof.Faults {
		w.t.Errorf("the ledger does not add up: %s", f)
	}
	return proof
}

// As is the ledger as a key of the organization sees it, with these scopes, or
// with all of them where none is named.
func (w *World) As(env api.Environment, scopes ...api.Scope) api.Service {
	if len(scopes) == 0 {
		scopes = api.Scopes
	}
	return api.As(w.Ledger, api.Caller{Organization: w.Org.ID, Environment: env, Scopes: scopes,
		Actor: api.Actor{Type: api.APIKey, ID: "key", Label: "Test key"}}, "")
}

// NewOrganization is a second organization in the same store. It shares the clock.
func (w *World) NewOrganization(name string) *World {
	w.t.Helper()
	org, err := w.Ledger.CreateOrganization(context.Background(), name)
	require.NoError(w.t, err)
	other := *w
	other.Org = org
	other.Service = other.As(api.Live)
	return &other
}

// A Clock stands still until it is set. It may be read while it is set.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now is where the clock stands.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Set sets the clock.
func (c *Clock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

// Advance moves the clock on.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
