package stock

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// Receive receives stock without an inbound.
func Receive(c *posting.Tx, in *api.ReceiveStockInput) error {
	p, err := c.ActiveProduct("productId", in.ProductID)
	if err != nil {
		return err
	}

	at, err := begin(c, in.StockKey, in.Reference, in.Reason, in.Metadata)
	if err != nil {
		return err
	}

	q, err := requestedQuantity(c, p, in.Quantity, len(in.Serials), in.UnitInput)
	if err != nil {
		return err
	}

	lot, err := c.ReceiveLot(p, in.NewLot)
	if err != nil {
		return err
	}

	serials, err := c.NewSerials(p, at, lot, in.Serials)
	if err != nil {
		return err
	}

	return c.Post(posting.ReceiptRule(api.OpReceive, stored.Available), at,
		[]posting.LotQuantity{{Lot: lot, Quantity: q, Serials: serials}}, nil)
}

// Return takes back stock that was shipped, consumed or written off.
func Return(c *posting.Tx, in *api.ReturnStockInput) error {
	p, err := c.Product("productId", in.ProductID)
	if err != nil {
		return err
	}

	at, err := begin(c, in.StockKey, in.Reference, in.Reason, in.Metadata)
	if err != nil {
		return err
	}

	named, err := c.NamedSerials(p, in.SerialChoice)
	if err != nil {
		return err
	}

	q, err := requestedQuantity(c, p, in.Quantity, len(named), in.UnitInput)
	if err != nil {
		return err
	}

	parts, err := returnedLots(c, p, q, named, api.NewLot{LotID: in.LotID, LotCode: in.LotCode})
	if err != nil {
		return err
	}

	state := stored.Available
	if in.InventoryState != "" {
		state = api.State(in.InventoryState).Index()
	}
	if err := c.Post(posting.ReceiptRule(api.OpReturnStock, state), at, parts, nil); err != nil {
		return err
	}

	return c.UpdateSerials(parts, func(s *stored.Serial) {
		s.Status, s.State, s.Holder, s.Away = api.InStock, state, api.NoID, false
		s.LocationID, s.OwnerID, s.ChannelID = at.Location, at.Owner, at.Channel
	})
}

// returnedLots returns the stock of a return: serials in the lots they were issued
// from, or the quantity in the lot named.
func returnedLots(
	c *posting.Tx,
	p *stored.Product,
	q int64,
	named []*stored.Serial,
	in api.NewLot,
) ([]posting.LotQuantity, error) {
	if len(named) == 0 {
		lot, err := c.ReceiveLot(p, in)
		return []posting.LotQuantity{{Lot: lot, Quantity: q}}, err
	}
	if in.LotID != api.NoID {
		if _, err := c.LotOf(p, in.LotID); err != nil {
			return nil, err
		}
	}

	for _, s := range named {
		if s.Status != api.Consumed && s.Status != api.WrittenOff {
			return nil, c.SerialUnavailable(s, "consumed or written off to be returned")
		}
		if in.LotID != api.NoID && s.LotID != in.LotID {
			return nil, api.Fail(api.LotMismatch,
				api.Details{"serialNumber": s.SerialNumber, "lotId": s.LotID, "requested": in.LotID},
				"Serial %s was removed from another lot. Omit the lot.", s.SerialNumber)
		}
	}

	return posting.GroupByLot(named), nil
}

// Reconcile posts the difference between the counted and the recorded quantity.
// A shortage is taken from available. A count without a difference adds a movement of 0, as
// the trace of the count.
func Reconcile(c *posting.Tx, in *api.ReconcileStockInput) error {
	p, err := c.Product("productId", in.ProductID)
	if err != nil {
		return err
	}

	at, err := begin(c, in.StockKey, in.Reference, in.Reason, in.Metadata)
	if err != nil {
		return err
	}

	b, err := c.BalanceAt(at)
	if err != nil {
		return err
	}

	recorded := b.Q[stored.OnHand]
	if in.LotID != api.NoID {
		if _, err := c.LotOf(p, in.LotID); err != nil {
			return err
		}
		x, err := c.LotBalance(stored.LotBalanceKey{Balance: b.ID, Lot: in.LotID})
		if err != nil {
			return err
		}
		recorded = x.Q[stored.OnHand]
	}

	d := *in.CountedQuantity - recorded
	parts := []posting.LotQuantity{{Lot: in.LotID, Quantity: d}}
	switch {
	case d == 0:
		return c.Post(posting.ReconcileTrace, at, parts, nil)
	case d > 0:
		return c.Post(posting.ReconcileRule(+1), at, parts, nil)
	}

	if parts, err = c.PickLots(at, stored.Available, -d, posting.LotPolicy{Lot: in.LotID}); err != nil {
		return err
	}

	return c.Post(posting.ReconcileRule(-1), at, parts, nil)
}
