package stock

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// An annotation is the reason, reference and metadata of a direct stock change.
type annotation struct {
	reason, referenceType, referenceID string
	metadata                           api.Metadata
}

// beginDirect starts a direct stock change: it returns the full stock key, checks the
// BalanceAt version, and makes the balance the first one in the response.
func beginDirect(c *posting.Tx, at stored.StockKey, n annotation) (stored.StockKey, error) {
	at, err := c.StockKeyOf(at.Product, at.Location, at.Owner, at.Channel)
	if err != nil {
		return at, err
	}
	if err := c.MatchBalance(at); err != nil {
		return at, err
	}
	c.Entry.Reason, c.Entry.Metadata = n.reason, n.metadata
	c.Entry.ReferenceType, c.Entry.ReferenceID = n.referenceType, n.referenceID
	_, err = c.BalanceAt(at)
	return at, err
}

// requestedQuantity returns the quantity of a direct stock change: as given, or the
// number of serials. Serials, quantity and units must agree.
func requestedQuantity(c *posting.Tx, p *stored.Product, quantity *int64, serials int, unitCode string, unitQuantity *int64) (int64, error) {
	n := int64(serials)
	q := n
	if quantity != nil {
		q = *quantity
	}
	if (n > 0 || p.Tracking == api.TrackSerial) && n != q {
		return 0, posting.CountMismatch(n, q)
	}
	return q, checkUnitQuantity(c, p, &api.MoveStockInput{UnitInput: api.UnitInput{UnitCode: unitCode, UnitQuantity: unitQuantity}, Quantity: q})
}

func Receive(c *posting.Tx, in *api.ReceiveStockInput) error {
	p, err := c.ActiveProduct("productId", in.ProductID)
	if err != nil {
		return err
	}
	at, err := beginDirect(c, stored.StockKey{Product: in.ProductID, Location: in.LocationID, Owner: in.OwnerID, Channel: in.ChannelID}, annotation{in.Reason, in.ReferenceType, in.ReferenceID, in.Metadata})
	if err != nil {
		return err
	}
	q, err := requestedQuantity(c, p, in.Quantity, len(in.Serials), in.UnitCode, in.UnitQuantity)
	if err != nil {
		return err
	}
	lot, err := c.ReceiveLot(p, posting.LotInput{ID: in.LotID, Code: in.LotCode, Batch: in.BatchCode, ExpiresAt: in.ExpiresAt, Metadata: in.LotMetadata})
	if err != nil {
		return err
	}
	serials, err := c.NewSerials(p, at, lot, in.Serials)
	if err != nil {
		return err
	}
	return c.Post(posting.ReceiptRule(api.OpReceive, stored.Available), at, []posting.LotQuantity{{Lot: lot, Quantity: q, Serials: serials}}, nil)
}

func Return(c *posting.Tx, in *api.ReturnStockInput) error {
	p, err := c.Product("productId", in.ProductID)
	if err != nil {
		return err
	}
	at, err := beginDirect(c, stored.StockKey{Product: in.ProductID, Location: in.LocationID, Owner: in.OwnerID, Channel: in.ChannelID}, annotation{in.Reason, in.ReferenceType, in.ReferenceID, in.Metadata})
	if err != nil {
		return err
	}
	named, err := c.NamedSerials(p, in.SerialIDs, in.SerialNumbers)
	if err != nil {
		return err
	}
	q, err := requestedQuantity(c, p, in.Quantity, len(named), in.UnitCode, in.UnitQuantity)
	if err != nil {
		return err
	}
	parts, err := returnedLots(c, p, q, named, posting.LotInput{ID: in.LotID, Code: in.LotCode})
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
		s.Status, s.State, s.Holder, s.Away = api.InStock, state, api.ID{}, false
		s.LocationID, s.OwnerID, s.ChannelID = at.Location, at.Owner, at.Channel
	})
}

// returnedLots returns the stock of a return: serials in the lots they were issued
// from, or the quantity in the lot named.
func returnedLots(c *posting.Tx, p *stored.Product, q int64, named []*stored.Serial, in posting.LotInput) ([]posting.LotQuantity, error) {
	if len(named) == 0 {
		lot, err := c.ReceiveLot(p, in)
		return []posting.LotQuantity{{Lot: lot, Quantity: q}}, err
	}
	if in.ID != (api.ID{}) {
		if _, err := c.LotOf(p, in.ID); err != nil {
			return nil, err
		}
	}
	for _, s := range named {
		if s.Status != api.Consumed {
			return nil, c.SerialUnavailable(s, "consumed to be returned")
		}
		if in.ID != (api.ID{}) && s.LotID != in.ID {
			return nil, api.Fail(api.LotMismatch, api.Details{"serialNumber": s.SerialNumber, "lotId": s.LotID, "requested": in.ID},
				"Serial %s was issued from another lot. Omit the lot.", s.SerialNumber)
		}
	}
	return posting.GroupByLot(named), nil
}

// Reconcile posts the difference between the counted and the recorded quantity.
// A shortage is taken from available.
func Reconcile(c *posting.Tx, in *api.ReconcileStockInput) error {
	p, err := c.Product("productId", in.ProductID)
	if err != nil {
		return err
	}
	at, err := beginDirect(c, stored.StockKey{Product: in.ProductID, Location: in.LocationID, Owner: in.OwnerID, Channel: in.ChannelID}, annotation{in.Reason, in.ReferenceType, in.ReferenceID, in.Metadata})
	if err != nil {
		return err
	}
	b, err := c.BalanceAt(at)
	if err != nil {
		return err
	}
	recorded := b.Q[stored.OnHand]
	if in.LotID != (api.ID{}) {
		if _, err := c.LotOf(p, in.LotID); err != nil {
			return err
		}
		x, err := c.LotBalance(stored.LotBalanceKey{Balance: b.ID, Lot: in.LotID})
		if err != nil {
			return err
		}
		recorded = x.Q[stored.OnHand]
	}
	switch d := *in.CountedQuantity - recorded; {
	case d > 0:
		return c.Post(posting.ReconcileRule(+1), at, []posting.LotQuantity{{Lot: in.LotID, Quantity: d}}, nil)
	case d < 0:
		parts, err := c.PickLots(at, stored.Available, -d, posting.LotPolicy{Lot: in.LotID})
		if err != nil {
			return err
		}
		return c.Post(posting.ReconcileRule(-1), at, parts, nil)
	}
	return nil
}
