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
	maxRecent    = 16
)

func historyKey(balance api.ID, seq uint64) []byte {
	return binary.BigEndian.AppendUint64(append(make([]byte, 0, 24), balance[:]...), seq)
}

// saveHistory notes the record in the history of a balance it moved.
func (c *writeTx) saveHistory(b *balance) error {
	b.Records++
	b.Last = c.entry.Seq
	if b.Records%maxRecent != 0 {
		b.Recent = append(b.Recent, c.entry.Seq)
		return nil
	}
	value := []byte{0}
	if b.Records%totalsEvery == 0 {
		sum, err := c.totals(b, c.entry.Seq)
		if err != nil {
			return err
		}
		for i := range c.entry.Movements {
			if m := &c.entry.Movements[i]; m.Balance == b.entryIndex {
				sum[m.State] += m.Delta
			}
		}
		value = appendQuantities([]byte{1}, &sum)
	}
	for _, seq := range b.Recent {
		if err := c.tx.Put(historyTable, historyKey(b.ID, seq), []byte{0}); err != nil {
			return err
		}
	}
	b.Recent = nil
	return c.tx.Put(historyTable, historyKey(b.ID, c.entry.Seq), value)
}

// scanHistory calls fn with the history of a balance in [from, to), in its order or
// the newest first: the counters, and what their entries say. ErrStop ends it.
func (rd *readTx) scanHistory(b *balance, from, to uint64, newest bool, fn func(seq uint64, value []byte) error) error {
	stopped := false
	step := func(seq uint64, value []byte) error {
		err := fn(seq, value)
		stopped = err != nil
		return err
	}
	lately := func() error {
		for i := range b.Recent {
			if newest {
				i = len(b.Recent) - 1 - i
			}
			if seq := b.Recent[i]; from <= seq && seq < to {
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
func (rd *readTx) totals(b *balance, end uint64) (sum [8]int64, err error) {
	var tail []uint64
	err = rd.scanHistory(b, 0, end, true, func(seq uint64, value []byte) error {
		if value[0] != 0 {
			d := rowReader{data: value[1:]}
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
	var g entryHeader
	for _, seq := range slices.Backward(tail) {
		data, err := rd.r.Get(journal.Name, seqKey(seq))
		if err != nil {
			return sum, err
		}
		if data == nil {
			return sum, missingEntry(seq)
		}
		if err := g.read(data); err != nil {
			return sum, fmt.Errorf("journal entry %d: %w", seq, err)
		}
		for _, m := range g.movements {
			if bytes.Equal(g.balances[m.balance], b.ID[:]) {
				sum[m.state] += m.delta
			}
		}
	}
	return sum, nil
}

// entryAt reads a record that must be there.
func (rd *readTx) entryAt(seq uint64) (*entry, error) {
	rec, err := journal.Get(rd.r, seqKey(seq))
	if err == nil && rec == nil {
		return nil, missingEntry(seq)
	}
	return rec, err
}

var errMissing = errors.New("missing")

func missingEntry(seq uint64) error {
	return api.Internal(fmt.Errorf("journal entry %d: %w", seq, errMissing))
}
