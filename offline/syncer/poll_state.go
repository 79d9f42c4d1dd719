package syncer

import (
	"context"
	"time"

	"bincard/offline/journal"
	"bincard/server/api"
	"bincard/server/ledger/replica"
	"bincard/server/store"
)

// Options configures polling.
type Options struct {
	// Organization is the organization's name, which the service does not
	// report.
	Organization string
	// Requests is the number of requests a month that the node may make, or 0 if
	// unknown.
	Requests int64
	// Folder has the file with the quota that the service reported.
	Folder journal.Folder
	// NotSent reports whether an error means that the request was never sent.
	// If nil, no error does.
	NotSent func(error) bool
}

// A poll reads from a service that has the documented operations only: first
// the reports and lists page by page, and then in cycles the movements since,
// with the documents they belong to.
type poll struct {
	*Local
	opts      Options
	stage     store.Store // being filled; nil while the current replica is updated
	tasks     []*task     // to read, in order
	nextPhase func(context.Context) error
	cycle     *cycle // nil while a stage is filled for the first time

	since          time.Time       // the latest time of the service's clock seen
	knownMovements map[api.ID]bool // the movements of the last cycle
	noFilters      map[string]bool // operations that accept no filter or limit
	unavailable    map[string]bool // operations that the key or the service does not permit
	pace           pacer
	learnedQuota   int64 // requests a month, as reported by the service
	// failures is how often in a row a cycle could not be merged.
	failures int

	transferStates map[api.ID]transferState // the transfers of the last cycles
	auditedAt      time.Time
}

// A task reads one answer, or all pages of a list.
type task struct {
	// request returns the request. If bare is true it omits page sizes and
	// statuses, which not every service accepts.
	request func(cursor string, bare bool) *api.Request
	// handle takes an answer and returns the cursor of the next page.
	handle func(ctx context.Context, out any) (next *string, err error)
	cursor string
}

// target returns the replica that is being read into.
func (p *poll) target() store.Store {
	if p.stage != nil {
		return p.stage
	}
	return p.Replicas.Current()
}

func (p *poll) readReplica(ctx context.Context, fn func(*replica.Tx) error) error {
	return p.Replicas.View(ctx, p.target(), fn)
}

// observeTime records a time of the service's clock.
func (p *poll) observeTime(at time.Time) {
	if p.cycle != nil {
		p.cycle.latest = later(p.cycle.latest, at)
	} else {
		p.since = later(p.since, at)
	}
}

// upTo returns the time up to which the cycle is complete.
func (p *poll) upTo() time.Time {
	r := p.cycle
	if p.unavailable[api.ListTransfers.Spec.ID] || r.transfersUpTo.After(r.movementsUpTo) {
		return r.movementsUpTo
	}
	return r.transfersUpTo
}

// A transferState is what changes in a transfer. UpdatedAt alone does not
// reveal a change if the service's clock stood still.
type transferState struct {
	status            api.TransferStatus
	shipped, received int64
	updated           time.Time
}

func transferStateOf(t *api.Transfer) transferState {
	return transferState{t.Status, t.ShippedQuantity, t.ReceivedQuantity, t.UpdatedAt}
}
