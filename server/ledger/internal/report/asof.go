package report

import (
	"cmp"
	"math"
	"sort"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/ledger/replica"
	"bincard/server/store"
	"bincard/server/store/wire"
)

// An asOfSeq cuts the journal at a past instant: end is the sequence number of
// the first entry that is excluded.
type asOfSeq struct{ end uint64 }

// asOfSeqAt returns the cut after an instant; entries at the instant are included.
func asOfSeqAt(tx *stored.Tx, at time.Time) (*asOfSeq, error) {
	latest, _, err := tx.Counter()
	if err != nil {
		return nil, err
	}
	end, err := firstAt(tx, api.Instant(at).Add(time.Millisecond), latest)
	return &asOfSeq{end}, err
}

// balanceAsOf returns the balance as of h, or nil when it did not exist yet.
// It reads at most one journal entry, the last before h that moved the balance,
// however long the history is.
func balanceAsOf(tx *stored.Tx, k *stored.BalanceKey, h *asOfSeq) (*stored.Balance, error) {
	if k.Seq >= h.end {
		return nil, nil
	}

	b, err := tx.MustBalance(k.ID)
	if err != nil || b.Last < h.end {
		return b, err
	}

	past := &stored.Balance{Key: b.Key, ID: b.ID, Updated: k.CreatedAt}
	seq := uint64(0)
	err = tx.ScanHistory(b, 0, h.end, true, func(at uint64, value []byte) error {
		if value[0] == stored.OpeningEntry {
			d := journal.ReadRow(value[1:])
			d.Quantities(&past.Q)
			return cmp.Or(d.Err(), store.ErrStop)
		}

		seq = at
		return store.ErrStop
	})
	if err != nil || seq == 0 {
		return past, err
	}

	e, err := tx.EntryAt(seq)
	if err != nil {
		return nil, err
	}
	for i := range e.Balances {
		if s := &e.Balances[i]; s.Balance == k.ID {
			past.Q, past.Version, past.Updated, past.Last = s.Q, s.Version, e.At, seq
		}
	}

	return past, nil
}

// balanceAt returns the current balance when h is nil, and the balance as of h
// otherwise; nil when it did not exist.
func balanceAt(tx *stored.Tx, k *stored.BalanceKey, h *asOfSeq) (*stored.Balance, error) {
	if h == nil {
		return tx.MustBalance(k.ID)
	}
	return balanceAsOf(tx, k, h)
}

// window converts times to sequence numbers, [from, to). It uses binary search, as
// times in the journal never decrease.
func window(tx *stored.Tx, from, to *time.Time) (uint64, uint64, error) {
	end, _, err := tx.Counter()
	if err != nil {
		return 0, 0, err
	}

	lo, hi := uint64(1), end+1
	if from != nil {
		lo, err = firstAt(tx, *from, end)
	}
	if to != nil && err == nil {
		hi, err = firstAt(tx, *to, end)
	}

	return lo, hi, err
}

// firstAt returns the sequence number of the first journal entry at or after t.
func firstAt(tx *stored.Tx, t time.Time, end uint64) (uint64, error) {
	if end >= math.MaxInt {
		return 0, wire.ErrTruncated
	}

	replica, failed := replica.PositionOf(tx.Reader)
	if replica.Known {
		return firstAtLocal(tx, t, end, uint64(replica.Seq))
	}

	i := sort.Search(int(end), func(i int) bool {
		e, err := tx.EntryAt(uint64(i) + 1)
		if err != nil {
			failed = err
			return true
		}
		return !e.At.Before(t)
	})

	return uint64(i) + 1, failed
}
