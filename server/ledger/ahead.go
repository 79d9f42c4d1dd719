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
	aheadFrom = 1 << 46
	// aheadStep leaves room for what expires between two writes.
	aheadStep = 1 << 12
)

// A Turn is the place of a write among those over a replica.
type Turn struct {
	N  uint64    // from 1; it rises
	At time.Time // by the clock of then
	// From is the last instant of those before, which it does not come before.
	From time.Time
}

type turnKey struct{}

// Ahead has the next write be of that turn: at its instant, after all that is
// due by then. The ledger must have been made with Options.Ahead.
func Ahead(ctx context.Context, t Turn) context.Context {
	return context.WithValue(ctx, turnKey{}, t)
}

// TurnOf is the turn that an update of the store is of; false where it is of
// none, as what expires because somebody looks.
func TurnOf(ctx context.Context) (Turn, bool) {
	t, ok := ctx.Value(turnKey{}).(Turn)
	return t, ok
}

// instant is the instant of what is asked.
func (l *Ledger) instant(ctx context.Context) time.Time {
	if t, ok := TurnOf(ctx); ok {
		return api.Instant(t.At)
	}
	return api.Instant(l.now())
}

// clock is the instant by which what is made at hand will expire.
func (rd *reading) clock() time.Time {
	if rd.turn.N > 0 {
		return api.Instant(rd.turn.At)
	}
	return api.Instant(rd.l.now())
}

// next is the counter of the write at hand, and its instant.
func (rd *reading) next(asked bool) (uint64, time.Time, error) {
	seq, last, err := rd.counter()
	if !rd.l.ahead {
		if rd.now.Before(last) {
			return seq + 1, last, err // a clock that jumps back must not put movements out of order
		}
		return seq + 1, rd.now, err
	}
	switch {
	case asked && rd.turn.N > 0:
		seq, last = max(seq, aheadFrom+rd.turn.N*aheadStep-1), api.Instant(rd.turn.From)
		if rd.now.Before(last) {
			return seq + 1, last, err
		}
	case rd.turn.N > 0:
		seq = max(seq, aheadFrom+(rd.turn.N-1)*aheadStep)
	}
	return max(seq, aheadFrom) + 1, rd.now, err
}

// reached is the counter of the last record that is confirmed.
func (rd *reading) reached() (uint64, error) {
	end, _, err := rd.counter()
	if err == nil && end > aheadFrom {
		var at ReplicaPlace
		at, err = replicaAt(rd.r)
		end = uint64(at.Seq)
	}
	return end, err
}

// firstOver is firstAt over a replica, which does not have all records, and
// where what is not confirmed comes after all that is.
func (rd *reading) firstOver(t time.Time, end, sure uint64) (uint64, error) {
	at, ok, err := rd.firstIn(t, 1, min(end, sure))
	if !ok && err == nil {
		at, ok, err = rd.firstIn(t, sure+1, end)
	}
	if !ok {
		at = end + 1
	}
	return at, err
}

// firstIn is where the records at or after t begin among those from one counter
// to another; false where there are none.
func (rd *reading) firstIn(t time.Time, from, to uint64) (at uint64, ok bool, err error) {
	span := store.Range{From: seqKey(from), To: seqKey(to + 1)}
	var last uint64
	err = rd.r.Scan(records.Name, span.Reversed(), func(key, _ []byte) error {
		last = binary.BigEndian.Uint64(key)
		return store.ErrStop
	})
	if err != nil || last == 0 {
		return 0, false, err
	}
	i := sort.Search(int(last-from)+1, func(i int) bool {
		later := false
		span.From = seqKey(from + uint64(i))
		if e := records.Scan(rd.r, span, func(rec *record) error {
			later = !rec.At.Before(t)
			return store.ErrStop
		}); e != nil {
			err = e
		}
		return later
	})
	return from + uint64(i), from+uint64(i) <= last, err
}

// Apart tells whether the rows of a table are no matter of what is done over a
// replica: its counter is given to it, and nobody pays for it.
func Apart(table string) bool { return table == metaTable || table == requestsTable }

// DueTable is the table that tells when something is due; see Due.
const DueTable = "reservations.due"

// Due is when the first of what expires by itself is due; false where nothing is.
func Due(r store.Reader) (time.Time, bool, error) {
	ms, err := firstDue(r)
	return time.UnixMilli(ms).UTC(), ms != math.MaxInt64 && err == nil, err
}

// Review has the ledger look anew what is due in a partition: its store was
// changed by another.
func (l *Ledger) Review(p store.Partition) {
	a := l.agenda(p)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.lowered++ // who is expiring now does not know either
	a.least = 0
	a.next.Store(0)
}
