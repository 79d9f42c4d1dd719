package ledger

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
)

// showBalance renders a balance as it was after the entry's write.
func (tx *readTx) showBalance(e *journal.Entry, i int) (api.Balance, error) {
	s := &e.Balances[i]
	out, err := tx.showID(s.Balance)
	if err != nil {
		return api.Balance{}, err
	}
	out.Quantities, out.Version, out.UpdatedAt = quantities(&s.Q), s.Version, e.At
	return out, nil
}

// showBalances renders all balances of an entry.
func (tx *readTx) showBalances(e *journal.Entry) ([]api.Balance, error) {
	out := make([]api.Balance, len(e.Balances))
	for i := range out {
		var err error
		if out[i], err = tx.showBalance(e, i); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// showCurrent renders a balance as it is now.
func (tx *readTx) showCurrent(b *balance) api.Balance {
	out := tx.showKey(b.key)
	out.Quantities, out.Version, out.UpdatedAt = b.quantities(), b.Version, b.Updated
	return out
}

// showID renders the immutable part of a balance. It caches the last one, because
// movements of one balance are mostly rendered together.
func (tx *readTx) showID(id api.ID) (api.Balance, error) {
	if tx.lastBalance.ID == id {
		return tx.lastBalance, nil
	}
	key, err := balanceKeys.Shared(tx.r, id[:])
	if err != nil {
		return api.Balance{}, err
	}
	if key == nil {
		return api.Balance{}, &InconsistencyError{"balance", id}
	}
	tx.lastBalance = tx.showKey(key)
	return tx.lastBalance, nil
}

func (tx *readTx) showKey(k *balanceKey) api.Balance {
	return api.Balance{ID: k.ID, OrganizationID: tx.p.Organization, Environment: api.Environment(tx.p.Environment),
		ProductID: k.Product, LocationID: k.Location, OwnerID: k.Owner, ChannelID: k.Channel,
		Product: tx.productRef(k.Product), Location: tx.placeRef(locations, k.Location),
		Owner: tx.placeRef(owners, k.Owner), Channel: tx.placeRef(channels, k.Channel), CreatedAt: k.CreatedAt}
}

// movements renders all movements of an entry.
func (tx *readTx) movements(e *journal.Entry) ([]api.Movement, error) {
	out := make([]api.Movement, len(e.Movements))
	for i := range out {
		var err error
		if out[i], err = tx.movement(e, i); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// movement renders the i-th movement of an entry.
func (tx *readTx) movement(e *journal.Entry, i int) (api.Movement, error) {
	m := &e.Movements[i]
	b, err := tx.showID(e.Balances[m.Balance].Balance)
	if err != nil {
		return api.Movement{}, err
	}
	out := api.Movement{ID: journal.MovementID(tx.p, e.Seq, i), OrganizationID: b.OrganizationID, Environment: b.Environment,
		ProductID: b.ProductID, LocationID: b.LocationID, OwnerID: b.OwnerID, ChannelID: b.ChannelID, LotID: m.Lot,
		Operation: m.Op, InventoryState: api.States[m.State], Quantity: m.Delta,
		UnitCode: e.UnitCode, UnitQuantity: e.UnitQuantity, BaseUnitCode: e.BaseUnitCode,
		BalanceBefore: m.Before, BalanceAfter: m.Before + m.Delta,
		Reason: e.Reason, ReferenceType: e.ReferenceType, ReferenceID: e.ReferenceID, Source: e.Source,
		IdempotencyKey: e.Key, Metadata: e.Metadata, CreatedBy: e.Operator, Actor: e.Actor,
		Product: b.Product, Location: b.Location, Owner: b.Owner, Channel: b.Channel,
		Serials: make([]api.Serial, len(m.Serials)), CreatedAt: e.At}
	if m.Metadata != nil {
		out.Metadata = m.Metadata
	}
	if m.Op == api.OpAssembleComponent || m.Op == api.OpDisassembleComponent {
		out.UnitCode, out.UnitQuantity, out.BaseUnitCode = "", 0, "" // the entry's units are the kit's
	}
	for j, s := range m.Serials {
		out.Serials[j] = e.Serials[s]
	}
	if m.Lot != (api.ID{}) {
		l, err := lots.Shared(tx.r, m.Lot[:])
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
