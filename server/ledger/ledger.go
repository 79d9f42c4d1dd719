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

	"bincard/server/api"
	"bincard/server/store"
)

// A Ledger is an api.Service over a store. Every Request must carry its Caller.
type Ledger struct {
	store    store.Store
	now      func() time.Time
	log      *slog.Logger
	bindings map[string]binding
	keyring  keyring
}

// Options of a Ledger. The zero value is right for a service.
type Options struct {
	// Now is the clock; time.Now where nil.
	Now func() time.Time
	// Log takes what should not happen; slog.Default where nil.
	Log *slog.Logger
}

// New makes a ledger over a store, which stays the caller's to close.
func New(st store.Store, opts Options) *Ledger {
	l := &Ledger{store: st, now: opts.Now, log: opts.Log}
	if l.now == nil {
		l.now = time.Now
	}
	if l.log == nil {
		l.log = slog.Default()
	}
	l.bindings = bindAll()
	return l
}

// A binding is how the ledger performs one operation: a read answers at once,
// a write changes and leaves a record that render turns into its answer.
type binding struct {
	read   func(rd *reading, input any) (any, error)
	change func(c *change, input any) error
	render func(rd *reading, rec *record) (any, error)
}

// reads binds an operation that changes nothing.
func reads[I, O any](b map[string]binding, op api.Operation[I, O], fn func(*reading, *I) (*O, error)) {
	b[op.ID] = binding{read: func(rd *reading, input any) (any, error) {
		out, err := fn(rd, input.(*I))
		if err != nil {
			return nil, err
		}
		return out, nil
	}}
}

// writes binds an operation that changes something.
func writes[I, O any](b map[string]binding, op api.Operation[I, O], fn func(*change, *I) error, render func(*reading, *record) (*O, error)) {
	b[op.ID] = binding{
		change: func(c *change, input any) error { return fn(c, input.(*I)) },
		render: func(rd *reading, rec *record) (any, error) {
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
	bindStock(b)
	bindBalances(b)
	bindReports(b)
	bindLookup(b)
	return b
}

// Do performs an operation.
func (l *Ledger) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Caller == nil {
		return nil, api.Internal(fmt.Errorf("%s was called without a caller", req.Spec.ID))
	}
	if !req.Caller.May(req.Spec.Scope) {
		return nil, api.Fail(api.InsufficientScope, api.Details{"requiredScope": req.Spec.Scope},
			"This needs the right %s, which the key does not have.", req.Spec.Scope)
	}
	b, ok := l.bindings[req.Spec.ID]
	if !ok {
		return nil, api.Fail(api.NotImplemented, api.Details{"operation": req.Spec.ID},
			"This service does not do %q yet.", req.Spec.Summary)
	}
	if req.Spec.Writes() {
		return l.write(ctx, req, b)
	}
	return l.read(ctx, req, b)
}

func (l *Ledger) read(ctx context.Context, req *api.Request, b binding) (*api.Response, error) {
	if err := api.Check(req.Input); err != nil {
		return nil, err
	}
	p := partition(req.Caller)
	var out any
	err := l.store.View(ctx, p, func(r store.Reader) (err error) {
		out, err = b.read(&reading{l: l, r: r, p: p, caller: req.Caller, now: api.Instant(l.now())}, req.Input)
		return err
	})
	if err != nil {
		return nil, failure(ctx, err)
	}
	return &api.Response{Output: out}, nil
}

func partition(c *api.Caller) store.Partition {
	return store.Partition{Organization: c.Organization, Environment: string(c.Environment)}
}

// failure is err as the caller gets it: an api.Error, or the end of its own context.
func failure(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return err
	}
	return api.AsError(err)
}
