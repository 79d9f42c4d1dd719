package audit

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
	"bincard/server/store/wire"
)

// fold verifies all journal entries in order and folds them into balances.
func (v *verification) fold() error {
	counter, instant, err := v.Tx.Counter()
	if errors.Is(err, wire.ErrTruncated) {
		v.reportFault("counter", "cannot be read")
	} else if err != nil {
		return err
	}

	v.counter = counter
	next, found := uint64(1), 0
	err = v.Reader.Scan(journal.Entries.Name, store.Range{}, func(key, data []byte) error {
		if found++; found%1024 == 0 {
			if v.ctx.Err() != nil {
				return v.ctx.Err()
			}
			v.progress(int64(v.result.Records+found), 0)
		}

		if len(key) != 8 {
			v.reportFault("journal", "row %x has an invalid key", key)
			return nil
		}

		seq := binary.BigEndian.Uint64(key)
		if next < seq {
			v.reportFault("journal", "entries %d to %d are missing", next, seq-1)
		}

		next = seq + 1

		return v.foldRow(seq, data)
	})
	if err != nil {
		return err
	}
	if next != v.counter+1 {
		v.reportFault("journal", "ends at %d, but the counter is %d", next-1, v.counter)
	}
	if !instant.Equal(v.latest) {
		v.reportFault("journal", "the last entry is from %s, but the counter is %s", v.latest, instant)
	}

	v.checkHead()
	v.result.Records += found
	v.progress(int64(v.result.Records), 0)

	return v.checkKeys(found)
}

// foldRow folds one journal entry into balances.
func (v *verification) foldRow(seq uint64, data []byte) error {
	e := new(journal.Entry)
	name := fmt.Sprintf("journal entry %d", seq)
	if err := journal.Entries.Codec.Decode(data, e); err != nil {
		v.reportFault(name, "cannot be read: %v", err)
		v.chain = chain{seq: seq, hash: journal.HashOf(data), from: seq}
		return nil
	}

	v.checkChain(seq, data, e)
	if e.Seq != seq {
		v.reportFault(name, "has number %d", e.Seq)
	}
	if e.At.Before(v.latest) {
		v.reportFault(name, "is from %s, before the entry preceding it (%s)", e.At, v.latest)
	}

	v.latest = e.At
	if account.Billable(e.Spec) {
		v.billed[account.MonthOf(e.At)]++
	}
	if err := v.checkKey(name, e); err != nil {
		return err
	}

	v.result.Movements += len(e.Movements)
	moved := make([]bool, len(e.Balances))
	for i := range e.Movements {
		m := &e.Movements[i]
		moved[m.Balance] = true
		v.foldMovement(v.journalBalance(e.Balances[m.Balance].Balance), seq, m)
	}

	if err := v.checkTraced(e); err != nil {
		return err
	}

	v.checkDocumentRef(e)
	v.record(name, e)
	if err := v.checkBitmaps(seq, data); err != nil {
		return err
	}
	for i := range e.Balances {
		if err := v.checkBalanceAfter(seq, &e.Balances[i], moved[i]); err != nil {
			return err
		}
	}

	return nil
}

// foldMovement adds a movement to its balance. After a break in the chain it continues
// from the movement's own quantity, so that a fault is reported once.
func (v *verification) foldMovement(a *journalBalance, seq uint64, m *journal.Movement) {
	a.sum[m.State] += m.Delta
	a.operations |= 1 << journal.OperationNumber(m.Op)
	if m.Op == api.OpReconcile {
		a.counted = seq
	}
	if a.chain[m.State] != m.Before {
		v.reportBalanceFault(a, m.State, "journal entry %d (%s %+d) starts at %d, but earlier movements end at %d", seq,
			m.Op, m.Delta, m.Before, a.chain[m.State])
	}

	a.chain[m.State] = m.Before + m.Delta
	if after := a.chain[m.State]; after < 0 || after > api.MaxQuantity {
		v.reportBalanceFault(a, m.State, "journal entry %d (%s %+d) leaves %d", seq, m.Op, m.Delta, after)
	}
	if m.Lot == api.NoID {
		a.unlotted[m.State] += m.Delta
		return
	}

	q := a.lots[m.Lot]
	if q == nil {
		if a.lots == nil {
			a.lots = map[api.ID]*[8]int64{}
		}
		q = new([8]int64)
		a.lots[m.Lot] = q
	}

	if q[m.State] += m.Delta; q[m.State] < 0 {
		v.reportBalanceFault(a, m.State, "journal entry %d (%s %+d) leaves %d of lot %s", seq, m.Op, m.Delta,
			q[m.State], v.lotCode(m.Lot))
	}
}

// checkBalanceAfter checks a balance of an entry against the journal.
func (v *verification) checkBalanceAfter(seq uint64, s *journal.BalanceAfter, moved bool) error {
	a := v.journalBalance(s.Balance)
	for state := range s.Q {
		if s.Q[state] != a.chain[state] {
			v.reportBalanceFault(a, state, "journal entry %d has %d as balance after, but its movements leave %d", seq,
				s.Q[state], a.chain[state])
		}
		if a.unlotted[state] < 0 {
			v.reportBalanceFault(a, state, "journal entry %d leaves %d more in lots than in total", seq,
				-a.unlotted[state])
		}
	}

	if q := stored.Quantities(&s.Q); !q.AddsUp() {
		v.reportBalanceFault(a, stored.OnHand, "journal entry %d leaves %d on hand, but its states sum to %d", seq,
			q.OnHand, onHandSum(&s.Q))
	}
	if s.Version != a.version+1 && (moved || s.Version != a.version) {
		v.reportBalanceFault(a, -1, "journal entry %d leaves version %d after version %d", seq, s.Version, a.version)
	}

	a.version = s.Version
	if !moved {
		return nil
	}

	a.records++
	a.last = seq

	return v.checkHistoryEntry(a, seq)
}

// checkHistoryEntry checks that the history of a balance has an entry.
func (v *verification) checkHistoryEntry(a *journalBalance, seq uint64) error {
	if a.row != nil && slices.Contains(a.row.Recent, seq) {
		a.recent++
		return nil
	}
	if a.recent > 0 {
		v.reportBalanceFault(a, -1, "journal entry %d moves it, but is missing from its recent history", seq)
	}

	value, err := v.Reader.Get(stored.HistoryTable, stored.HistoryKey(a.id, seq))
	if err != nil {
		return err
	}

	want := []byte{0}
	if a.records%stored.TotalsEvery == 0 {
		want = journal.AppendQuantities([]byte{1}, &a.sum)
	}

	switch {
	case value == nil:
		v.reportBalanceFault(a, -1, "journal entry %d moves it, but is missing from its history", seq)
	case !bytes.HasPrefix(value, want): // a newer version may have added fields
		v.reportBalanceFault(a, -1, "running totals in its history at journal entry %d do not match the movements", seq)
	}

	return nil
}

// onHandSum returns the sum of the on-hand states.
func onHandSum(q *[8]int64) int64 {
	return q[stored.Available] + q[stored.Reserved] + q[stored.Committed] + q[stored.Damaged] + q[stored.QualityControl] + q[stored.SafetyStock]
}

func (v *verification) lotCode(id api.ID) string {
	if l, err := stored.Lots.Shared(v.Reader, id[:]); err == nil && l != nil {
		return l.LotCode
	}
	return id.String()
}
