package ledger

import (
	"context"
	"encoding/binary"
	"sort"
	"time"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/expiry"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// Local writes over a replica that are not yet confirmed get sequence numbers far
// above all confirmed ones, derived from each write's own number. So their numbers,
// and all data that depends on them, stay the same when the replica advances or
// other local writes are discarded.
const (
	localFrom = 1 << 46
	// localStep leaves numbers for expiries between two writes.
	localStep = 1 << 12
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

// clock returns the current time, for expiry times in new documents.
func (c *writeTx) clock() time.Time {
	if c.position.N > 0 {
		return api.Instant(c.position.At)
	}
	return api.Instant(c.l.now())
}

// nextSeq returns the sequence number and time of the current write. requested is
// false for an expiry.
func (c *writeTx) nextSeq(requested bool) (uint64, time.Time, error) {
	seq, last, err := c.counter()
	if !c.l.localWrites {
		if c.now.Before(last) {
			return seq + 1, last, err // movements stay in order even if the clock goes back
		}
		return seq + 1, c.now, err
	}
	switch {
	case requested && c.position.N > 0:
		seq, last = max(seq, localFrom+c.position.N*localStep-1), api.Instant(c.position.From)
		if c.now.Before(last) {
			return seq + 1, last, err
		}
	case c.position.N > 0:
		seq = max(seq, localFrom+(c.position.N-1)*localStep)
	}
	return max(seq, localFrom) + 1, c.now, err
}

// confirmedSeq returns the sequence number of the last confirmed journal entry.
func (tx *readTx) confirmedSeq() (uint64, error) {
	end, _, err := tx.counter()
	if err == nil && end > localFrom {
		var at ReplicaPosition
		at, err = readReplicaPosition(tx.r)
		end = uint64(at.Seq)
	}
	return end, err
}

// firstAtLocal is firstAt for a replica, whose journal has gaps and has the local
// writes after all confirmed ones.
func (tx *readTx) firstAtLocal(t time.Time, end, confirmed uint64) (uint64, error) {
	at, ok, err := tx.firstBetween(t, 1, min(end, confirmed))
	if !ok && err == nil {
		at, ok, err = tx.firstBetween(t, confirmed+1, end)
	}
	if !ok {
		at = end + 1
	}
	return at, err
}

// firstBetween returns the first journal entry at or after t among those numbered
// from to to; ok is false when there are none.
func (tx *readTx) firstBetween(t time.Time, from, to uint64) (at uint64, ok bool, err error) {
	span := store.Range{From: journal.SeqKey(from), To: journal.SeqKey(to + 1)}
	var last uint64
	err = tx.r.Scan(journal.Entries.Name, span.Reversed(), func(key, _ []byte) error {
		last = binary.BigEndian.Uint64(key)
		return store.ErrStop
	})
	if err != nil || last == 0 {
		return 0, false, err
	}
	i := sort.Search(int(last-from)+1, func(i int) bool {
		later := false
		span.From = journal.SeqKey(from + uint64(i))
		if e := journal.Entries.Scan(tx.r, span, func(record *journal.Entry) error {
			later = !record.At.Before(t)
			return store.ErrStop
		}); e != nil {
			err = e
		}
		return later
	})
	return from + uint64(i), from+uint64(i) <= last, err
}

// ServiceOnly reports whether local writes over a replica ignore a table: the
// sequence number comes from the service, and usage does not count.
func ServiceOnly(table string) bool { return table == metaTable || table == account.RequestsTable }

// DueTable is the index that Due reads.
const DueTable = "reservations.due"

// Due returns when the next reservation expires; false if none does.
func Due(r store.Reader) (time.Time, bool, error) {
	ms, err := firstDue(r)
	return time.UnixMilli(ms).UTC(), ms != expiry.Never && err == nil, err
}

// RefreshExpiry reloads the expiry schedule of a partition after its store was
// changed from outside the ledger.
func (l *Ledger) RefreshExpiry(p store.Partition) {
	l.expiry.Reload(p)
}
