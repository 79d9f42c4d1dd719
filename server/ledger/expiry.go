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
)

// Reservations expire on the instant: before anything is read or written of a
// partition, those of it that are due are expired. An agenda in memory knows
// when the next one is, so that a partition with none is asked nothing.

// expireSpec names, in the record, the write that nobody asked for.
const expireSpec = "expireReservation"

// expireBatch is how many reservations one transaction expires.
const expireBatch = 100

// systemActor is the actor of what the ledger does by itself.
var systemActor = api.Actor{Type: api.SystemJob, Label: "Bincard"}

// errOverdue answers an update that began after a reservation is due to expire.
var errOverdue = errors.New("a reservation is due to expire")

// nowAfterExpiry answers the instant at which a partition can be looked at: all that
// was due by then has been expired.
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

// update runs fn in a transaction at an instant by which all that was due has
// been expired.
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

// expire expires all that is due of a partition.
func (l *Ledger) expire(ctx context.Context, p store.Partition, a *expirySchedule) error {
	a.expiring.Lock()
	defer a.expiring.Unlock()
	if !a.loaded() {
		return l.loadExpiry(ctx, p, a)
	}
	turn, _ := LocalPositionOf(ctx)
	for a.due(l.instant(ctx)) {
		var next int64
		var lowered uint64
		err := l.store.Update(ctx, p, func(tx store.Tx) (err error) {
			lowered = a.addedCount()
			rd := &readTx{l: l, r: tx, p: p, now: l.instant(ctx), localPos: turn}
			next, err = rd.expireDue(tx)
			return err
		})
		if err != nil {
			return err
		}
		a.advance(next, lowered)
		l.notifier.notify(p)
	}
	return nil
}

// loadExpiry finds out when the first reservation of a partition is due.
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

// expireDue expires the reservations that are due, at most a batch of them,
// and answers when the next one is.
func (rd *readTx) expireDue(tx store.Tx) (int64, error) {
	var ids [][]byte
	to := binary.BigEndian.AppendUint64(nil, uint64(rd.now.UnixMilli()+1))
	err := reservations.ScanKeys(rd.r, "due", store.Range{To: to}, func(_, id []byte) error {
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
		if err := rd.expireOne(tx, api.ID(id)); err != nil {
			// What it fails with is of no concern to whoever asked for something else.
			return 0, api.Internal(fmt.Errorf("reservation %s cannot expire: %w", api.ID(id), err))
		}
	}
	return firstDue(rd.r)
}

// expireOne expires a reservation by a write of its own. Its key has a space,
// which no caller's has, so that it is the ledger's alone and used once.
func (rd *readTx) expireOne(tx store.Tx, id api.ID) error {
	c := &writeTx{readTx: rd, tx: tx, req: &api.Request{}}
	doc, err := c.reservation(id)
	if err != nil {
		return err
	}
	if rd.l.localWrites {
		rd.now = doc.ExpiresAt // whenever somebody looks
	}
	seq, now, err := rd.nextSeq(false)
	if err != nil {
		return err
	}
	rd.now = now
	c.entry = entry{Seq: seq, At: now, Spec: expireSpec, Key: "expire " + id.String(), Actor: systemActor, Source: "service"}
	c.entry.Reason = "expired at " + doc.ExpiresAt.Format(time.RFC3339)
	if err := c.endReservation(doc, api.OpExpire, api.ReservationExpired); err != nil {
		return err
	}
	return c.save()
}

// firstDue is when the first pending reservation expires, in milliseconds.
func firstDue(r store.Reader) (int64, error) {
	next := int64(never)
	err := reservations.ScanKeys(r, "due", store.Range{}, func(key, _ []byte) error {
		if len(key) != 8 {
			return errTruncated
		}
		next = int64(binary.BigEndian.Uint64(key))
		return store.ErrStop
	})
	return next, err
}

// never is when nothing is due.
const never = math.MaxInt64
