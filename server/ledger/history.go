package ledger

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"bincard/server/api"
	"bincard/server/store"
)

// The history of a balance: under its id and the counter, every record with
// movements of it. Every 256th entry carries the running totals up to and
// including its record, so that a page need not be counted from the beginning.
//
// The newest entries stand in the balance's own row, which is written anyway,
// until there are sixteen: histories of many balances are so many places to
// write to, and to go there once for sixteen records halves what a write costs the disk.
const (
	historyTable = "history"
	totalsEvery  = 256 // a multiple of latelyMost
	latelyMost   = 16
)

func historyKey(balance api.ID, seq uint64) []byte {
	return binary.BigEndian.AppendUint64(append(make([]byte, 0, 24), balance[:]...), seq)
}

// settleHistory notes the record in the history of a balance it moved.
func (c *change) settleHistory(b *balance) error {
	b.Records++
	b.Last = c.rec.Seq
	if b.Records%latelyMost != 0 {
		b.Lately = append(b.Lately, c.rec.Seq)
		return nil
	}
	value := []byte{0}
	if b.Records%totalsEvery == 0 {
		sum, err := c.totals(b, c.rec.Seq)
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
	for _, seq := range b.Lately {
		if err := c.tx.Put(historyTable, historyKey(b.ID, seq), []byte{0}); err != nil {
			return err
		}
	}
	b.Lately = nil
	return c.tx.Put(historyTable, historyKey(b.ID, c.rec.Seq), value)
}

// past calls fn with the history of a balance in [from, to), in its order or
// the newest first: the counters, and what their entries say. ErrStop ends it.
func (rd *reading) past(b *balance, from, to uint64, newest bool, fn func(seq uint64, value []byte) error) error {
	stopped := false
	step := func(seq uint64, value []byte) error {
		err := fn(seq, value)
		stopped = err != nil
		return err
	}
	lately := func() error {
		for i := range b.Lately {
			if newest {
				i = len(b.Lately) - 1 - i
			}
			if seq := b.Lately[i]; from <= seq && seq < to {
				if err := step(seq, []byte{0}); err != nil {
					return err
				}
			}
		}
		return nil
	}
	before := func() error {
		span := store.Range{From: historyKey(b.ID, from), To: historyKey(b.ID, to), Reverse: newest}
		return rd.r.Scan(historyTable, span, func(key, value []byte) error {
			return step(binary.BigEndian.Uint64(key[16:]), value)
		})
	}
	first, then := before, lately
	if newest {
		first, then = lately, before
	}
	err := first()
	if err == nil && !stopped {
		err = then()
	}
	if errors.Is(err, store.ErrStop) {
		return nil
	}
	return err
}

// totals adds up the movements of a balance before the counter end, from the
// newest running totals before it.
func (rd *reading) totals(b *balance, end uint64) (sum [8]int64, err error) {
	var tail []uint64
	err = rd.past(b, 0, end, true, func(seq uint64, value []byte) error {
		if value[0] != 0 {
			d := reader{data: value[1:]}
			d.quantities(&sum)
			if _, err := d.added(); err != nil {
				return err
			}
			return store.ErrStop
		}
		tail = append(tail, seq)
		return nil
	})
	if err != nil {
		return sum, err
	}
	var g gist
	for _, seq := range slices.Backward(tail) {
		data, err := rd.r.Get(records.Name, seqKey(seq))
		if err != nil {
			return sum, err
		}
		if data == nil {
			return sum, lost(seq)
		}
		if err := g.take(data); err != nil {
			return sum, fmt.Errorf("record %d: %w", seq, err)
		}
		for _, m := range g.moves {
			if bytes.Equal(g.balances[m.balance], b.ID[:]) {
				sum[m.state] += m.delta
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

var errLost = errors.New("it is missing")

func lost(seq uint64) error { return api.Internal(fmt.Errorf("record %d: %w", seq, errLost)) }
