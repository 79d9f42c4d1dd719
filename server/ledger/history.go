package ledger

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// The history of a balance has a row, under its id and the sequence number, for
// every journal entry that moves it. Every 256th row has the totals up to and
// including its entry, so that a page need not sum from the beginning.
//
// The newest sequence numbers are in the balance's own row, which is written
// anyway, and move to the table sixteen at a time. Histories of many balances are
// far apart on disk; writing to each once per sixteen entries halves the disk
// writes.
const (
	historyTable = "history"
	totalsEvery  = 256 // a multiple of maxRecent
	maxRecent    = 16
)

func historyKey(balance api.ID, seq uint64) []byte {
	return binary.BigEndian.AppendUint64(append(make([]byte, 0, 24), balance[:]...), seq)
}

// saveHistory adds the entry to the history of a balance that it moves.
func (read *readTx) saveHistory(tx store.Tx, e *journal.Entry, b *balance) error {
	b.Records++
	b.Last = e.Seq
	if b.Records%maxRecent != 0 {
		b.Recent = append(b.Recent, e.Seq)
		return nil
	}
	value := []byte{0}
	if b.Records%totalsEvery == 0 {
		sum, err := read.totals(b, e.Seq)
		if err != nil {
			return err
		}
		for i := range e.Movements {
			if m := &e.Movements[i]; m.Balance == b.entryIndex {
				sum[m.State] += m.Delta
			}
		}
		value = journal.AppendQuantities([]byte{1}, &sum)
	}
	for _, seq := range b.Recent {
		if err := tx.Put(historyTable, historyKey(b.ID, seq), []byte{0}); err != nil {
			return err
		}
	}
	b.Recent = nil
	return tx.Put(historyTable, historyKey(b.ID, e.Seq), value)
}

// scanHistory calls fn with the sequence numbers and rows of the history of a
// balance in [from, to), ascending or, if newest is set, descending. ErrStop ends
// the scan.
func (tx *readTx) scanHistory(b *balance, from, to uint64, newest bool, fn func(seq uint64, value []byte) error) error {
	stopped := false
	step := func(seq uint64, value []byte) error {
		err := fn(seq, value)
		stopped = err != nil
		return err
	}
	recent := func() error {
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
	table := func() error {
		span := store.Range{From: historyKey(b.ID, from), To: historyKey(b.ID, to), Reverse: newest}
		return tx.r.Scan(historyTable, span, func(key, value []byte) error {
			return step(binary.BigEndian.Uint64(key[16:]), value)
		})
	}
	first, second := table, recent
	if newest {
		first, second = recent, table
	}
	err := first()
	if err == nil && !stopped {
		err = second()
	}
	if errors.Is(err, store.ErrStop) {
		return nil
	}
	return err
}

// totals sums the movements of a balance before end, starting from the newest
// stored totals.
func (tx *readTx) totals(b *balance, end uint64) (sum [8]int64, err error) {
	var tail []uint64
	err = tx.scanHistory(b, 0, end, true, func(seq uint64, value []byte) error {
		if value[0] != 0 {
			d := journal.RowReader{Data: value[1:]}
			d.Quantities(&sum)
			if _, err := d.Added(); err != nil {
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
	var g journal.Header
	for _, seq := range slices.Backward(tail) {
		data, err := tx.r.Get(journal.Entries.Name, journal.SeqKey(seq))
		if err != nil {
			return sum, err
		}
		if data == nil {
			return sum, missingEntry(seq)
		}
		if err := g.Read(data); err != nil {
			return sum, fmt.Errorf("journal entry %d: %w", seq, err)
		}
		for _, m := range g.Movements {
			if bytes.Equal(g.Balances[m.Balance], b.ID[:]) {
				sum[m.State] += m.Delta
			}
		}
	}
	return sum, nil
}

// entryAt reads a journal entry that must exist.
func (tx *readTx) entryAt(seq uint64) (*journal.Entry, error) {
	e, err := journal.Entries.Get(tx.r, journal.SeqKey(seq))
	if err == nil && e == nil {
		return nil, missingEntry(seq)
	}
	return e, err
}

var errMissing = errors.New("missing")

func missingEntry(seq uint64) error {
	return api.Internal(fmt.Errorf("journal entry %d: %w", seq, errMissing))
}
