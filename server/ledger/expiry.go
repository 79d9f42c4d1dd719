package ledger

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/internal/document"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
	"bincard/server/store/wire"
)

// expireBatch is the maximum number of reservations that one transaction expires.
const expireBatch = 100

// systemActor is the actor of the ledger's own writes.
var systemActor = api.Actor{Type: api.SystemJob, Label: "Bincard"}

// Run expires reservations when they fall due, until ctx is done. Without Run they
// expire on the next access to their partition. Run must not be called
// concurrently.
func (l *Ledger) Run(ctx context.Context) error { return toAPIError(ctx, l.expiry.Run(ctx)) }

// expireDue expires at most expireBatch due reservations of a partition and returns
// when the next one is due.
func (l *Ledger) expireDue(ctx context.Context, tx store.Tx, p store.Partition) (int64, error) {
	position, _ := LocalPositionOf(ctx)
	read := &stored.Tx{Reader: tx, Partition: p, Now: l.instant(ctx)}
	var ids [][]byte
	to := binary.BigEndian.AppendUint64(nil, uint64(read.Now.UnixMilli()+1))
	err := stored.Reservations.ScanKeys(read.Reader, "due", store.Range{To: to}, func(_, id []byte) error {
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
		c := &posting.Tx{Tx: read, Writer: tx, Request: &api.Request{}, Local: l.localWrites}
		if err := l.expire(c, position, api.ID(id)); err != nil {
			// Internal: the caller asked for something else and cannot act on this error.
			return 0, api.Internal(fmt.Errorf("reservation %s cannot expire: %w", api.ID(id), err))
		}
	}

	return firstDue(read.Reader)
}

// expire writes the expiry of one reservation. Its idempotency key has a space,
// so it cannot collide with a caller's key.
func (l *Ledger) expire(c *posting.Tx, position LocalPosition, id api.ID) error {
	doc, err := document.ReadReservation(c, id)
	if err != nil {
		return err
	}
	if l.localWrites {
		c.Now = doc.ExpiresAt // independent of when the replica notices
	}

	seq, now, err := l.nextSeq(c.Tx, position, false)
	if err != nil {
		return err
	}

	c.Now = now
	c.Entry = journal.Entry{
		Seq:    seq,
		At:     now,
		Spec:   journal.ExpireSpec,
		Key:    "expire " + id.String(),
		Actor:  systemActor,
		Source: "service",
	}

	c.Entry.Reason = "expired at " + doc.ExpiresAt.Format(time.RFC3339)
	if err := document.EndReservation(c, doc, api.OpExpire, api.ReservationExpired); err != nil {
		return err
	}

	return c.Save()
}

// firstDue returns when the first pending reservation expires, in Unix milliseconds.
func firstDue(r store.Reader) (int64, error) {
	next := int64(neverDue)
	err := stored.Reservations.ScanKeys(r, "due", store.Range{}, func(key, _ []byte) error {
		if len(key) != 8 {
			return wire.ErrTruncated
		}
		next = int64(binary.BigEndian.Uint64(key))
		return store.ErrStop
	})

	return next, err
}
