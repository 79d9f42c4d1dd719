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

// fold goes through all records in the order of the counter.
func (v *verification) fold() error {
	counter, instant, err := v.reading.counter()
	if errors.Is(err, errTruncated) {
		v.stray("counter", "it cannot be read")
	} else if err != nil {
		return err
	}
	v.counter = counter
	next, found := uint64(1), 0
	err = v.r.Scan(records.Name, store.Range{}, func(key, data []byte) error {
		if found++; found%1024 == 0 {
			if v.ctx.Err() != nil {
				return v.ctx.Err()
			}
			v.told(int64(v.proof.Records+found), 0)
		}
		if len(key) != 8 {
			v.stray("records", "the row %x has no counter for a key", key)
			return nil
		}
		seq := binary.BigEndian.Uint64(key)
		if next < seq {
			v.stray("records", "%d to %d are missing", next, seq-1)
		}
		next = seq + 1
		return v.foldRow(seq, data)
	})
	if err != nil {
		return err
	}
	if next != v.counter+1 {
		v.stray("records", "end at %d, but the counter is %d", next-1, v.counter)
	}
	if !instant.Equal(v.latest) {
		v.stray("records", "the last is of %s, but the counter says %s", v.latest, instant)
	}
	v.proof.Records += found
	v.told(int64(v.proof.Records), 0)
	return v.checkKeys(found)
}

// foldRow folds one record into the accounts.
func (v *verification) foldRow(seq uint64, data []byte) error {
	rec := new(record)
	name := fmt.Sprintf("record %d", seq)
	if err := records.Codec.Decode(data, rec); err != nil {
		v.stray(name, "cannot be read: %v", err)
		return nil
	}
	if rec.Seq != seq {
		v.stray(name, "says it is record %d", rec.Seq)
	}
	if rec.At.Before(v.latest) {
		v.stray(name, "is of %s, before the one ahead of it (%s)", rec.At, v.latest)
	}
	v.latest = rec.At
	if billableSpecs[rec.Spec] {
		v.billed[monthOf(rec.At)]++
	}
	if err := v.checkKey(name, rec); err != nil {
		return err
	}
	v.proof.Movements += len(rec.Moves)
	moved := make([]bool, len(rec.Balances))
	for i := range rec.Moves {
		m := &rec.Moves[i]
		moved[m.Balance] = true
		v.foldMove(v.account(rec.Balances[m.Balance].Balance), seq, m)
	}
	if err := v.checkTraced(rec); err != nil {
		return err
	}
	v.checkDocumentRef(rec)
	if err := v.checkMarks(seq, data); err != nil {
		return err
	}
	for i := range rec.Balances {
		if err := v.stands(seq, &rec.Balances[i], moved[i]); err != nil {
			return err
		}
	}
	return nil
}

// foldMove adds one movement to its account. After a break in the chain it
// goes on from what the movement says, so that one fault is told once.
func (v *verification) foldMove(a *account, seq uint64, m *move) {
	a.sum[m.State] += m.Delta
	a.seen |= 1 << operationNumber(m.Op)
	if a.chain[m.State] != m.Before {
		v.fault(a, m.State, "record %d (%s %+d) begins at %d, but the movements before it end at %d", seq, m.Op, m.Delta, m.Before, a.chain[m.State])
	}
	a.chain[m.State] = m.Before + m.Delta
	if after := a.chain[m.State]; after < 0 || after > api.MaxQuantity {
		v.fault(a, m.State, "record %d (%s %+d) leaves %d", seq, m.Op, m.Delta, after)
	}
	if m.Lot == (api.ID{}) {
		a.loose[m.State] += m.Delta
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
		v.fault(a, m.State, "record %d (%s %+d) leaves %d of lot %s", seq, m.Op, m.Delta, q[m.State], v.lotCode(m.Lot))
	}
}

// stands holds what a record says it left of a balance against its account.
func (v *verification) stands(seq uint64, s *standing, moved bool) error {
	a := v.account(s.Balance)
	for state := range s.Q {
		if s.Q[state] != a.chain[state] {
			v.fault(a, state, "record %d answered %d, but its movements leave %d", seq, s.Q[state], a.chain[state])
		}
		if a.loose[state] < 0 {
			v.fault(a, state, "record %d leaves more in lots than there is, by %d", seq, -a.loose[state])
		}
	}
	if q := quantities(&s.Q); !q.AddsUp() {
		v.fault(a, onHand, "record %d leaves %d on hand, but its parts sum to %d", seq, q.OnHand, parts(&s.Q))
	}
	if s.Version != a.version+1 && (moved || s.Version != a.version) {
		v.fault(a, -1, "record %d leaves version %d after version %d", seq, s.Version, a.version)
	}
	a.version = s.Version
	if !moved {
		return nil
	}
	a.records++
	a.last = seq
	return v.entry(a, seq)
}

// entry holds the entry of a record in the history of a balance.
func (v *verification) entry(a *account, seq uint64) error {
	if a.row != nil && slices.Contains(a.row.Lately, seq) {
		a.lately++
		return nil
	}
	if a.lately > 0 {
		v.fault(a, -1, "record %d moves it, but is not among the newest entries of its history", seq)
	}
	value, err := v.r.Get(historyTable, historyKey(a.id, seq))
	if err != nil {
		return err
	}
	want := []byte{0}
	if a.records%totalsEvery == 0 {
		want = appendQuantities([]byte{1}, &a.sum)
	}
	switch {
	case value == nil:
		v.fault(a, -1, "record %d moves it, but its history does not have it", seq)
	case !bytes.HasPrefix(value, want): // a newer version may have added fields
		v.fault(a, -1, "the running totals in its history at record %d are not the sum of the movements", seq)
	}
	return nil
}

// parts is the sum of the states that are on hand.
func parts(q *[8]int64) int64 {
	return q[available] + q[reserved] + q[committed] + q[damaged] + q[qualityControl] + q[safetyStock]
}

func (v *verification) lotCode(id api.ID) string {
	if l, err := lots.Shared(v.r, id[:]); err == nil && l != nil {
		return l.LotCode
	}
	return id.String()
}
