// Package ledger is the inventory engine. It stores balances, the movements that
// changed them, and the documents behind the movements.
//
// Every change goes through write, and every stock movement through posting.Post. A write
// adds one journal entry, from which its response is rendered, both the first time
// and when the request is replayed. The scheduler expires reservations exactly on time.
//
// Read write.go first, then the packages in internal:
//
//   - journal: the entries, each a change with its movements, and their bytes.
//   - stored: the tables, and reading what they have.
//   - posting: a write in progress; the rules of all movements, and Post.
//   - catalog, document, stock: what each request changes.
//   - report: reports, and what replicas read.
//
// Package audit verifies a ledger, and replica fills one from another. Who may call,
// and how often, is in server/account.
package ledger

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/audit"
	"bincard/server/ledger/internal/report"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// A Ledger is an api.Service over a store. Every Request must carry its Caller.
type Ledger struct {
	store       store.Store
	accounts    *account.Accounts
	now         func() time.Time
	after       func(time.Duration) <-chan time.Time
	log         *slog.Logger
	bindings    map[string]binding // beside the commonBindings
	expiry      *scheduler
	feed        *report.Feed
	newID       func() api.ID
	nodes       *nodeList
	terminals   Terminals
	localWrites bool

	shared     store.Shared // nil if no other process writes
	clockWrong atomic.Bool  // and logged
}

// Options of a Ledger. The zero value suits a service.
type Options struct {
	// Now is the clock; time.Now if nil.
	Now func() time.Time
	// After is the timer of Run and of waits for changes; time.After if nil.
	After func(time.Duration) <-chan time.Time
	// NewID generates ids of organizations, their defaults and epochs; uuid.New if nil.
	NewID func() api.ID
	// Log receives unexpected errors; slog.Default if nil.
	Log *slog.Logger
	// LocalWrites is set for the ledger of a replica; see LocalPosition.
	LocalWrites bool
}

// New returns a ledger over a store. The caller closes the store.
func New(st store.Store, opts Options) *Ledger {
	l := &Ledger{
		store:       st,
		now:         opts.Now,
		log:         opts.Log,
		after:       opts.After,
		localWrites: opts.LocalWrites,
		newID:       opts.NewID,
	}

	if l.newID == nil {
		l.newID = uuid.New
	}
	if l.now == nil {
		l.now = time.Now
	}
	if l.after == nil {
		l.after = time.After
	}
	if l.log == nil {
		l.log = slog.Default()
	}

	l.nodes = &nodeList{}
	l.feed = report.NewFeed(st, l.newID, l.supports)
	l.expiry = newScheduler(l)
	l.accounts = account.New(st, account.Options{Now: l.now, NewID: l.newID, Log: l.log, Unmetered: opts.LocalWrites})
	l.bindings = l.bindOwn()
	if l.shared, _ = st.(store.Shared); l.shared != nil {
		l.shared.OnChange(l.changed)
	}

	return l
}

// supports reports whether the ledger has an operation.
func (l *Ledger) supports(operation string) bool {
	_, ok := l.binding(operation)
	return ok
}

// Do performs an operation.
func (l *Ledger) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Caller == nil {
		return nil, api.Internal(fmt.Errorf("%s called without a caller", req.Spec.ID))
	}
	if !req.Caller.May(req.Spec.Scope) {
		return nil, api.Fail(api.InsufficientScope, api.Details{"requiredScope": req.Spec.Scope},
			"Missing scope %s. Use a key that has it.", req.Spec.Scope)
	}

	l.checkClock()
	b, ok := l.binding(req.Spec.ID)
	if !ok {
		return nil, api.Fail(api.NotImplemented, api.Details{"operation": req.Spec.ID},
			"This service does not support \"%v\".", req.Spec.Summary)
	}

	if req.Caller.LocationID != api.NoID && !l.localWrites { // a replica has only what it may show
		limited, err := limitRead(req)
		if err != nil {
			return nil, err
		}
		req = limited
	}

	switch {
	case b.handle != nil:
		return b.handle(ctx, l, req, b)
	case req.Spec.Writes():
		return l.write(ctx, req, b)
	}

	return l.read(ctx, req, b)
}

// admit counts a read, or rejects it if the plan's requests are used up.
func (l *Ledger) admit(ctx context.Context, c *api.Caller) error {
	return toAPIError(ctx, l.accounts.Admit(ctx, c, api.Instant(l.now())))
}

// Close ends waits for changes and writes the request counts. The store stays open.
// The ledger must not be used afterwards.
func (l *Ledger) Close() {
	l.feed.Close()
	l.accounts.Close()
}

func (l *Ledger) read(ctx context.Context, req *api.Request, b binding) (*api.Response, error) {
	if err := l.admit(ctx, req.Caller); err != nil {
		return nil, err
	}
	return l.readAdmitted(ctx, req, b)
}

// readAdmitted performs a read that has been admitted.
func (l *Ledger) readAdmitted(ctx context.Context, req *api.Request, b binding) (*api.Response, error) {
	p := partition(req.Caller)
	var out any
	err := l.expiry.View(ctx, p, func(r store.Reader, now time.Time) error { // expires what is due
		tx := &stored.Tx{Reader: store.Cancelable(ctx, r), Partition: p, Caller: req.Caller, Now: now}
		err := account.CheckPlan(r, req.Caller.Environment, now, req.Spec)
		if err == nil {
			err = api.Check(req.Input)
		}
		if err == nil {
			out, err = b.read(tx, req.Input)
		}

		return err
	})
	if err != nil {
		return nil, toAPIError(ctx, err)
	}

	return &api.Response{Output: out}, nil
}

func partition(c *api.Caller) store.Partition {
	return store.Partition{Organization: c.Organization, Environment: string(c.Environment)}
}

// Verify recomputes everything from the journal: it checks that the entries are
// complete and in order, that each movement continues the one before it, that the
// movements add up to the balances, and that lot balances, serials, documents and
// indexes agree.
//
// It reads each partition in one read transaction, which a file that must grow waits
// for, and keeps the sums of each balance in memory.
func (l *Ledger) Verify(ctx context.Context) (*audit.Result, error) {
	return l.VerifyWithProgress(ctx, nil)
}

// HeadsAt returns the journal entry with a sequence number, and its hash, of each
// organization and environment that has one.
func (l *Ledger) HeadsAt(ctx context.Context, seq int64) ([]audit.Head, error) {
	list, err := audit.HeadsAt(ctx, l.store, seq)
	return list, toAPIError(ctx, err)
}

// Heads returns the newest journal entry of each organization and environment that has one.
func (l *Ledger) Heads(ctx context.Context) (list []audit.Head, err error) {
	parts, err := l.store.Partitions(ctx)
	for _, p := range parts {
		if err != nil || p == (store.Partition{}) {
			continue
		}

		err = l.store.View(ctx, p, func(r store.Reader) error {
			head, err := (&stored.Tx{Reader: r, Partition: p}).Head()
			if err == nil && head.Seq > 0 {
				list = append(list, audit.Head{
					Organization: p.Organization,
					Environment:  api.Environment(p.Environment),
					Seq:          head.Seq,
					Hash:         head.Hash,
				})
			}

			return err
		})
	}

	return list, toAPIError(ctx, err)
}

// VerifyWithProgress is like Verify and regularly calls progress with the number of
// journal entries verified and their total. progress may be nil.
func (l *Ledger) VerifyWithProgress(ctx context.Context, progress func(done, of int64)) (*audit.Result, error) {
	result, err := audit.Verify(ctx, l.store, api.Instant(l.now()), progress)
	return result, toAPIError(ctx, err)
}
