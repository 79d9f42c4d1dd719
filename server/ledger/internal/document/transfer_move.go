package document

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// shippableLots returns the stock to ship: the named serials, the named lot, or by the
// default lot policy, never from an expired lot.
func shippableLots(
	c *posting.Tx,
	p *stored.Product,
	at stored.StockKey,
	q int64,
	lot api.ID,
	named []*stored.Serial,
) ([]posting.LotQuantity, error) {
	for _, s := range named {
		if err := c.CheckInStock(s, at, lot); err != nil {
			return nil, err
		}
	}

	parts := posting.GroupByLot(named)
	if len(named) == 0 {
		var err error
		if parts, err = c.PickLots(at, stored.Available, q,
			posting.LotPolicy{Lot: lot, SkipExpired: true}); err != nil {
			return nil, err
		}
	}

	for _, part := range parts {
		if part.Lot == api.NoID {
			continue
		}
		if err := c.CheckLotUsable(p, at, part.Lot, part.Quantity); err != nil {
			return nil, err
		}
	}

	if len(named) > 0 {
		return parts, nil
	}

	return parts, c.AddOldestSerials(at, parts)
}

// ShipTransfer takes available stock from the source. Until received it is incoming
// at the destination, with its lots.
func ShipTransfer(c *posting.Tx, in *api.MoveTransferInput) error {
	doc, p, err := readTransfer(c, in)
	if err != nil {
		return err
	}

	c.Entry.Metadata = in.Metadata
	if err := c.MatchBalance(doc.Source()); err != nil {
		return err
	}

	named, err := c.NamedSerials(p, api.SerialChoice{SerialIDs: in.SerialIDs, SerialNumbers: in.SerialNumbers})
	if err != nil {
		return err
	}

	pending := doc.PendingShipmentQuantity
	if pending == 0 {
		return api.Fail(api.NothingPending, api.Details{"quantity": doc.Quantity, "shipped": doc.ShippedQuantity},
			"All %d of the transfer are shipped. Receive them, or create a new transfer for more.", doc.Quantity)
	}

	q, err := posting.QuantityOf(in.Quantity, named, pending)
	if err != nil {
		return err
	}
	if q > pending {
		return api.Fail(api.QuantityExceedsPending, api.Details{"pending": pending, "requested": q},
			"Only %d of %d left to ship, but %d requested. Ship at most %d.", pending, doc.Quantity, q, pending)
	}

	parts, err := shippableLots(c, p, doc.Source(), q, in.LotID, named)
	if err != nil {
		return err
	}
	if err := c.Post(posting.TransferOut, doc.Source(), parts, nil); err != nil {
		return err
	}
	if err := c.Post(posting.TransferOutIncoming, doc.Destination(), parts, nil); err != nil {
		return err
	}
	if err := c.UpdateSerials(parts,
		func(s *stored.Serial) { s.Status, s.Away, s.Holder = api.Packed, true, doc.ID }); err != nil {
		return err
	}

	addInTransit(doc, parts)
	doc.ShippedQuantity += q
	doc.ShippedAt = &c.Now

	return saveTransfer(c, doc)
}

// ReceiveTransfer adds received stock to the destination.
func ReceiveTransfer(c *posting.Tx, in *api.MoveTransferInput) error {
	doc, p, err := readTransfer(c, in)
	if err != nil {
		return err
	}

	c.Entry.Metadata = in.Metadata
	if err := c.MatchBalance(doc.Destination()); err != nil {
		return err
	}

	named, err := c.NamedSerials(p, api.SerialChoice{SerialIDs: in.SerialIDs, SerialNumbers: in.SerialNumbers})
	if err != nil {
		return err
	}

	pending := doc.PendingReceiveQuantity
	if pending == 0 {
		return api.Fail(api.NothingPending,
			api.Details{"quantity": doc.Quantity, "shipped": doc.ShippedQuantity, "received": doc.ReceivedQuantity},
			"Nothing in transit: %d of %d shipped, %d received. Ship more first.", doc.ShippedQuantity, doc.Quantity,
			doc.ReceivedQuantity)
	}

	if in.LotID != api.NoID {
		if pending, err = pendingOf(c, doc, p, in.LotID); err != nil {
			return err
		}
	}

	q, err := posting.QuantityOf(in.Quantity, named, pending)
	if err != nil {
		return err
	}
	if q > pending {
		return api.Fail(api.QuantityExceedsPending, api.Details{"pending": pending, "requested": q},
			"Only %d in transit, but %d to receive. Receive at most %d.", pending, q, pending)
	}

	parts, err := takeInTransit(c, doc, q, in.LotID, named)
	if err != nil {
		return err
	}
	if err := c.Post(posting.TransferIn, doc.Destination(), parts, nil); err != nil {
		return err
	}
	if err := c.UpdateSerials(parts, putInStock(doc.DestinationLocationID)); err != nil {
		return err
	}

	doc.ReceivedQuantity += q
	doc.ReceivedAt = &c.Now
	if doc.ReceivedQuantity == doc.Quantity {
		doc.Status = api.TransferReceived
	}

	return saveTransfer(c, doc)
}

// readTransfer reads the open transfer of a write and its product.
func readTransfer(c *posting.Tx, in *api.MoveTransferInput) (*stored.Transfer, *stored.Product, error) {
	doc, err := openTransfer(c, in.TransferID)
	if err != nil {
		return nil, nil, err
	}
	p, err := c.Product("productId", doc.ProductID)
	return doc, p, err
}
