package stored

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
	HistoryTable = "history"
	TotalsEvery  = 256 // a multiple of MaxRecent
	MaxRecent    = 16
)

// HistoryKey returns the row key of an entry in the history of a balance.
func HistoryKey(balance api.ID, seq uint64) []byte {
	return binary.BigEndian.AppendUint64(append(make([]byte, 0, 24), balance[:]...), seq)
}

// SaveHistory adds the entry to the history of a balance that it moves.
func (tx *Tx) SaveHistory(to store.Tx, e *journal.Entry, b *Balance) error {
	b.Records++
	b.Last = e.Seq
	b.activity.add(e, b.EntryIndex)
	if b.Records%MaxRecent != 0 {
		b.Recent = append(b.Recent, e.Seq)
		return nil
	}

	value := []byte{0}
	if b.Records%TotalsEvery == 0 {
		sum, err := tx.Totals(b, e.Seq)
		if err != nil {
			return err
		}
		for i := range e.Movements {
			if m := &e.Movements[i]; m.Balance == b.EntryIndex {
				sum[m.State] += m.Delta
			}
		}

		value = journal.AppendQuantities([]byte{1}, &sum)
	}

	for _, seq := range b.Recent {
		if err := to.Put(HistoryTable, HistoryKey(b.ID, seq), []byte{0}); err != nil {
			return err
		}
	}

	b.Recent = nil

	return to.Put(HistoryTable, HistoryKey(b.ID, e.Seq), value)
}

// ScanHistory calls fn with the sequence numbers and rows of the history of a
// balance in [from, to), ascending or, if newest is set, descending. ErrStop ends
// the scan.
func (tx *Tx) ScanHistory(b *Balance, from, to uint64, newest bool, fn func(seq uint64, value []byte) error) error {
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
		span := store.Range{From: HistoryKey(b.ID, from), To: HistoryKey(b.ID, to), Reverse: newest}
		return tx.Reader.Scan(HistoryTable, span, func(key, value []byte) error {
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

// Totals sums the movements of a balance before end, starting from the newest
// stored totals.
func (tx *Tx) Totals(b *Balance, end uint64) (sum [8]int64, err error) {
	var tail []uint64
	err = tx.ScanHistory(b, 0, end, true, func(seq uint64, value []byte) error {
		if value[0] != 0 {
			d := journal.ReadRow(value[1:])
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
		data, err := tx.Reader.Get(journal.Entries.Name, journal.SeqKey(seq))
		if err != nil {
			return sum, err
		}
		if data == nil {
			return sum, MissingEntry(seq)
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

// EntryAt reads a journal entry that must exist.
func (tx *Tx) EntryAt(seq uint64) (*journal.Entry, error) {
	e, err := journal.Entries.Get(tx.Reader, journal.SeqKey(seq))
	if err == nil && e == nil {
		return nil, MissingEntry(seq)
	}
	return e, err
}

// HashAt returns the hash of a journal entry, zeros for number 0.
func (tx *Tx) HashAt(seq uint64) (journal.Hash, error) {
	if seq == 0 {
		return journal.Hash{}, nil
	}

	row, err := tx.Reader.Get(journal.Entries.Name, journal.SeqKey(seq))
	if err == nil && row == nil {
		err = MissingEntry(seq)
	}
	if err != nil {
		return journal.Hash{}, err
	}

	return journal.HashOf(row), nil
}

// Head returns the newest entry of the journal.
func (tx *Tx) Head() (*api.Head, error) {
	seq, _, err := tx.Counter()
	if err != nil {
		return nil, err
	}
	hash, err := tx.HashAt(seq)
	return &api.Head{Seq: int64(seq), Hash: hash.String()}, err
}

var errMissing = errors.New("missing")

// MissingEntry is the error for a journal entry that must exist.
func MissingEntry(seq uint64) error {
	return api.Internal(fmt.Errorf("journal entry %d: %w", seq, errMissing))
}

// OpeningEntry marks the first history row of a balance in a replica: its quantities
// when the replica began, without journal entries behind them.
const OpeningEntry = 2
