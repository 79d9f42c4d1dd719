// Package ledgertest opens ledgers for tests: a small company with a settable
// clock. It verifies the ledger when the test ends.
package ledgertest

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/ledger/audit"
	"bincard/server/store"
	"bincard/server/store/boltstore"
)

// A TB is a test or a run of a property test.
type TB interface {
	require.TestingT
	Helper()
	Cleanup(func())
}

// A World is a ledger with one organization. At the end of the test it verifies
// the ledger, which must have no faults.
type World struct {
	Ledger *ledger.Ledger
	Store  store.Store
	Org    api.Organization
	// Service has all rights in the live environment of the organization.
	Service api.Service
	Clock   *Clock
	// Damaged skips the verification, for tests that plant faults.
	Damaged bool

	t    TB
	open func() store.Store // again; nil if it cannot be opened again
}

// Start is the initial time of a new world.
var Start = time.Date(2026, 3, 31, 14, 0, 0, 0, time.UTC)

// Open opens a world in memory.
func Open(t TB) *World {
	t.Helper()
	return begin(t, store.NewMemory(), nil)
}

// OpenDir opens a world in a data directory, creating it if needed. A directory
// can only be open once.
func OpenDir(t TB, dir string) *World {
	t.Helper()
	return OpenStore(t, func() store.Store {
		st, err := boltstore.Open(dir, boltstore.Options{NoSync: true})
		require.NoError(t, err)
		return st
	})
}

// OpenStore opens a world on the store that open opens.
func OpenStore(t TB, open func() store.Store) *World {
	t.Helper()
	return begin(t, open(), open)
}

func begin(t TB, st store.Store, open func() store.Store) *World {
	t.Helper()
	w := &World{Store: st, Clock: &Clock{now: Start}, t: t, open: open}
	_, err := ledger.CheckFormat(context.Background(), st, "test")
	require.NoError(t, err)
	w.Ledger = ledger.New(st, ledger.Options{Now: w.Clock.Now, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(w.Close)
	existing, err := w.Ledger.Organizations(context.Background())
	require.NoError(t, err)
	if len(existing) > 0 {
		w.Org = existing[0]
	} else {
		w.Org, err = w.Ledger.CreateOrganization(context.Background(), "Harbor Foods")
		require.NoError(t, err)
	}

	w.Service = w.As(api.Live)

	return w
}

// Close verifies the ledger and closes its store. It runs at the end of the test.
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

// Reopen closes a world and opens it again, like a restart of the service. The clock
// keeps its time.
func (w *World) Reopen() *World {
	w.t.Helper()
	require.NotNil(w.t, w.open, "a world in memory cannot be opened again")
	w.Close()
	reopened := OpenStore(w.t, w.open)
	reopened.Clock.Set(w.Clock.Now())
	return reopened
}

// Verify verifies the ledger, which must have no faults.
func (w *World) Verify() *audit.Result {
	w.t.Helper()
	result, err := w.Ledger.Verify(context.Background())
	require.NoError(w.t, err)
	for _, f := range result.Faults {
		w.t.Errorf("the ledger is inconsistent: %s", f)
	}
	return result
}

// A Row is a row of the store.
type Row struct{ Key, Value []byte }

// Rows reads a table of the live partition, which must not be empty.
func (w *World) Rows(table string) (list []Row) {
	w.t.Helper()
	p := store.Partition{Organization: w.Org.ID, Environment: string(api.Live)}
	require.NoError(w.t, w.Store.View(context.Background(), p, func(r store.Reader) error {
		return r.Scan(table, store.Range{}, func(k, v []byte) error {
			list = append(list, Row{append([]byte{}, k...), append([]byte{}, v...)})
			return nil
		})
	}))

	require.NotEmpty(w.t, list, "table %s", table)

	return list
}

// As returns the service for a key of the organization with the given scopes, or
// with all scopes if none is given.
func (w *World) As(env api.Environment, scopes ...api.Scope) api.Service {
	if len(scopes) == 0 {
		scopes = api.Scopes
	}
	return api.As(w.Ledger, api.Caller{Organization: w.Org.ID, Environment: env, Scopes: scopes,
		Actor: api.Actor{Type: api.APIKey, ID: "key", Label: "Test key"}}, "")
}

// AsRole is As for a key that is bound to a role.
func (w *World) AsRole(env api.Environment, is api.Role) api.Service {
	return api.As(w.Ledger, api.Caller{Organization: w.Org.ID, Environment: env, Scopes: api.Scopes, Role: is,
		Actor: api.Actor{Type: api.APIKey, ID: "key", Label: "Test key"}}, "")
}

// NewOrganization creates a second organization in the same store. It shares the clock.
func (w *World) NewOrganization(name string) *World {
	w.t.Helper()
	org, err := w.Ledger.CreateOrganization(context.Background(), name)
	require.NoError(w.t, err)
	other := *w
	other.Org = org
	other.Service = other.As(api.Live)
	return &other
}

// A Clock returns a fixed time until it is set. It is safe for concurrent use.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now returns the clock's time.
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

// Advance advances the clock.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
