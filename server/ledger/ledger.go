// Package ledger is the inventory engine: it keeps balances, the movements
// that made them, and the documents behind them.
//
// There is one way to change anything, write, and one way to move stock, post.
// A write leaves one row, its record, from which its answer is rendered, the
// first time and every time it is asked for again.
package ledger

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/server/store"
)

// A Ledger is an api.Service over a store. Every Request must carry its Caller.
type Ledger struct {
	store           store.Store
	now             func() time.Time
	after           func(time.Duration) <-chan time.Time
	log             *slog.Logger
	bindings        map[string]binding
	keyring         keyring
	expirySchedules expirySchedules
	meters          meters
	notifier        notifier
	epochCache      epochCache
	newID           func() api.ID
	localWrites     bool
}

// Options of a Ledger. The zero value is right for a service.
type Options struct {
	// Now is the clock; time.Now where nil.
	Now func() time.Time
	// After is the timer of Run, and of those who wait for changes; time.After where nil.
	After func(time.Duration) <-chan time.Time
	// NewID mints the ids of organizations, their defaults and epochs; uuid.New where nil.
	NewID func() api.ID
	// Log takes what should not happen; slog.Default where nil.
	Log *slog.Logger
	// LocalWrites is a ledger over a replica, which confirms nothing; see Turn.
	LocalWrites bool
}

// New makes a ledger over a store, which stays the caller's to close.
func New(st store.Store, opts Options) *Ledger {
	l := &Ledger{store: st, now: opts.Now, log: opts.Log, after: opts.After, localWrites: opts.LocalWrites, newID: opts.NewID}
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
	l.expirySchedules.wake = make(chan struct{}, 1)
	l.bindings = bindAll()
	return l
}

// A binding is how the ledger performs one operation: a read answers at once,
// a write changes and leaves a record that render turns into its answer.
type binding struct {
	read   func(rd *readTx, input any) (any, error)
	change func(c *writeTx, input any) error
	render func(rd *readTx, rec *entry) (any, error)
	// afterWrite does what a write is to do beyond its partition, after the commit and
	// before anybody hears of it; with a replay too, in case the first try got
	// no further than its commit.
	afterWrite func(ctx context.Context) error
	// handle performs an operation that is more than a look at its partition or a
	// change of it.
	handle func(ctx context.Context, l *Ledger, req *api.Request, b binding) (*api.Response, error)
}

// reads binds an operation that changes nothing.
func reads[I, O any](b map[string]binding, op api.Operation[I, O], fn func(*readTx, *I) (*O, error)) {
	b[op.ID] = binding{read: func(rd *readTx, input any) (any, error) {
		out, err := fn(rd, input.(*I))
		if err != nil {
			return nil, err
		}
		return out, nil
	}}
}

// writes binds an operation that changes something.
func writes[I, O any](b map[string]binding, op api.Operation[I, O], fn func(*writeTx, *I) error, render func(*readTx, *entry) (*O, error)) {
	b[op.ID] = binding{
		change: func(c *writeTx, input any) error { return fn(c, input.(*I)) },
		render: func(rd *readTx, rec *entry) (any, error) {
			out, err := render(rd, rec)
			if err != nil {
				return nil, err
			}
			return out, nil
		},
	}
}

func bindAll() map[string]binding {
	b := map[string]binding{}
	bindCatalogue(b)
	bindInbounds(b)
	bindTransfers(b)
	bindOutbounds(b)
	bindReservations(b)
	bindStock(b)
	bindDirectStock(b)
	bindKits(b)
	bindTraces(b)
	bindBalances(b)
	bindReports(b)
	bindLookup(b)
	bindKeys(b)
	bindFeed(b)
	return b
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
	b, ok := l.bindings[req.Spec.ID]
	if !ok {
		return nil, api.Fail(api.NotImplemented, api.Details{"operation": req.Spec.ID},
			"This service does not support %q.", req.Spec.Summary)
	}
	switch {
	case b.handle != nil:
		return b.handle(ctx, l, req, b)
	case req.Spec.Writes():
		return l.write(ctx, req, b)
	}
	return l.read(ctx, req, b)
}

func (l *Ledger) read(ctx context.Context, req *api.Request, b binding) (*api.Response, error) {
	if err := l.admit(ctx, req); err != nil {
		return nil, err
	}
	return l.readAdmitted(ctx, req, b)
}

// readAdmitted reads, once the request is admitted.
func (l *Ledger) readAdmitted(ctx context.Context, req *api.Request, b binding) (*api.Response, error) {
	p := partition(req.Caller)
	now, err := l.nowAfterExpiry(ctx, p)
	if err != nil {
		return nil, toAPIError(ctx, err)
	}
	var out any
	err = l.store.View(ctx, p, func(r store.Reader) error {
		rd := &readTx{l: l, r: r, p: p, caller: req.Caller, now: now}
		err := rd.checkPlan(req.Spec)
		if err == nil {
			err = api.Check(req.Input)
		}
		if err == nil {
			out, err = b.read(rd, req.Input)
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

// toAPIError is err as the caller gets it: an api.Error, or the end of its own context.
func toAPIError(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return err
	}
	if e := explainUnavailable(err); e != nil {
		return e
	}
	if e := explainInconsistency(err); e != nil {
		return e
	}
	return api.AsError(err)
}

// explainUnavailable says in words that the store takes nothing for now, and when to try
// again; nil where that is not what happened.
func explainUnavailable(err error) *api.Error {
	e := &api.Error{Code: api.Unavailable, Err: err}
	switch {
	case errors.Is(err, store.ErrUncertain):
		e.Message = "The service's disk did not confirm the change, so it may or may not be saved. Retry with the same Idempotency-Key after the service restarts."
		e.Details = api.Details{"retryAfterSeconds": int64(60), "outcome": "unknown"}
	case errors.Is(err, store.ErrFull):
		e.Message = "The service's disk is full. Retry with the same Idempotency-Key once space is free."
		e.Details = api.Details{"retryAfterSeconds": int64(60)}
	case errors.Is(err, store.ErrClosed):
		e.Message = "The service is shutting down. Retry with the same Idempotency-Key after it restarts."
		e.Details = api.Details{"retryAfterSeconds": int64(10)}
	default:
		return nil
	}
	return e
}
