package ledger

import (
	"errors"
	"fmt"
	"slices"

	"bincard/server/api"
)

// The history of a balance in a replica begins with an opening entry: what it
// held when the replica began, without a record of how it came to that.
const openingEntry = 2

// openBalance sets a balance of the snapshot.
func (r *Replica) openBalance(s *api.Stock) error {
	b, err := r.balance(s)
	if err != nil {
		return err
	}
	q := byState(s.Balance.Quantities)
	if b.Records == 0 && q != ([8]int64{}) {
		if err := r.tx.Put(historyTable, historyKey(b.ID, uint64(s.Seq)), appendQuantities([]byte{openingEntry}, &q)); err != nil {
			return err
		}
	}
	b.Last = uint64(s.Seq)
	return r.setBalance(b, s)
}

// balance is the row of a balance, new where it is not there.
func (r *Replica) balance(s *api.Stock) (*balance, error) {
	at := &s.Balance
	b, err := r.rd.balance(at.ID)
	if b != nil || err != nil {
		return b, err
	}
	where := stockKey{at.ProductID, at.LocationID, at.OwnerID, at.ChannelID}
	if id := balanceID(r.rd.p, where); id != at.ID {
		return nil, fmt.Errorf("balance %s has another id here: %s", at.ID, id)
	}
	b = &balance{ID: at.ID, Operations: ^uint64(0), key: &balanceKey{ID: at.ID, stockKey: where, Seq: uint64(s.Seq), CreatedAt: at.CreatedAt}}
	return b, balanceKeys.Insert(r.tx, b.key)
}

// setBalance makes a balance what it is at the service now; its history stays.
func (r *Replica) setBalance(b *balance, s *api.Stock) error {
	b.Q, b.HeldByDocuments = byState(s.Balance.Quantities), byState(s.Backed)
	b.Version, b.Updated, b.Serials = s.Balance.Version, s.Balance.UpdatedAt, s.Pieces
	held, err := r.rd.lotBalancesOf(b.ID)
	if err != nil {
		return err
	}
	for _, x := range held {
		if !slices.ContainsFunc(s.Lots, func(l api.LotStock) bool { return l.LotID == x.Lot }) {
			if err := lotBalances.Delete(r.tx, join(x.Balance[:], x.Lot[:])); err != nil {
				return err
			}
		}
	}
	for _, l := range s.Lots {
		b.HasLots = true
		if err := lotBalances.Put(r.tx, &lotBalance{lotBalanceKey: lotBalanceKey{b.ID, l.LotID}, Q: byState(l.Quantities)}); err != nil {
			return err
		}
	}
	return balances.Put(r.tx, b)
}

// applyChange takes one change: its record, its documents and balances.
func (r *Replica) applyChange(c *api.Change) error {
	for i := range c.Documents {
		if err := r.setDocument(&c.Documents[i]); err != nil {
			return err
		}
	}
	rec, err := entryFromChange(c)
	if err != nil {
		return err
	}
	work := &writeTx{readTx: r.rd, tx: r.tx, entry: *rec}
	for i := range c.Stocks {
		s := &c.Stocks[i]
		b, err := r.balance(s)
		if err != nil {
			return err
		}
		slot := slices.IndexFunc(rec.Balances, func(x balanceAfter) bool { return x.Balance == b.ID })
		if slot < 0 {
			return fmt.Errorf("balance %s is not one of the balances it changed", b.ID)
		}
		if rec.Balances[slot].Version <= 1 {
			b.Operations = 0 // all it ever had is known here
		}
		for _, m := range rec.Movements {
			if m.Balance == slot {
				b.Operations |= 1 << operationNumber(m.Op)
			}
		}
		if slices.ContainsFunc(rec.Movements, func(m movement) bool { return m.Balance == slot }) && rec.Seq > b.Last {
			b.entryIndex = slot
			if err := work.saveHistory(b); err != nil {
				return err
			}
		}
		if err := r.setBalance(b, s); err != nil {
			return err
		}
	}
	if err := work.saveTraces(); err != nil {
		return err
	}
	if err := journal.Insert(r.tx, rec); err != nil {
		return err
	}
	if err := work.saveKey(); err != nil {
		return err
	}
	return work.saveBitmaps()
}

// entryFromChange is a change as its record. It has no fingerprint and cannot be
// answered from: that is the service's.
func entryFromChange(c *api.Change) (*entry, error) {
	rec := &entry{Seq: uint64(c.Seq), At: c.CreatedAt, Spec: c.Operation, Key: c.Key, Actor: c.Actor, Operator: c.CreatedBy}
	slot := map[stockKey]int{}
	for _, b := range c.Balances {
		slot[stockKey{b.ProductID, b.LocationID, b.OwnerID, b.ChannelID}] = len(rec.Balances)
		rec.Balances = append(rec.Balances, balanceAfter{Balance: b.ID, Version: b.Version, Q: byState(b.Quantities)})
	}
	piece := map[api.ID]int{}
	for i := range c.Movements {
		m := &c.Movements[i]
		if i == 0 {
			rec.Source, rec.Reason, rec.ReferenceType, rec.ReferenceID = m.Source, m.Reason, m.ReferenceType, m.ReferenceID
			rec.UnitCode, rec.UnitQuantity, rec.BaseUnitCode = m.UnitCode, m.UnitQuantity, m.BaseUnitCode
		}
		at, ok := slot[stockKey{m.ProductID, m.LocationID, m.OwnerID, m.ChannelID}]
		state := slices.Index(api.States[:], m.InventoryState)
		if !ok || state < 0 {
			return nil, errors.New("a movement belongs to none of its balances")
		}
		moved := movement{Op: m.Operation, Balance: at, State: state, Lot: m.LotID, Delta: m.Quantity, Before: m.BalanceBefore, Metadata: m.Metadata}
		for _, s := range m.Serials {
			k, ok := piece[s.ID]
			if !ok {
				k = len(rec.Serials)
				piece[s.ID] = k
				rec.Serials = append(rec.Serials, s)
			}
			moved.Serials = append(moved.Serials, k)
		}
		rec.Movements = append(rec.Movements, moved)
	}
	return rec, nil
}

func byState(q api.Quantities) (list [8]int64) {
	for i, s := range api.States {
		list[i] = q.Of(s)
	}
	return list
}
