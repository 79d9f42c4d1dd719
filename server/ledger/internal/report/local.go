package report

import (
	"encoding/binary"
	"sort"
	"time"

	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/ledger/replica"
	"bincard/server/store"
)

// confirmedSeq returns the sequence number of the last confirmed journal entry.
func confirmedSeq(tx *stored.Tx) (uint64, error) {
	end, _, err := tx.Counter()
	if err == nil && end > stored.LocalFrom {
		var at replica.Position
		at, err = replica.PositionOf(tx.Reader)
		end = uint64(at.Seq)
	}

	return end, err
}

// firstAtLocal is firstAt for a replica, whose journal has gaps and has the local
// writes after all confirmed ones.
func firstAtLocal(tx *stored.Tx, t time.Time, end, confirmed uint64) (uint64, error) {
	at, ok, err := firstBetween(tx, t, 1, min(end, confirmed))
	if !ok && err == nil {
		at, ok, err = firstBetween(tx, t, confirmed+1, end)
	}
	if !ok {
		at = end + 1
	}
	return at, err
}

// firstBetween returns the first journal entry at or after t among those numbered
// from to to; ok is false when there are none.
func firstBetween(tx *stored.Tx, t time.Time, from, to uint64) (at uint64, ok bool, err error) {
	span := store.Range{From: journal.SeqKey(from), To: journal.SeqKey(to + 1)}
	var last uint64
	err = tx.Reader.Scan(journal.Entries.Name, span.Reversed(), func(key, _ []byte) error {
		last = binary.BigEndian.Uint64(key)
		return store.ErrStop
	})
	if err != nil || last == 0 {
		return 0, false, err
	}

	i := sort.Search(int(last-from)+1, func(i int) bool {
		later := false
		span.From = journal.SeqKey(from + uint64(i))
		if e := journal.Entries.Scan(tx.Reader, span, func(record *journal.Entry) error {
			later = !record.At.Before(t)
			return store.ErrStop
		}); e != nil {
			err = e
		}

		return later
	})

	return from + uint64(i), from+uint64(i) <= last, err
}
