package replica

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// openBalance applies a balance of the snapshot.
func (r *Tx) openBalance(s *api.Stock) error {
	b, err := r.balance(s)
	if err != nil {
		return err
	}

	q := byState(s.Balance.Quantities)
	if b.Records == 0 && q != ([8]int64{}) {
		opening := journal.AppendQuantities([]byte{stored.OpeningEntry}, &q)
		if err := r.tx.Put(stored.HistoryTable, stored.HistoryKey(b.ID, uint64(s.Seq)), opening); err != nil {
			return err
		}
	}

	b.Last = uint64(s.Seq)

	return r.setBalance(b, s)
}

// balance reads a balance, or creates it.
func (r *Tx) balance(s *api.Stock) (*stored.Balance, error) {
	at := &s.Balance
	b, err := r.read.Balance(at.ID)
	if b != nil || err != nil {
		return b, err
	}

	key := stored.StockKey{Product: at.ProductID, Location: at.LocationID, Owner: at.OwnerID, Channel: at.ChannelID}
	if id := stored.BalanceID(r.read.Partition, key); id != at.ID {
		return nil, fmt.Errorf("balance %s has another id here: %s", at.ID, id)
	}

	b = &stored.Balance{
		ID:         at.ID,
		Operations: ^uint64(0),
		Key:        &stored.BalanceKey{ID: at.ID, StockKey: key, Seq: uint64(s.Seq), CreatedAt: at.CreatedAt},
	}

	return b, stored.BalanceKeys.Insert(r.tx, b.Key)
}

// setBalance sets a balance to the service's values; its history stays.
func (r *Tx) setBalance(b *stored.Balance, s *api.Stock) error {
	b.Q, b.HeldByDocuments = byState(s.Balance.Quantities), byState(s.Backed)
	b.Version, b.Updated, b.Serials = s.Balance.Version, s.Balance.UpdatedAt, s.Pieces
	existing, err := r.read.LotBalancesOf(b.ID)
	if err != nil {
		return err
	}

	for _, x := range existing {
		if !slices.ContainsFunc(s.Lots, func(l api.LotStock) bool { return l.LotID == x.Lot }) {
			if err := stored.LotBalances.Delete(r.tx, stored.Join(x.Balance[:], x.Lot[:])); err != nil {
				return err
			}
		}
	}

	for _, l := range s.Lots {
		b.HasLots = true
		balance := stored.LotBalance{
			LotBalanceKey: stored.LotBalanceKey{Balance: b.ID, Lot: l.LotID},
			Q:             byState(l.Quantities),
		}
		if err := stored.LotBalances.Put(r.tx, &balance); err != nil {
			return err
		}
	}

	return stored.Balances.Put(r.tx, b)
}

// applyChange applies one change: its journal entry, documents and balances.
func (r *Tx) applyChange(c *api.Change) error {
	for i := range c.Documents {
		if err := r.setDocument(&c.Documents[i]); err != nil {
			return err
		}
	}

	e, err := entryFromChange(c)
	if err != nil {
		return err
	}

	for i := range c.Stocks {
		s := &c.Stocks[i]
		b, err := r.balance(s)
		if err != nil {
			return err
		}

		slot := slices.IndexFunc(e.Balances, func(x journal.BalanceAfter) bool { return x.Balance == b.ID })
		if slot < 0 {
			return fmt.Errorf("balance %s is not one of the balances it changed", b.ID)
		}
		if e.Balances[slot].Version <= 1 {
			b.Operations = 0 // its whole history is known
		}
		for _, m := range e.Movements {
			if m.Balance == slot {
				b.Operations |= 1 << journal.OperationNumber(m.Op)
			}
		}

		if slices.ContainsFunc(e.Movements, func(m journal.Movement) bool { return m.Balance == slot }) &&
			e.Seq > b.Last {
			b.EntryIndex = slot
			if err := r.read.SaveHistory(r.tx, e, b); err != nil {
				return err
			}
		}

		if err := r.setBalance(b, s); err != nil {
			return err
		}
	}

	if err := stored.SaveTraces(r.tx, e); err != nil {
		return err
	}
	if err := journal.Entries.Insert(r.tx, e); err != nil {
		return err
	}
	if err := stored.SaveKey(r.tx, e); err != nil {
		return err
	}
	if err := r.read.SavePlates(r.tx, e, nil); err != nil {
		return err
	}

	return stored.SaveBitmaps(r.read, r.tx, e)
}

// entryFromChange converts a change to a journal entry. It has no fingerprint, and
// responses cannot be rendered from it; only the service can.
func entryFromChange(c *api.Change) (*journal.Entry, error) {
	e := &journal.Entry{
		Seq:      uint64(c.Seq),
		At:       c.CreatedAt,
		Spec:     c.Operation,
		Key:      c.Key,
		Actor:    c.Actor,
		Operator: c.CreatedBy,
		Reason:   c.Reason,
	}

	if c.ApprovedBy != nil {
		e.ApprovedBy = c.ApprovedBy.Label
	}

	slot := map[stored.StockKey]int{}
	for _, b := range c.Balances {
		key := stored.StockKey{Product: b.ProductID, Location: b.LocationID, Owner: b.OwnerID, Channel: b.ChannelID}
		slot[key] = len(e.Balances)
		e.Balances = append(e.Balances,
			journal.BalanceAfter{Balance: b.ID, Version: b.Version, Q: byState(b.Quantities)})
	}

	serialIndex := map[api.ID]int{}
	for i := range c.Movements {
		m := &c.Movements[i]
		if i == 0 {
			e.Source, e.Reason, e.ReferenceType, e.ReferenceID = m.Source, m.Reason, m.ReferenceType, m.ReferenceID
			e.UnitCode, e.UnitQuantity, e.BaseUnitCode = m.UnitCode, m.UnitQuantity, m.BaseUnitCode
		}

		at, ok := slot[stored.StockKey{Product: m.ProductID, Location: m.LocationID, Owner: m.OwnerID, Channel: m.ChannelID}]
		state := slices.Index(api.States[:], m.InventoryState)
		if !ok || state < 0 {
			return nil, errors.New("a movement belongs to none of its balances")
		}

		movement := journal.Movement{
			Op:       m.Operation,
			Balance:  at,
			State:    state,
			Lot:      m.LotID,
			Delta:    m.Quantity,
			Before:   m.BalanceBefore,
			Metadata: m.Metadata,
		}

		for _, s := range m.Serials {
			k, ok := serialIndex[s.ID]
			if !ok {
				k = len(e.Serials)
				serialIndex[s.ID] = k
				e.Serials = append(e.Serials, s)
			}

			movement.Serials = append(movement.Serials, k)
		}

		e.Movements = append(e.Movements, movement)
	}

	return e, nil
}

func byState(q api.Quantities) (list [8]int64) {
	for i, s := range api.States {
		list[i] = q.Of(s)
	}
	return list
}

// setDocument writes a document in its current form.
func (r *Tx) setDocument(d *api.Document) error {
	set := documentSetters[d.Kind]
	if set == nil {
		return fmt.Errorf("unknown document kind %q", d.Kind)
	}
	if err := set(r.tx, d.Data); err != nil {
		return fmt.Errorf("%s %s: %w", d.Kind, d.ID, err)
	}
	return nil
}

var documentSetters = map[api.DocumentKind]func(store.Tx, []byte) error{
	api.DocOwner:       rowSetter(stored.Owners),
	api.DocChannel:     rowSetter(stored.Channels),
	api.DocLocation:    rowSetter(stored.Locations),
	api.DocProduct:     rowSetter(stored.Products),
	api.DocLot:         rowSetter(stored.Lots),
	api.DocSerial:      rowSetter(stored.Serials),
	api.DocInbound:     rowSetter(stored.Inbounds),
	api.DocOutbound:    rowSetter(stored.Outbounds),
	api.DocTransfer:    rowSetter(stored.Transfers),
	api.DocReservation: rowSetter(stored.Reservations),
}

func rowSetter[T any](t *store.Table[T]) func(store.Tx, []byte) error {
	return func(tx store.Tx, data []byte) error {
		row := new(T)
		if err := json.Unmarshal(data, row); err != nil {
			return err
		}
		return t.Put(tx, row)
	}
}
