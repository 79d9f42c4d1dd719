package stored

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
)

// BalanceOfInput reads a balance that a request names.
func (tx *Tx) BalanceOfInput(id api.ID) (*Balance, error) {
	b, err := tx.Balance(id)
	if err == nil && b == nil {
		return nil, NotFound("balance", "balanceId", id)
	}
	return b, err
}

// MustBalance reads a balance that the ledger's own data refers to.
func (tx *Tx) MustBalance(id api.ID) (*Balance, error) {
	b, err := tx.Balance(id)
	if err == nil && b == nil {
		return nil, &InconsistencyError{"balance", id}
	}
	return b, err
}

// DescribeStockKey returns a readable stock key: OAT-1L at WH-1.
func (tx *Tx) DescribeStockKey(at StockKey) string {
	sku, code := at.Product.String(), at.Location.String()
	if ref := tx.ProductRef(at.Product); ref != nil {
		sku = ref.SKU
	}
	if ref := tx.PlaceRef(Locations, at.Location); ref != nil {
		code = ref.Code
	}
	return api.Textf("%s at %s", sku, code)
}

// Quantities returns the quantities of the balance.
func (b *Balance) Quantities() api.Quantities { return Quantities(&b.Q) }

// Quantities returns quantities in the order of api.States by name.
func Quantities(q *[8]int64) api.Quantities {
	return api.Quantities{OnHand: q[OnHand], Available: q[Available], Reserved: q[Reserved], Committed: q[Committed],
		Incoming: q[Incoming], Damaged: q[Damaged], QualityControl: q[QualityControl], SafetyStock: q[SafetyStock]}
}

// SnapshotRow renders a balance as a row of the snapshot report.
func (tx *Tx) SnapshotRow(b *Balance) api.SnapshotRow {
	x := tx.ShowCurrent(b)
	row := x.SnapshotRow()
	if p, _ := tx.SharedProduct(row.ProductID); p != nil { // without it, the row has no names either
		row.Shelf = p.MainShelf(row.LocationID)
	}

	return row
}

// ShowBalance renders a balance as it was after the entry's write.
func (tx *Tx) ShowBalance(e *journal.Entry, i int) (api.Balance, error) {
	s := &e.Balances[i]
	out, err := tx.showID(s.Balance)
	if err != nil {
		return api.Balance{}, err
	}
	out.Quantities, out.Version, out.UpdatedAt = Quantities(&s.Q), s.Version, e.At
	return out, nil
}

// ShowBalances renders all balances of an entry.
func (tx *Tx) ShowBalances(e *journal.Entry) ([]api.Balance, error) {
	out := make([]api.Balance, len(e.Balances))
	for i := range out {
		var err error
		if out[i], err = tx.ShowBalance(e, i); err != nil {
			return nil, err
		}
	}

	return out, nil
}

// ShowCurrent renders a balance as it is now.
func (tx *Tx) ShowCurrent(b *Balance) api.Balance {
	out := tx.showKey(b.Key)
	out.Quantities, out.Version, out.UpdatedAt = b.Quantities(), b.Version, b.Updated
	return out
}

// showID renders the immutable part of a balance. It caches the last one, because
// movements of one balance are mostly rendered together.
func (tx *Tx) showID(id api.ID) (api.Balance, error) {
	if tx.lastBalance.ID == id {
		return tx.lastBalance, nil
	}

	key, err := BalanceKeys.Shared(tx.Reader, id[:])
	if err != nil {
		return api.Balance{}, err
	}
	if key == nil {
		return api.Balance{}, &InconsistencyError{"balance", id}
	}

	tx.lastBalance = tx.showKey(key)

	return tx.lastBalance, nil
}

func (tx *Tx) showKey(k *BalanceKey) api.Balance {
	return api.Balance{
		ID:             k.ID,
		OrganizationID: tx.Partition.Organization,
		Environment:    api.Environment(tx.Partition.Environment),
		ProductID:      k.Product,
		LocationID:     k.Location,
		OwnerID:        k.Owner,
		ChannelID:      k.Channel,
		Product:        tx.ProductRef(k.Product),
		Location:       tx.PlaceRef(Locations, k.Location),
		Owner:          tx.PlaceRef(Owners, k.Owner),
		Channel:        tx.PlaceRef(Channels, k.Channel),
		CreatedAt:      k.CreatedAt,
	}
}

// Movements renders all movements of an entry.
func (tx *Tx) Movements(e *journal.Entry) ([]api.Movement, error) {
	out := make([]api.Movement, len(e.Movements))
	for i := range out {
		var err error
		if out[i], err = tx.Movement(e, i); err != nil {
			return nil, err
		}
	}

	return out, nil
}

// Movement renders the i-th movement of an entry.
func (tx *Tx) Movement(e *journal.Entry, i int) (api.Movement, error) {
	m := &e.Movements[i]
	b, err := tx.showID(e.Balances[m.Balance].Balance)
	if err != nil {
		return api.Movement{}, err
	}

	out := api.Movement{
		ID:             journal.MovementID(tx.Partition, e.Seq, i),
		OrganizationID: b.OrganizationID,
		Environment:    b.Environment,
		ProductID:      b.ProductID,
		LocationID:     b.LocationID,
		OwnerID:        b.OwnerID,
		ChannelID:      b.ChannelID,
		LotID:          m.Lot,
		Operation:      m.Op,
		InventoryState: api.States[m.State],
		Quantity:       m.Delta,
		UnitCode:       e.UnitCode,
		UnitQuantity:   e.UnitQuantity,
		BaseUnitCode:   e.BaseUnitCode,
		BalanceBefore:  m.Before,
		BalanceAfter:   m.Before + m.Delta,
		Reason:         e.Reason,
		ReferenceType:  e.ReferenceType,
		ReferenceID:    e.ReferenceID,
		Source:         e.Source,
		IdempotencyKey: e.Key,
		Metadata:       e.Metadata,
		CreatedBy:      e.Operator,
		ApprovedBy:     e.Approver(),
		Actor:          e.Actor,
		Product:        b.Product,
		Location:       b.Location,
		Owner:          b.Owner,
		Channel:        b.Channel,
		Serials:        make([]api.Serial, len(m.Serials)),
		CreatedAt:      e.At,
		OccurredAt:     e.OccurredAt,
	}

	if m.Metadata != nil {
		out.Metadata = m.Metadata
	}
	if m.Op == api.OpAssembleComponent || m.Op == api.OpDisassembleComponent {
		out.UnitCode, out.UnitQuantity, out.BaseUnitCode = "", 0, "" // the entry's units are the kit's
	}
	for j, s := range m.Serials {
		out.Serials[j] = e.Serials[s]
	}

	if m.Lot != api.NoID {
		l, err := Lots.Shared(tx.Reader, m.Lot[:])
		if err != nil {
			return out, err
		}
		if l != nil {
			asOf := l.asOf(e.Seq)
			out.Lot = &asOf
		}
	}

	return out, nil
}
