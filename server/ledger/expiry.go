package ledger

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"bincard/server/api"
	"bincard/server/store"
	"bincard/server/store/wire"
)

// Reservations expire exactly on time: before a partition is read or written, its
// due reservations are expired. The expiry schedule has in memory when the next
// one is due, so that most requests need no extra read.

// expireSpec is the operation name of an expiry in the journal.
const expireSpec = "expireReservation"

// expireBatch is the maximum number of reservations that one transaction expires.
const expireBatch = 100

// systemActor is the actor of the ledger's own writes.
var systemActor = api.Actor{Type: api.SystemJob, Label: "Bincard"}

// errOverdue aborts an update that starts after a reservation is due.
var errOverdue = errors.New("a reservation is due to expire")

// nowAfterExpiry expires what is due in a partition and returns the current time,
// at which nothing else is due.
func (l *Ledger) nowAfterExpiry(ctx context.Context, p store.Partition) (time.Time, error) {
	a := l.expirySchedule(p)
	for {
		now := l.instant(ctx)
		if !a.due(now) {
			return now, nil
		}
		if err := l.expire(ctx, p, a); err != nil {
			return now, err
		}
	}
}

// update runs fn in a write transaction at a time when nothing is due to expire.
func (l *Ledger) update(ctx context.Context, p store.Partition, fn func(store.Tx, time.Time) error) error {
	a := l.expirySchedule(p)
	for {
		if _, err := l.nowAfterExpiry(ctx, p); err != nil {
			return err
		}
		err := l.store.Update(ctx, p, func(tx store.Tx) error {
			now := l.instant(ctx)
			if a.due(now) {
				return errOverdue
			}
			return fn(tx, now)
		})
		if !errors.Is(err, errOverdue) {
			return err
		}
	}
}

// expire expires everything that is due in a partition.
func (l *Ledger) expire(ctx context.Context, p store.Partition, a *expirySchedule) error {
	a.expiring.Lock()
	defer a.expiring.Unlock()
	if !a.loaded() {
		return l.loadExpiry(ctx, p, a)
	}
	position, _ := LocalPositionOf(ctx)
	for a.due(l.instant(ctx)) {
		var next int64
		var added uint64
		err := l.store.Update(ctx, p, func(tx store.Tx) (err error) {
			added = a.addedCount()
			read := &readTx{l: l, r: tx, p: p, now: l.instant(ctx), localPos: position}
			next, err = read.expireDue(tx)
			return err
		})
		if err != nil {
			return err
		}
		a.advance(next, added)
		l.notifier.notify(p)
	}
	return nil
}

// loadExpiry reads when the first reservation of a partition is due.
func (l *Ledger) loadExpiry(ctx context.Context, p store.Partition, a *expirySchedule) error {
	next := int64(never)
	err := l.store.View(ctx, p, func(r store.Reader) (err error) {
		next, err = firstDue(r)
		return err
	})
	if err == nil {
		a.start(next)
	}
	return err
}

// expireDue expires at most expireBatch due reservations and returns when the
// next one is due.
func (read *readTx) expireDue(tx store.Tx) (int64, error) {
	var ids [][]byte
	to := binary.BigEndian.AppendUint64(nil, uint64(read.now.UnixMilli()+1))
	err := reservations.ScanKeys(read.r, "due", store.Range{To: to}, func(_, id []byte) error {
		if len(ids) == expireBatch {
			return store.ErrStop
		}
		ids = append(ids, append([]byte(nil), id...))
		return nil
	})
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		if err := read.expireOne(tx, api.ID(id)); err != nil {
			// Internal: the caller asked for something else and cannot act on this error.
			return 0, api.Internal(fmt.Errorf("reservation %s cannot expire: %w", api.ID(id), err))
		}
	}
	return firstDue(read.r)
}

// expireOne writes the expiry of one reservation. Its idempotency key has a space,
// so it cannot collide with a caller's key.
func (read *readTx) expireOne(tx store.Tx, id api.ID) error {
	c := &writeTx{readTx: read, tx: tx, req: &api.Request{}}
	doc, err := c.reservation(id)
	if err != nil {
		return err
	}
	if read.l.localWrites {
		read.now = doc.ExpiresAt // independent of when the replica notices
	}
	seq, now, err := read.nextSeq(false)
	if err != nil {
		return err
	}
	read.now = now
	c.entry = entry{Seq: seq, At: now, Spec: expireSpec, Key: "expire " + id.String(), Actor: systemActor, Source: "service"}
	c.entry.Reason = "expired at " + doc.ExpiresAt.Format(time.RFC3339)
	if err := c.endReservation(doc, api.OpExpire, api.ReservationExpired); err != nil {
		return err
	}
	return c.save()
}

// firstDue returns when the first pending reservation expires, in Unix milliseconds.
func firstDue(r store.Reader) (int64, error) {
	next := int64(never)
	err := reservations.ScanKeys(r, "due", store.Range{}, func(key, _ []byte) error {
		if len(key) != 8 {
			return wire.ErrTruncated
		}
		next = int64(binary.BigEndian.Uint64(key))
		return store.ErrStop
	})
	return next, err
}

// never means that nothing is due.
const never = math.MaxInt64
