package ledger

import (
	"context"
	"errors"
	"time"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/store"
)

// A writeTx is a write in progress: one transaction, one time, one journal entry.
type writeTx struct {
	*readTx
	tx          store.Tx
	req         *api.Request
	entry       entry
	touched     []*balance // in the order of entry.Balances
	lotBalances map[lotBalanceKey]*lotBalance
	serials     []*serial // in the order of entry.Serials

	products       int64 // change in the number of active products
	versionChecked bool  // checkVersion was called
}

// write is the only way to change the ledger. In one transaction it looks up the
// idempotency key, runs the change, stores the journal entry, and renders the response
// from it. It returns after the commit is on disk.
func (l *Ledger) write(ctx context.Context, req *api.Request, b binding) (*api.Response, error) {
	if err := checkKey(req.IdempotencyKey); err != nil {
		return nil, err
	}
	fingerprint, err := req.Spec.Fingerprint(req.Input)
	if err != nil {
		return nil, api.Internal(err)
	}
	p := partition(req.Caller)
	meter, err := l.accounts.Meter(ctx, req.Caller)
	if err != nil {
		return nil, toAPIError(ctx, err)
	}
	res, counted := &api.Response{}, false
	position, _ := LocalPositionOf(ctx)
	err = l.update(ctx, p, func(tx store.Tx, now time.Time) error {
		read := &readTx{l: l, r: tx, p: p, caller: req.Caller, now: now, localPos: position}
		e, err := read.earlierEntry(req, fingerprint)
		if err != nil {
			return err
		}
		if res.Replayed = e != nil; !res.Replayed {
			if !counted { // the store may run this function again
				if err := meter.Charge(read.now); err != nil {
					return err
				}
				counted = true
			}
			if err := account.CheckPlan(tx, req.Caller.Environment, now, req.Spec); err != nil {
				return err
			}
			if err := api.Check(req.Input); err != nil {
				return err
			}
			if e, err = l.runWrite(read, tx, req, b, fingerprint); err != nil {
				return err
			}
		}
		res.Output, err = b.render(read, e)
		return err
	})
	if errors.Is(err, store.ErrFull) {
		err = l.replay(ctx, req, b, fingerprint, res, err)
	}
	if err != nil {
		return nil, toAPIError(ctx, err)
	}
	if b.afterWrite != nil {
		if err := b.afterWrite(ctx); err != nil {
			return nil, toAPIError(ctx, err)
		}
	}
	if !res.Replayed {
		l.notifier.notify(p)
	}
	return res, nil
}

// earlierEntry returns the journal entry of a request that was performed before, or
// nil. It sets the transaction's time to that of the entry.
func (tx *readTx) earlierEntry(req *api.Request, fingerprint [16]byte) (*entry, error) {
	e, err := tx.entryOfKey(req.IdempotencyKey)
	if err != nil || e == nil {
		return nil, err
	}
	if e.Fingerprint == ([16]byte{}) {
		return nil, usedAtService(req.IdempotencyKey)
	}
	if e.Fingerprint != fingerprint || e.Spec != req.Spec.ID {
		return nil, keyReused(req.IdempotencyKey, e)
	}
	tx.now = e.At
	return e, nil
}

// replay responds to a repeated request when the disk is full. It only reads, whereas
// an update may fail with the writes it is committed with. For a new request it returns
// full.
func (l *Ledger) replay(ctx context.Context, req *api.Request, b binding, fingerprint [16]byte, res *api.Response, full error) error {
	p := partition(req.Caller)
	return l.store.View(ctx, p, func(r store.Reader) error {
		tx := &readTx{l: l, r: r, p: p, caller: req.Caller}
		e, err := tx.earlierEntry(req, fingerprint)
		if err != nil {
			return err
		}
		if res.Replayed = e != nil; !res.Replayed {
			return full
		}
		res.Output, err = b.render(tx, e)
		return err
	})
}

// runWrite runs the change of a new request and stores its journal entry.
func (l *Ledger) runWrite(read *readTx, tx store.Tx, req *api.Request, b binding, fingerprint [16]byte) (*entry, error) {
	seq, now, err := read.nextSeq(true)
	if err != nil {
		return nil, err
	}
	read.now = now
	c := &writeTx{readTx: read, tx: tx, req: req}
	c.entry = entry{Seq: seq, At: now, Spec: req.Spec.ID, Key: req.IdempotencyKey, Fingerprint: fingerprint,
		Actor: req.Caller.Actor, Operator: operator(req), Source: source(req.Caller)}
	if err := b.change(c, req.Input); err != nil {
		return nil, err
	}
	if err := c.rejectVersion(); err != nil {
		return nil, err
	}
	if err := c.save(); err != nil {
		return nil, err
	}
	return &c.entry, nil
}

// save writes the staged changes and the journal entry.
func (c *writeTx) save() error {
	if err := c.saveBalances(); err != nil {
		return err
	}
	if err := c.saveSerials(); err != nil {
		return err
	}
	if err := c.saveTraces(); err != nil {
		return err
	}
	if err := journal.Insert(c.tx, &c.entry); err != nil {
		return err
	}
	if err := c.saveKey(); err != nil {
		return err
	}
	if err := c.saveBitmaps(); err != nil {
		return err
	}
	return c.saveUsage()
}

// metaTable has single rows of a partition, among them the account.UsageRow, whose
// sequence number orders everything.
const metaTable = "meta"

// counter returns the sequence number and the time of the last write.
func (tx *readTx) counter() (uint64, time.Time, error) { return account.LastWrite(tx.r) }

// saveUsage counts the write and sets the sequence number to the write's.
func (c *writeTx) saveUsage() error {
	t, err := account.ReadUsage(c.r)
	if err != nil {
		return err
	}
	if c.entry.Seq > localFrom { // local writes do not count
		t = &account.UsageRow{}
		t.StartMonth(account.MonthOf(c.entry.At))
	} else {
		t.Add(c.entry.Spec, c.entry.At, c.products)
	}
	t.Seq, t.At = c.entry.Seq, c.entry.At
	return t.Put(c.tx)
}

func checkKey(key string) error {
	if key == "" {
		return api.Fail(api.IdempotencyKeyRequired, nil,
			"Send an Idempotency-Key header: 1 to 255 visible ASCII characters, new for each write and unchanged for retries.")
	}
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' || i == 255 {
			var p api.Problems
			p.Add("Idempotency-Key", "header", "must be a single value of 1 to 255 visible ASCII characters")
			return p.Err()
		}
	}
	return nil
}

func keyReused(key string, old *entry) error {
	return api.Fail(api.IdempotencyKeyReused, api.Details{"operation": old.Spec, "usedAt": old.At.Format(time.RFC3339)},
		"The Idempotency-Key %q was used for another request (%s at %s). Use a new key.",
		key, old.Spec, old.At.Format(time.RFC3339))
}

// operator returns the person named in the request beside the key, or nil.
func operator(req *api.Request) *api.Actor {
	if req.Operator == "" || req.Caller.Actor.Type == api.User && req.Caller.Actor.Label == req.Operator {
		return nil
	}
	return &api.Actor{Type: api.User, Label: req.Operator}
}

// source returns the stored source of a write.
func source(c *api.Caller) string {
	if c.Actor.Type == api.APIKey {
		return "api"
	}
	return "terminal"
}
