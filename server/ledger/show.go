package ledger

import (
	"bincard/server/api"
)

// showBalance renders a balance as the record's write left it.
func (rd *readTx) showBalance(rec *entry, slot int) (api.Balance, error) {
	s := &rec.Balances[slot]
	out, err := rd.showID(s.Balance)
	if err != nil {
		return api.Balance{}, err
	}
	out.Quantities, out.Version, out.UpdatedAt = quantities(&s.Q), s.Version, rec.At
	return out, nil
}

// showBalances renders all balances of the record.
func (rd *readTx) showBalances(rec *entry) ([]api.Balance, error) {
	out := make([]api.Balance, len(rec.Balances))
	for i := range out {
		var err error
		if out[i], err = rd.showBalance(rec, i); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// showCurrent renders a balance as it stands.
func (rd *readTx) showCurrent(b *balance) api.Balance {
	out := rd.showKey(b.key)
	out.Quantities, out.Version, out.UpdatedAt = b.quantities(), b.Version, b.Updated
	return out
}

// showID renders what never changes of a balance. It keeps the last one, since
// what is rendered of one balance comes in runs.
func (rd *readTx) showID(id api.ID) (api.Balance, error) {
	if rd.lastBalance.ID == id {
		return rd.lastBalance, nil
	}
	key, err := balanceKeys.Shared(rd.r, id[:])
	if err != nil {
		return api.Balance{}, err
	}
	if key == nil {
		return api.Balance{}, &InconsistencyError{"balance", id}
	}
	rd.lastBalance = rd.showKey(key)
	return rd.lastBalance, nil
}

func (rd *readTx) showKey(k *balanceKey) api.Balance {
	return api.Balance{ID: k.ID, OrganizationID: rd.p.Organization, Environment: api.Environment(rd.p.Environment),
		ProductID: k.Product, LocationID: k.Location, OwnerID: k.Owner, ChannelID: k.Channel,
		Product: rd.productRef(k.Product), Location: rd.placeRef(locations, k.Location),
		Owner: rd.placeRef(owners, k.Owner), Channel: rd.placeRef(channels, k.Channel), CreatedAt: k.CreatedAt}
}

// movements renders all movements of the record.
func (rd *readTx) movements(rec *entry) ([]api.Movement, error) {
	out := make([]api.Movement, len(rec.Movements))
	for i := range out {
		var err error
		if out[i], err = rd.movement(rec, i); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// movement renders the i-th movement of the record.
func (rd *readTx) movement(rec *entry, i int) (api.Movement, error) {
	m := &rec.Movements[i]
	b, err := rd.showID(rec.Balances[m.Balance].Balance)
	if err != nil {
		return api.Movement{}, err
	}
	out := api.Movement{ID: movementID(rd.p, rec.Seq, i), OrganizationID: b.OrganizationID, Environment: b.Environment,
		ProductID: b.ProductID, LocationID: b.LocationID, OwnerID: b.OwnerID, ChannelID: b.ChannelID, LotID: m.Lot,
		Operation: m.Op, InventoryState: api.States[m.State], Quantity: m.Delta,
		UnitCode: rec.UnitCode, UnitQuantity: rec.UnitQuantity, BaseUnitCode: rec.BaseUnitCode,
		BalanceBefore: m.Before, BalanceAfter: m.Before + m.Delta,
		Reason: rec.Reason, ReferenceType: rec.ReferenceType, ReferenceID: rec.ReferenceID, Source: rec.Source,
		IdempotencyKey: rec.Key, Metadata: rec.Metadata, CreatedBy: rec.Operator, Actor: rec.Actor,
		Product: b.Product, Location: b.Location, Owner: b.Owner, Channel: b.Channel,
		Serials: make([]api.Serial, len(m.Serials)), CreatedAt: rec.At}
	if m.Metadata != nil {
		out.Metadata = m.Metadata
	}
	if m.Op == api.OpAssembleComponent || m.Op == api.OpDisassembleComponent {
		out.UnitCode, out.UnitQuantity, out.BaseUnitCode = "", 0, "" // which are the kit's
	}
	for j, s := range m.Serials {
		out.Serials[j] = rec.Serials[s]
	}
	if m.Lot != (api.ID{}) {
		l, err := lots.Shared(rd.r, m.Lot[:])
		if err != nil {
			return out, err
		}
		if l != nil {
			known := l.asOf(rec.Seq)
			out.Lot = &known
		}
	}
	return out, nil
}
