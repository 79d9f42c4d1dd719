package ledger

import (
	"cmp"
	"context"
	"errors"
	"time"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
	"bincard/server/ledger/replica"
	"bincard/server/store"
)

// A write is one request that changes the ledger, and its response so far.
type write struct {
	l           *Ledger
	p           store.Partition
	req         *api.Request
	fingerprint [16]byte
	binding     binding
	position    LocalPosition
	meter       *account.Meter
	charged     bool // in memory
	chargedHere bool // in the transaction
	res         api.Response
}

// write is the only way to change the ledger. Its steps are one transaction, which the
// store may run again, and write returns after the commit is on disk.
func (l *Ledger) write(ctx context.Context, req *api.Request, b binding) (*api.Response, error) {
	w, err := l.newWrite(ctx, req, b)
	if err != nil {
		return nil, err
	}

	err = l.expiry.Update(ctx, w.p, func(tx store.Tx, now time.Time) error { // expires what is due
		c, err := w.begin(tx, now)
		if err != nil {
			return err
		}
		if known, err := w.replay(c.Tx); known || err != nil {
			return err
		}
		if err := w.admit(c); err != nil {
			return err
		}
		if err := api.Check(req.Input); err != nil {
			return err
		}
		if err := w.checkOccurredAt(now); err != nil {
			return err
		}
		if err := req.CheckPeople(); err != nil {
			return err
		}
		if err := w.checkLocation(ctx, c.Tx); err != nil {
			return err
		}
		proven, err := w.provenRole(c)
		if err != nil {
			return err
		}
		if err := w.change(c); err != nil {
			return err
		}
		if err := w.checkRole(c, proven); err != nil {
			return err
		}
		if err := c.Save(); err != nil { // appends the journal entry
			return err
		}

		return w.render(c.Tx, &c.Entry)
	})
	if err != nil && w.chargedHere { // a write that fails counts too
		err = cmp.Or(w.meter.Charge(ctx, api.Instant(l.now())), err)
	}
	if errors.Is(err, store.ErrFull) {
		err = w.replayOnly(ctx, err)
	}
	if err == nil && b.afterWrite != nil {
		err = b.afterWrite(ctx)
	}
	if err != nil {
		return nil, toAPIError(ctx, err)
	}
	if !w.res.Replayed {
		l.feed.Notify(w.p)
	}

	return &w.res, nil
}

func (l *Ledger) newWrite(ctx context.Context, req *api.Request, b binding) (*write, error) {
	if err := checkKey(req.IdempotencyKey); err != nil {
		return nil, err
	}

	fingerprint, err := req.Spec.Fingerprint(req.Input)
	if err != nil {
		return nil, api.Internal(err)
	}

	meter, err := l.accounts.Meter(ctx, req.Caller)
	if err != nil {
		return nil, toAPIError(ctx, err)
	}

	w := &write{l: l, p: partition(req.Caller), req: req, fingerprint: fingerprint, binding: b, meter: meter}
	w.position, _ = LocalPositionOf(ctx)

	return w, nil
}

func (w *write) begin(tx store.Tx, now time.Time) (c *posting.Tx, err error) {
	w.chargedHere = false
	read := &stored.Tx{Reader: tx, Partition: w.p, Caller: w.req.Caller, Now: now}
	c = &posting.Tx{Tx: read, Writer: tx, Request: w.req, Local: w.l.localWrites, Clock: now}
	if c.Local {
		c.Locations, err = stored.ReplicaLocations(tx)
	}
	return c, err
}

// replay renders the response of a request that was performed before, whose
// idempotency key is known.
func (w *write) replay(tx *stored.Tx) (known bool, err error) {
	e, err := w.earlierEntry(tx)
	w.res.Replayed = e != nil
	if e == nil || err != nil {
		return false, err
	}
	return true, w.render(tx, e)
}

// earlierEntry returns the journal entry of a request that was performed before, or
// nil. It sets the transaction's time to that of the entry.
func (w *write) earlierEntry(tx *stored.Tx) (*journal.Entry, error) {
	e, err := tx.EntryOfKey(w.req.IdempotencyKey)
	if err != nil || e == nil {
		return nil, err
	}

	switch {
	case e.Spec != w.req.Spec.ID:
		return nil, keyReused(w.req.IdempotencyKey, e)
	case e.Fingerprint == ([16]byte{}):
		return nil, replica.UsedAtService(w.req.IdempotencyKey)
	case e.Fingerprint != w.fingerprint:
		return nil, keyReused(w.req.IdempotencyKey, e)
	}

	if isFromElsewhere(w.req, e) {
		return nil, keyReusedElsewhere(w.req.IdempotencyKey, e)
	}

	tx.Now = e.At

	return e, nil
}

// admit counts the request and checks it against the plan. Replays cost nothing.
func (w *write) admit(c *posting.Tx) error {
	if !w.charged { // in an earlier run of the transaction
		stored, err := w.meter.ChargeIn(c.Writer, c.Now)
		if err != nil {
			return err
		}
		w.charged, w.chargedHere = !stored, stored
	}

	return account.CheckPlan(c.Reader, w.req.Caller.Environment, c.Now, w.req.Spec)
}

// change runs the change of a new request, which stages what save writes.
func (w *write) change(c *posting.Tx) error {
	seq, now, err := w.l.nextSeq(c.Tx, w.position, true)
	if err != nil {
		return err
	}

	c.Now = now
	c.Entry = journal.Entry{
		Seq:         seq,
		At:          now,
		Spec:        w.req.Spec.ID,
		Key:         w.req.IdempotencyKey,
		Fingerprint: w.fingerprint,
		Actor:       w.req.Caller.Actor,
		Operator:    operator(w.req),
		Source:      source(w.req.Caller),
		Origin:      origin(w.req, now),
	}

	if err := w.binding.change(c, w.req.Input); err != nil {
		return err
	}
	if !c.Expires.IsZero() {
		w.l.expiry.Add(w.p, c.Expires)
	}

	return c.RejectVersion()
}

// render renders the response from the journal entry.
func (w *write) render(tx *stored.Tx, e *journal.Entry) (err error) {
	w.res.Output, err = w.binding.render(tx, e)
	return err
}

// replayOnly responds to a repeated request when the disk is full. It only reads, whereas
// an update may fail with the writes it is committed with. For a new request it returns
// full.
func (w *write) replayOnly(ctx context.Context, full error) error {
	return w.l.store.View(ctx, w.p, func(r store.Reader) error {
		known, err := w.replay(&stored.Tx{Reader: r, Partition: w.p, Caller: w.req.Caller})
		if !known && err == nil {
			return full
		}
		return err
	})
}

func checkKey(key string) error {
	if key == "" {
		return api.Fail(
			api.IdempotencyKeyRequired,
			nil,
			"Send an Idempotency-Key header: 1 to 255 visible ASCII characters, new for each write and unchanged for retries.",
		)
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

func keyReused(key string, old *journal.Entry) error {
	return api.Fail(api.IdempotencyKeyReused, api.Details{"operation": old.Spec, "usedAt": old.At.Format(time.RFC3339)},
		"The Idempotency-Key %q was used for another request (%s at %s). Use a new key.",
		key, old.Spec, old.At.Format(time.RFC3339))
}

// isFromElsewhere reports whether the request comes from another node or device than
// the entry, or from a copy of the node. Entries of older versions do not say where they
// come from.
func isFromElsewhere(req *api.Request, e *journal.Entry) bool {
	if req.Client == api.NoID || e.Previous == nil {
		return false
	}
	at := api.Instant(req.OccurredAt)
	return req.Client != e.Client || req.ClientNumber != e.ClientNumber ||
		req.Device != "" && e.Device != "" && req.Device != e.Device ||
		!req.OccurredAt.IsZero() && !e.OccurredAt.IsZero() && !at.Equal(e.OccurredAt)
}

func keyReusedElsewhere(key string, old *journal.Entry) error {
	details := api.Details{"operation": old.Spec, "usedAt": old.At.Format(time.RFC3339), "elsewhere": true}
	where := api.Text("another program")
	if old.Client != api.NoID {
		details["client"] = api.ClientNumber{
			ID:     old.Client,
			Number: old.ClientNumber,
		}
		where = api.Text("another computer")
	}

	if old.Device != "" {
		details["device"], where = old.Device, api.Textf("the device %s", old.Device)
	}

	return api.Fail(api.IdempotencyKeyReused, details,
		"The Idempotency-Key %q was used by %v (%s at %s). Use a new key.", key, where, old.Spec,
		old.At.Format(time.RFC3339))
}

// The bounds of when a write occurred, before and after the service's time.
const (
	maxOccurredBefore = 366 * 24 * time.Hour
	maxOccurredAfter  = 5 * time.Minute
)

// checkOccurredAt checks when the request says that it occurred. A node has checked that
// of a local write when it was done.
func (w *write) checkOccurredAt(now time.Time) error {
	if w.l.localWrites {
		return nil
	}
	return CheckOccurredAt(w.req.OccurredAt, now)
}

// CheckOccurredAt checks the time at which a new write is said to have occurred, or zero if
// none is.
func CheckOccurredAt(at, now time.Time) error {
	if at.IsZero() || !at.Before(now.Add(-maxOccurredBefore)) && !at.After(now.Add(maxOccurredAfter)) {
		return nil
	}
	var p api.Problems
	p.Add(api.OccurredAtHeader, "header",
		"must be at most a year before and 5 minutes after the service's time (%s), is %s", now.Format(time.RFC3339),
		at.UTC().Format(time.RFC3339))
	return p.Err()
}

// operator returns the person named in the request, or nil.
func operator(req *api.Request) *api.Actor {
	if req.Operator == "" {
		return nil
	}
	return &api.Actor{Type: api.User, Label: req.Operator}
}

// origin returns where and when a write was made, and who approved it, as the request says.
func origin(req *api.Request, now time.Time) journal.Origin {
	o := journal.Origin{
		Client:       req.Client,
		ClientNumber: req.ClientNumber,
		Device:       req.Device,
		ApprovedBy:   req.ApprovedBy,
	}

	if at := api.Instant(req.OccurredAt); !req.OccurredAt.IsZero() && !at.Equal(now) {
		o.OccurredAt = at
	}

	return o
}

// source returns the stored source of a write.
func source(c *api.Caller) string {
	if c.Actor.Type == api.APIKey {
		return "api"
	}
	return "terminal"
}
