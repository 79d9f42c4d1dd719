package ledger

import (
	"context"
	"encoding/binary"
	"math"
	"sort"
	"time"

	"bincard/server/api"
	"bincard/server/store"
)

// What is done over a replica and not yet confirmed is counted from far ahead
// of all that is, each write by its own number. So its counters, and with them
// all that it writes, stay what they are however far the replica comes and
// whatever else is given up meanwhile.
const (
	localFrom = 1 << 46
	// localStep leaves room for what expires between two writes.
	localStep = 1 << 12
)

// A LocalPosition is the place of a write among those over a replica.
type LocalPosition struct {
	N  uint64    // from 1; it rises
	At time.Time // by the clock of then
	// From is the last instant of those before, which it does not come before.
	From time.Time
}

type localPositionKey struct{}

// WithLocalPosition has the next write be of that turn: at its instant, after all that is
// due by then. The ledger must have been made with Options.Ahead.
func WithLocalPosition(ctx context.Context, t LocalPosition) context.Context {
	return context.WithValue(ctx, localPositionKey{}, t)
}

// LocalPositionOf is the turn that an update of the store is of; false where it is of
// none, as what expires because somebody looks.
func LocalPositionOf(ctx context.Context) (LocalPosition, bool) {
	t, ok := ctx.Value(localPositionKey{}).(LocalPosition)
	return t, ok
}

// instant is the instant of what is asked.
func (l *Ledger) instant(ctx context.Context) time.Time {
	if t, ok := LocalPositionOf(ctx); ok {
		return api.Instant(t.At)
	}
	return api.Instant(l.now())
}

// clock is the instant by which what is made at hand will expire.
func (rd *readTx) clock() time.Time {
	if rd.localPos.N > 0 {
		return api.Instant(rd.localPos.At)
	}
	return api.Instant(rd.l.now())
}

// nextSeq is the counter of the write at hand, and its instant.
func (rd *readTx) nextSeq(asked bool) (uint64, time.Time, error) {
	seq, last, err := rd.counter()
	if !rd.l.localWrites {
		if rd.now.Before(last) {
			return seq + 1, last, err // a clock that jumps back must not put movements out of order
		}
		return seq + 1, rd.now, err
	}
	switch {
	case asked && rd.localPos.N > 0:
		seq, last = max(seq, localFrom+rd.localPos.N*localStep-1), api.Instant(rd.localPos.From)
		if rd.now.Before(last) {
			return seq + 1, last, err
		}
	case rd.localPos.N > 0:
		seq = max(seq, localFrom+(rd.localPos.N-1)*localStep)
	}
	return max(seq, localFrom) + 1, rd.now, err
}

// confirmedSeq is the counter of the last record that is confirmed.
func (rd *readTx) confirmedSeq() (uint64, error) {
	end, _, err := rd.counter()
	if err == nil && end > localFrom {
		var at ReplicaPosition
		at, err = readReplicaPosition(rd.r)
		end = uint64(at.Seq)
	}
	return end, err
}

// firstAtLocal is firstAt over a replica, which does not have all records, and
// where what is not confirmed comes after all that is.
func (rd *readTx) firstAtLocal(t time.Time, end, sure uint64) (uint64, error) {
	at, ok, err := rd.firstBetween(t, 1, min(end, sure))
	if !ok && err == nil {
		at, ok, err = rd.firstBetween(t, sure+1, end)
	}
	if !ok {
		at = end + 1
	}
	return at, err
}

// firstBetween is where the records at or after t begin among those from one counter
// to another; false where there are none.
func (rd *readTx) firstBetween(t time.Time, from, to uint64) (at uint64, ok bool, err error) {
	span := store.Range{From: seqKey(from), To: seqKey(to + 1)}
	var last uint64
	err = rd.r.Scan(journal.Name, span.Reversed(), func(key, _ []byte) error {
		last = binary.BigEndian.Uint64(key)
		return store.ErrStop
	})
	if err != nil || last == 0 {
		return 0, false, err
	}
	i := sort.Search(int(last-from)+1, func(i int) bool {
		later := false
		span.From = seqKey(from + uint64(i))
		if e := journal.Scan(rd.r, span, func(rec *entry) error {
			later = !rec.At.Before(t)
			return store.ErrStop
		}); e != nil {
			err = e
		}
		return later
	})
	return from + uint64(i), from+uint64(i) <= last, err
}

// ServiceOnly tells whether the rows of a table are no matter of what is done over a
// replica: its counter is given to it, and nobody pays for it.
func ServiceOnly(table string) bool { return table == metaTable || table == requestsTable }

// DueTable is the table that tells when something is due; see Due.
const DueTable = "reservations.due"

// Due is when the first of what expires by itself is due; false where nothing is.
func Due(r store.Reader) (time.Time, bool, error) {
	ms, err := firstDue(r)
	return time.UnixMilli(ms).UTC(), ms != math.MaxInt64 && err == nil, err
}

// RefreshExpiry has the ledger look anew what is due in a partition: its store was
// changed by another.
func (l *Ledger) RefreshExpiry(p store.Partition) {
	a := l.expirySchedule(p)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.added++ // who is expiring now does not know either
	a.earliest = 0
	a.next.Store(0)
}
