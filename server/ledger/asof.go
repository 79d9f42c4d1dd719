package ledger

import (
	"cmp"
	"time"

	"bincard/server/api"
	"bincard/server/store"
)

// An asOfSeq is where the ledger is cut for a look at the past: the counter of
// the first record that does not count any more.
type asOfSeq struct{ end uint64 }

// asOfSeqAt is the horizon after an instant; what happened at it counts.
func (rd *readTx) asOfSeqAt(at time.Time) (*asOfSeq, error) {
	latest, _, err := rd.counter()
	if err != nil {
		return nil, err
	}
	end, err := rd.firstAt(api.Instant(at).Add(time.Millisecond), latest)
	return &asOfSeq{end}, err
}

// balanceAsOf is the balance as it stood at the horizon, nil where there was none yet.
// The record that moved it last before says how it left it, so this costs one
// record, however long the history is.
func (rd *readTx) balanceAsOf(k *balanceKey, h *asOfSeq) (*balance, error) {
	if k.Seq >= h.end {
		return nil, nil
	}
	b, err := rd.mustBalance(k.ID)
	if err != nil || b.Last < h.end {
		return b, err
	}
	then := &balance{key: b.key, ID: b.ID, Updated: k.CreatedAt}
	seq := uint64(0)
	err = rd.scanHistory(b, 0, h.end, true, func(at uint64, value []byte) error {
		if value[0] == openingEntry {
			d := rowReader{data: value[1:]}
			d.quantities(&then.Q)
			return cmp.Or(d.err(), store.ErrStop)
		}
		seq = at
		return store.ErrStop
	})
	if err != nil || seq == 0 {
		return then, err
	}
	rec, err := rd.entryAt(seq)
	if err != nil {
		return nil, err
	}
	for i := range rec.Balances {
		if s := &rec.Balances[i]; s.Balance == k.ID {
			then.Q, then.Version, then.Updated, then.Last = s.Q, s.Version, rec.At, seq
		}
	}
	return then, nil
}

// balanceAt is how the snapshot report sees a balance: now, or as of a horizon;
// nil where there was none.
func (rd *readTx) balanceAt(k *balanceKey, h *asOfSeq) (*balance, error) {
	if h == nil {
		return rd.mustBalance(k.ID)
	}
	return rd.balanceAsOf(k, h)
}
