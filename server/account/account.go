// Package account knows who uses the service and how much: organizations, API keys,
// plans and usage.
//
// Organizations and keys are in the system's partition, the one with the zero name.
// Each environment of an organization has a partition of its own, with a copy of the
// organization, its plan and its usage.
//
// A request passes through the package three times. Authenticate finds the caller of
// a secret, from memory for keys in use (see keyring). A Meter counts the request and
// rejects it when the plan's requests are used up; counts are in memory and written
// within a second. CheckPlan rejects operations that the plan does not include; it
// reads the UsageRow, which every write of the ledger updates.
package account

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/server/store"
)

// Accounts are the organizations of a store. Errors of the store are returned as they
// are.
type Accounts struct {
	store   store.Store
	now     func() time.Time
	newID   func() api.ID
	log     *slog.Logger
	metered bool
	keyring keyring
	meters  meters
}

// Options of Accounts.
type Options struct {
	// Now is the clock; time.Now if nil.
	Now func() time.Time
	// NewID generates ids of organizations and their defaults; uuid.New if nil.
	NewID func() api.ID
	// Log receives unexpected errors; slog.Default if nil.
	Log *slog.Logger
	// Unmetered is set for a replica, whose requests the service counts.
	Unmetered bool
}

// New returns the accounts of a store. The caller closes the store.
func New(st store.Store, opts Options) *Accounts {
	a := &Accounts{store: st, now: opts.Now, newID: opts.NewID, log: opts.Log, metered: !opts.Unmetered}
	if a.now == nil {
		a.now = time.Now
	}
	if a.newID == nil {
		a.newID = uuid.New
	}
	if a.log == nil {
		a.log = slog.Default()
	}

	a.keyring.store, a.meters.store = st, st
	_, a.meters.shared = st.(store.Shared)
	a.keyring.log, a.meters.log = a.log, a.log

	return a
}

// Changed notes that another process has changed rows of a partition, or nil if they are not
// known. It returns the partitions of the changed keys.
func (a *Accounts) Changed(p store.Partition, rows []store.Row) (ofKeys []store.Partition) {
	if p == (store.Partition{}) {
		return a.keyring.changed(rows)
	}
	if rows == nil || slices.ContainsFunc(rows, func(row store.Row) bool { return row.Table == Plans.Name }) {
		a.meters.planChanged(p)
	}
	return nil
}

// Close writes the request counts. The accounts must not be used afterwards.
func (a *Accounts) Close() {
	a.meters.close()
}

// Meter returns the meter for the caller's requests. It returns nil, which counts
// nothing, for terminals on the ledger itself and for replicas.
func (a *Accounts) Meter(ctx context.Context, c *api.Caller) (*Meter, error) {
	if c.Actor.Type != api.APIKey || !a.metered {
		return nil, nil
	}
	return a.meters.of(ctx, partitionOf(c))
}

// Admit counts a request that only reads, or rejects it if the plan's requests are used up.
func (a *Accounts) Admit(ctx context.Context, c *api.Caller, now time.Time) error {
	if err := store.Refresh(ctx, a.store, partitionOf(c)); err != nil {
		return err
	}
	meter, err := a.Meter(ctx, c)
	if err != nil {
		return err
	}
	return meter.Charge(ctx, now)
}

func partitionOf(c *api.Caller) store.Partition {
	return store.Partition{Organization: c.Organization, Environment: string(c.Environment)}
}

// Usage returns the usage of the plan in a partition, including counts only in memory.
func (a *Accounts) Usage(r store.Reader, p store.Partition, now time.Time) (api.Usage, error) {
	row, err := ReadUsage(r)
	if err != nil {
		return api.Usage{}, err
	}

	current := MonthOf(now)
	counted, count, err := requestsOf(r)
	if m, ok := a.meters.byPartition.Load(p); ok {
		m := m.(*Meter)
		m.mu.Lock()
		if m.month > counted || m.month == counted && m.count > count {
			counted, count = m.month, m.count
		}
		m.mu.Unlock()
	}

	if current > counted {
		count = 0
	}

	return api.Usage{Month: max(current, counted, row.Month).String(), APIRequests: count,
		BillableOperations: row.billable(current), ActiveProducts: row.Products}, err
}

// An OrganizationRow is the stored form of an organization, in the system's partition.
type OrganizationRow struct {
	api.Organization
	store.Unknown
	CreatedAt time.Time `json:"createdAt"`
}

// Organizations has all organizations, in the system's partition.
var Organizations = store.NewTable(store.Table[OrganizationRow]{
	Name:  "organizations",
	Key:   func(t *OrganizationRow) []byte { return t.ID[:] },
	Codec: store.JSON[OrganizationRow](),
})

// Own has the organization of its partition, in a single row: a transaction sees only
// one partition.
var Own = store.NewTable(store.Table[api.Organization]{
	Name:  "organization",
	Key:   func(o *api.Organization) []byte { return o.ID[:] },
	Codec: store.JSON[api.Organization](),
})

// OwnOf returns the organization of a partition with its defaults.
func OwnOf(r store.Reader, p store.Partition) (*api.Organization, error) {
	o, err := Own.Shared(r, p.Organization[:])
	if err != nil {
		return nil, err
	}
	if o == nil {
		return nil, organizationNotFound(p.Organization)
	}
	return o, nil
}

// organizationNotFound is the error for an organization that does not exist.
func organizationNotFound(id api.ID) error {
	return api.Fail(api.NotFound, api.Details{"resource": "organization", "organizationId": id},
		"Organization %s does not exist.", id)
}
