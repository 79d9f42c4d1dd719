package ledger

import (
	"encoding/binary"
	"fmt"
	"slices"

	"bincard/server/api"
	"bincard/server/store"
)

// The history of a balance: under its id and the counter, every record with
// movements of it. Every 256th entry carries the running totals up to and
// including its record, so that a page need not be counted from the beginning.
const (
	historyTable = "history"
	totalsEvery  = 256
)

func historyKey(balance api.ID, seq uint64) []byte {
	return binary.BigEndian.AppendUint64(append(make([]byte, 0, 24), balance[:]...), seq)
}

// settleHistory notes the record in the history of a balance it moved.
func (c *change) settleHistory(b *balance) error {
	b.Records++
	value := []byte{0}
	if b.Records%totalsEvery == 0 {
		sum, err := c.totals(b.ID, c.rec.Seq)
		if err != nil {
			return err
		}
		for i := range c.rec.Moves {
			if m := &c.rec.Moves[i]; m.Balance == b.slot {
				sum[m.State] += m.Delta
			}
		}
		value = appendQuantities([]byte{1}, &sum)
	}
	b.Last = c.rec.Seq
	return c.tx.Put(historyTable, historyKey(b.ID, c.rec.Seq), value)
}

// totals adds up the movements of a balance before the counter end, from the
// newest running totals before it.
func (rd *reading) totals(balance api.ID, end uint64) (sum [8]int64, err error) {
	var tail []uint64
	span := store.Range{From: historyKey(balance, 0), To: historyKey(balance, end), Reverse: true}
	err = rd.r.Scan(historyTable, span, func(key, value []byte) error {
		if value[0] == 1 {
			d := reader{data: value[1:]}
			d.quantities(&sum)
			if err := d.err(); err != nil {
				return err
			}
			return store.ErrStop
		}
		tail = append(tail, binary.BigEndian.Uint64(key[16:]))
		return nil
	})
	if err != nil {
		return sum, err
	}
	for _, seq := range slices.Backward(tail) {
		rec, err := rd.record(seq)
		if err != nil {
			return sum, err
		}
		for i := range rec.Moves {
			if m := &rec.Moves[i]; rec.Balances[m.Balance].Balance == balance {
				sum[m.State] += m.Delta
			}
		}
	}
	return sum, nil
}

// record reads a record that must be there.
func (rd *reading) record(seq uint64) (*record, error) {
	rec, err := records.Get(rd.r, seqKey(seq))
	if err == nil && rec == nil {
		return nil, lost(seq)
	}
	return rec, err
}

func lost(seq uint64) error { return api.Internal(fmt.Errorf("record %d is missing", seq)) }
