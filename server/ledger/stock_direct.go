package ledger

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
)

func bindDirectStock(b map[string]binding) {
	writes(b, api.ReceiveStock, (*writeTx).receiveStock, showStock)
	writes(b, api.ReturnStock, (*writeTx).returnStock, showStock)
	writes(b, api.FulfillStock, (*writeTx).fulfillStock, showStock)
	writes(b, api.WriteOffStock, (*writeTx).writeOffStock, showStock)
	writes(b, api.ReconcileStock, (*writeTx).reconcileStock, showStock)
}

// An annotation is the reason, reference and metadata of a direct stock change.
type annotation struct {
	reason, referenceType, referenceID string
	metadata                           api.Metadata
}

// beginDirect starts a direct stock change: it returns the full stock key, checks the
// balance version, and makes the balance the first one in the response.
func (c *writeTx) beginDirect(at stored.StockKey, n annotation) (stored.StockKey, error) {
	at, err := c.StockKeyOf(at.Product, at.Location, at.Owner, at.Channel)
	if err != nil {
		return at, err
	}
	if err := c.matchBalance(at); err != nil {
		return at, err
	}
	c.entry.Reason, c.entry.Metadata = n.reason, n.metadata
	c.entry.ReferenceType, c.entry.ReferenceID = n.referenceType, n.referenceID
	_, err = c.balance(at)
	return at, err
}

// requestedQuantity returns the quantity of a direct stock change: as given, or the
// number of serials. Serials, quantity and units must agree.
func (c *writeTx) requestedQuantity(p *stored.Product, quantity *int64, serials int, unitCode string, unitQuantity *int64) (int64, error) {
	n := int64(serials)
	q := n
	if quantity != nil {
		q = *quantity
	}
	if (n > 0 || p.Tracking == api.TrackSerial) && n != q {
		return 0, countMismatch(n, q)
	}
	return q, c.checkUnitQuantity(p, &api.MoveStockInput{UnitInput: api.UnitInput{UnitCode: unitCode, UnitQuantity: unitQuantity}, Quantity: q})
}

func (c *writeTx) receiveStock(in *api.ReceiveStockInput) error {
	p, err := c.ActiveProduct("productId", in.ProductID)
	if err != nil {
		return err
	}
	at, err := c.beginDirect(stored.StockKey{Product: in.ProductID, Location: in.LocationID, Owner: in.OwnerID, Channel: in.ChannelID}, annotation{in.Reason, in.ReferenceType, in.ReferenceID, in.Metadata})
	if err != nil {
		return err
	}
	q, err := c.requestedQuantity(p, in.Quantity, len(in.Serials), in.UnitCode, in.UnitQuantity)
	if err != nil {
		return err
	}
	lot, err := c.receiveLot(p, lotInput{in.LotID, in.LotCode, in.BatchCode, in.ExpiresAt, in.LotMetadata})
	if err != nil {
		return err
	}
	serials, err := c.newSerials(p, at, lot, in.Serials)
	if err != nil {
		return err
	}
	return c.post(receiptRule(api.OpReceive, available), at, []lotQuantity{{lot, q, serials}}, nil)
}

func (c *writeTx) returnStock(in *api.ReturnStockInput) error {
	p, err := c.Product("productId", in.ProductID)
	if err != nil {
		return err
	}
	at, err := c.beginDirect(stored.StockKey{Product: in.ProductID, Location: in.LocationID, Owner: in.OwnerID, Channel: in.ChannelID}, annotation{in.Reason, in.ReferenceType, in.ReferenceID, in.Metadata})
	if err != nil {
		return err
	}
	named, err := c.namedSerials(p, in.SerialIDs, in.SerialNumbers)
	if err != nil {
		return err
	}
	q, err := c.requestedQuantity(p, in.Quantity, len(named), in.UnitCode, in.UnitQuantity)
	if err != nil {
		return err
	}
	parts, err := c.returnedLots(p, q, named, lotInput{ID: in.LotID, Code: in.LotCode})
	if err != nil {
		return err
	}
	state := available
	if in.InventoryState != "" {
		state = api.State(in.InventoryState).Index()
	}
	if err := c.post(receiptRule(api.OpReturnStock, state), at, parts, nil); err != nil {
		return err
	}
	return c.updateSerials(parts, func(s *stored.Serial) {
		s.Status, s.State, s.Holder, s.Away = api.InStock, state, api.ID{}, false
		s.LocationID, s.OwnerID, s.ChannelID = at.Location, at.Owner, at.Channel
	})
}

// returnedLots returns the stock of a return: serials in the lots they were issued
// from, or the quantity in the lot named.
func (c *writeTx) returnedLots(p *stored.Product, q int64, named []*stored.Serial, in lotInput) ([]lotQuantity, error) {
	if len(named) == 0 {
		lot, err := c.receiveLot(p, in)
		return []lotQuantity{{Lot: lot, Quantity: q}}, err
	}
	if in.ID != (api.ID{}) {
		if _, err := c.LotOf(p, in.ID); err != nil {
			return nil, err
		}
	}
	for _, s := range named {
		if s.Status != api.Consumed {
			return nil, c.serialUnavailable(s, "consumed to be returned")
		}
		if in.ID != (api.ID{}) && s.LotID != in.ID {
			return nil, api.Fail(api.LotMismatch, api.Details{"serialNumber": s.SerialNumber, "lotId": s.LotID, "requested": in.ID},
				"Serial %s was issued from another lot. Omit the lot.", s.SerialNumber)
		}
	}
	return groupByLot(named), nil
}

// reconcileStock posts the difference between the counted and the recorded quantity.
// A shortage is taken from available.
func (c *writeTx) reconcileStock(in *api.ReconcileStockInput) error {
	p, err := c.Product("productId", in.ProductID)
	if err != nil {
		return err
	}
	at, err := c.beginDirect(stored.StockKey{Product: in.ProductID, Location: in.LocationID, Owner: in.OwnerID, Channel: in.ChannelID}, annotation{in.Reason, in.ReferenceType, in.ReferenceID, in.Metadata})
	if err != nil {
		return err
	}
	b, err := c.balance(at)
	if err != nil {
		return err
	}
	recorded := b.Q[onHand]
	if in.LotID != (api.ID{}) {
		if _, err := c.LotOf(p, in.LotID); err != nil {
			return err
		}
		x, err := c.lotBalance(stored.LotBalanceKey{Balance: b.ID, Lot: in.LotID})
		if err != nil {
			return err
		}
		recorded = x.Q[onHand]
	}
	switch d := *in.CountedQuantity - recorded; {
	case d > 0:
		return c.post(reconcileRule(+1), at, []lotQuantity{{Lot: in.LotID, Quantity: d}}, nil)
	case d < 0:
		parts, err := c.pickLots(at, available, -d, lotPolicy{lot: in.LotID})
		if err != nil {
			return err
		}
		return c.post(reconcileRule(-1), at, parts, nil)
	}
	return nil
}
