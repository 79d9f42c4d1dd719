package ledger

import (
	"context"
	"time"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// A LocalPosition is the position of a write among the local writes of a replica.
type LocalPosition struct {
	N  uint64    // ascending, from 1
	At time.Time // when it was made, by the local clock
	// From is the latest time of the earlier ones; the write does not precede it.
	From time.Time
}

type localPositionKey struct{}

// WithLocalPosition gives the next write a position: it happens at the position's
// time, after everything due by then has expired. The ledger must have
// Options.LocalWrites.
func WithLocalPosition(ctx context.Context, t LocalPosition) context.Context {
	return context.WithValue(ctx, localPositionKey{}, t)
}

// LocalPositionOf returns the position of an update, or false when it has none,
// such as an expiry triggered by a read.
func LocalPositionOf(ctx context.Context) (LocalPosition, bool) {
	t, ok := ctx.Value(localPositionKey{}).(LocalPosition)
	return t, ok
}

// instant returns the time of a request.
func (l *Ledger) instant(ctx context.Context) time.Time {
	if t, ok := LocalPositionOf(ctx); ok {
		return api.Instant(t.At)
	}
	return api.Instant(l.now())
}

// nextSeq returns the sequence number and time of the current write. requested is
// false for an expiry.
func (l *Ledger) nextSeq(tx *stored.Tx, position LocalPosition, requested bool) (uint64, time.Time, error) {
	seq, last, err := tx.Counter()
	if !l.localWrites {
		if tx.Now.Before(last) {
			return seq + 1, last, err // movements stay in order even if the clock goes back
		}
		return seq + 1, tx.Now, err
	}

	switch {
	case requested && position.N > 0:
		seq, last = max(seq, stored.LocalFrom+position.N*stored.LocalStep-1), api.Instant(position.From)
		if tx.Now.Before(last) {
			return seq + 1, last, err
		}
	case position.N > 0:
		seq = max(seq, stored.LocalFrom+(position.N-1)*stored.LocalStep)
	}

	return max(seq, stored.LocalFrom) + 1, tx.Now, err
}

// ServiceOnly reports whether local writes over a replica ignore a table: the
// sequence number comes from the service, and usage does not count.
func ServiceOnly(table string) bool {
	return table == stored.MetaTable || table == account.RequestsTable
}

// DueTable is the index that Due reads.
const DueTable = "reservations.due"

// Due returns when the next reservation expires; false if none does.
func Due(r store.Reader) (time.Time, bool, error) {
	ms, err := firstDue(r)
	return time.UnixMilli(ms).UTC(), ms != neverDue && err == nil, err
}

// DerivedID returns the id of a resource created with an idempotency key.
func DerivedID(p store.Partition, kind, key string) api.ID {
	return journal.Derive(p, kind, []byte(key))
}

// RefreshExpiry reloads the expiry schedule of a partition after its store was
// changed from outside the ledger.
func (l *Ledger) RefreshExpiry(p store.Partition) {
	l.expiry.Reload(p)
}
