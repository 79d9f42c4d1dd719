package ledger

import (
	"errors"
	"fmt"
	"slices"

	"bincard/server/api"
)

// The history of a balance in a replica begins with an opening entry: what it
// held when the replica began, without a record of how it came to that.
const opening = 2

// open sets a balance of the snapshot.
func (r *Replica) open(s *api.Stock) error {
	b, err := r.balance(s)
	if err != nil {
		return err
	}
	q := byState(s.Balance.Quantities)
	if b.Records == 0 && q != ([8]int64{}) {
		if err := r.tx.Put(historyTable, historyKey(b.ID, uint64(s.Seq)), appendQuantities([]byte{opening}, &q)); err != nil {
			return err
		}
	}
	b.Last = uint64(s.Seq)
	return r.set(b, s)
}

// balance is the row of a balance, new where it is not there.
func (r *Replica) balance(s *api.Stock) (*balance, error) {
	at := &s.Balance
	b, err := r.rd.balance(at.ID)
	if b != nil || err != nil {
		return b, err
	}
	where := place{at.ProductID, at.LocationID, at.OwnerID, at.ChannelID}
	if id := balanceID(r.rd.p, where); id != at.ID {
		return nil, fmt.Errorf("balance %s is not called so here, but %s", at.ID, id)
	}
	b = &balance{ID: at.ID, Seen: ^uint64(0), key: &balanceKey{ID: at.ID, place: where, Seq: uint64(s.Seq), CreatedAt: at.CreatedAt}}
	return b, balanceKeys.Insert(r.tx, b.key)
}

// set makes a balance what it is at the service now; its history stays.
func (r *Replica) set(b *balance, s *api.Stock) error {
	b.Q, b.Backed = byState(s.Balance.Quantities), byState(s.Backed)
	b.Version, b.Updated, b.Pieces = s.Balance.Version, s.Balance.UpdatedAt, s.Pieces
	held, err := r.rd.holds(b.ID)
	if err != nil {
		return err
	}
	for _, x := range held {
		if !slices.ContainsFunc(s.Lots, func(l api.LotStock) bool { return l.LotID == x.Lot }) {
			if err := buckets.Delete(r.tx, join(x.Balance[:], x.Lot[:])); err != nil {
				return err
			}
		}
	}
	for _, l := range s.Lots {
		b.HasLots = true
		if err := buckets.Put(r.tx, &bucket{bucketKey: bucketKey{b.ID, l.LotID}, Q: byState(l.Quantities)}); err != nil {
			return err
		}
	}
	return balances.Put(r.tx, b)
}

// change takes one change: its record, its documents and balances.
func (r *Replica) change(c *api.Change) error {
	for i := range c.Documents {
		if err := r.document(&c.Documents[i]); err != nil {
			return err
		}
	}
	rec, err := recordFrom(c)
	if err != nil {
		return err
	}
	work := &change{reading: r.rd, tx: r.tx, rec: *rec}
	for i := range c.Stocks {
		s := &c.Stocks[i]
		b, err := r.balance(s)
		if err != nil {
			return err
		}
		slot := slices.IndexFunc(rec.Balances, func(x standing) bool { return x.Balance == b.ID })
		if slot < 0 {
			return fmt.Errorf("balance %s is none of those it changed", b.ID)
		}
		if rec.Balances[slot].Version <= 1 {
			b.Seen = 0 // all it ever had is known here
		}
		for _, m := range rec.Moves {
			if m.Balance == slot {
				b.Seen |= 1 << operationNumber(m.Op)
			}
		}
		if slices.ContainsFunc(rec.Moves, func(m move) bool { return m.Balance == slot }) && rec.Seq > b.Last {
			b.slot = slot
			if err := work.settleHistory(b); err != nil {
				return err
			}
		}
		if err := r.set(b, s); err != nil {
			return err
		}
	}
	if err := work.settleTraces(); err != nil {
		return err
	}
	if err := records.Insert(r.tx, rec); err != nil {
		return err
	}
	if err := work.settleKey(); err != nil {
		return err
	}
	return work.settleMarks()
}

// recordFrom is a change as its record. It has no fingerprint and cannot be
// answered from: that is the service's.
func recordFrom(c *api.Change) (*record, error) {
	rec := &record{Seq: uint64(c.Seq), At: c.CreatedAt, Spec: c.Operation, Key: c.Key, Actor: c.Actor, Operator: c.CreatedBy}
	slot := map[place]int{}
	for _, b := range c.Balances {
		slot[place{b.ProductID, b.LocationID, b.OwnerID, b.ChannelID}] = len(rec.Balances)
		rec.Balances = append(rec.Balances, standing{Balance: b.ID, Version: b.Version, Q: byState(b.Quantities)})
	}
	piece := map[api.ID]int{}
	for i := range c.Movements {
		m := &c.Movements[i]
		if i == 0 {
			rec.Source, rec.Reason, rec.ReferenceType, rec.ReferenceID = m.Source, m.Reason, m.ReferenceType, m.ReferenceID
			rec.UnitCode, rec.UnitQuantity, rec.BaseUnitCode = m.UnitCode, m.UnitQuantity, m.BaseUnitCode
		}
		at, ok := slot[place{m.ProductID, m.LocationID, m.OwnerID, m.ChannelID}]
		state := slices.Index(api.States[:], m.InventoryState)
		if !ok || state < 0 {
			return nil, errors.New("a movement is of none of its balances")
		}
		moved := move{Op: m.Operation, Balance: at, State: state, Lot: m.LotID, Delta: m.Quantity, Before: m.BalanceBefore, Metadata: m.Metadata}
		for _, s := range m.Serials {
			k, ok := piece[s.ID]
			if !ok {
				k = len(rec.Serials)
				piece[s.ID] = k
				rec.Serials = append(rec.Serials, s)
			}
			moved.Serials = append(moved.Serials, k)
		}
		rec.Moves = append(rec.Moves, moved)
	}
	return rec, nil
}

func byState(q api.Quantities) (list [8]int64) {
	for i, s := range api.States {
		list[i] = q.Of(s)
	}
	return list
}
