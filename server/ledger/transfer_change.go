package ledger

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
)

// createTransfer plans a transfer. It neither moves nor holds stock.
func (c *writeTx) createTransfer(in *api.CreateTransferInput) error {
	if _, err := c.ActiveProduct("productId", in.ProductID); err != nil {
		return err
	}
	for _, x := range []struct {
		field string
		id    api.ID
	}{{"sourceLocationId", in.SourceLocationID}, {"destinationLocationId", in.DestinationLocationID}} {
		if location, err := stored.Locations.Shared(c.Reader, x.id[:]); err != nil {
			return err
		} else if location == nil {
			return stored.NotFound("location", x.field, x.id)
		}
	}
	at, err := c.StockKeyOf(in.ProductID, in.SourceLocationID, in.OwnerID, in.ChannelID)
	if err != nil {
		return err
	}
	return c.saveTransfer(&stored.Transfer{Revision: journal.Revision{Seq: c.entry.Seq}, Transfer: api.Transfer{ID: c.newID("transfer"), ProductID: at.Product, SourceLocationID: at.Location,
		DestinationLocationID: in.DestinationLocationID, OwnerID: at.Owner, ChannelID: at.Channel, Quantity: in.Quantity,
		Status: api.TransferInTransit, ReferenceType: in.ReferenceType, ReferenceID: in.ReferenceID, Metadata: in.Metadata,
		CreatedBy: c.entry.Operator, Actor: c.entry.Actor, CreatedAt: c.Now}})
}

// shipTransfer takes available stock from the source. Until received it is incoming
// at the destination, with its lots.
func (c *writeTx) shipTransfer(in *api.MoveTransferInput) error {
	doc, p, err := c.transferOf(in)
	if err != nil {
		return err
	}
	if err := c.matchBalance(doc.Source()); err != nil {
		return err
	}
	named, err := c.namedSerials(p, in.SerialIDs, in.SerialNumbers)
	if err != nil {
		return err
	}
	pending := doc.PendingShipmentQuantity
	if pending == 0 {
		return api.Fail(api.NothingPending, api.Details{"quantity": doc.Quantity, "shipped": doc.ShippedQuantity},
			"All %d of the transfer are shipped. Receive them, or create a new transfer for more.", doc.Quantity)
	}
	q, err := quantityOf(in.Quantity, named, pending)
	if err != nil {
		return err
	}
	if q > pending {
		return api.Fail(api.QuantityExceedsPending, api.Details{"pending": pending, "requested": q},
			"Only %d of %d left to ship, but %d requested. Ship at most %d.", pending, doc.Quantity, q, pending)
	}
	parts, err := c.shippableLots(p, doc.Source(), q, in.LotID, named)
	if err != nil {
		return err
	}
	if err := c.post(transferOut, doc.Source(), parts, nil); err != nil {
		return err
	}
	if err := c.post(transferOutIncoming, doc.Destination(), parts, nil); err != nil {
		return err
	}
	if err := c.updateSerials(parts, func(s *stored.Serial) { s.Status, s.Away, s.Holder = api.Packed, true, doc.ID }); err != nil {
		return err
	}
	addInTransit(doc, parts)
	doc.ShippedQuantity += q
	doc.ShippedAt = &c.Now
	return c.saveTransfer(doc)
}

// receiveTransfer adds received stock to the destination.
func (c *writeTx) receiveTransfer(in *api.MoveTransferInput) error {
	doc, p, err := c.transferOf(in)
	if err != nil {
		return err
	}
	if err := c.matchBalance(doc.Destination()); err != nil {
		return err
	}
	named, err := c.namedSerials(p, in.SerialIDs, in.SerialNumbers)
	if err != nil {
		return err
	}
	pending := doc.PendingReceiveQuantity
	if pending == 0 {
		return api.Fail(api.NothingPending, api.Details{"quantity": doc.Quantity, "shipped": doc.ShippedQuantity, "received": doc.ReceivedQuantity},
			"Nothing in transit: %d of %d shipped, %d received. Ship more first.", doc.ShippedQuantity, doc.Quantity, doc.ReceivedQuantity)
	}
	if in.LotID != (api.ID{}) {
		if pending, err = c.pendingOf(doc, p, in.LotID); err != nil {
			return err
		}
	}
	q, err := quantityOf(in.Quantity, named, pending)
	if err != nil {
		return err
	}
	if q > pending {
		return api.Fail(api.QuantityExceedsPending, api.Details{"pending": pending, "requested": q},
			"Only %d in transit, but %d to receive. Receive at most %d.", pending, q, pending)
	}
	parts, err := c.takeInTransit(doc, q, in.LotID, named)
	if err != nil {
		return err
	}
	if err := c.post(transferIn, doc.Destination(), parts, nil); err != nil {
		return err
	}
	if err := c.updateSerials(parts, putInStock(doc.DestinationLocationID)); err != nil {
		return err
	}
	doc.ReceivedQuantity += q
	doc.ReceivedAt = &c.Now
	if doc.ReceivedQuantity == doc.Quantity {
		doc.Status = api.TransferReceived
	}
	return c.saveTransfer(doc)
}

// cancelTransfer cancels a transfer; stock in transit returns to the source.
func (c *writeTx) cancelTransfer(in *api.TransferInput) error {
	doc, err := c.openTransfer(in.TransferID)
	if err != nil {
		return err
	}
	if err := c.matchBalance(doc.Source()); err != nil {
		return err
	}
	// The response shows the source's balance even if it does not change.
	if _, err := c.balance(doc.Source()); err != nil {
		return err
	}
	parts, err := c.takeInTransit(doc, doc.PendingReceiveQuantity, api.ID{}, nil)
	if err != nil {
		return err
	}
	if len(parts) > 0 {
		if err := c.post(transferReturn, doc.Source(), parts, nil); err != nil {
			return err
		}
		if err := c.post(transferReturnIncoming, doc.Destination(), parts, nil); err != nil {
			return err
		}
		if err := c.updateSerials(parts, putInStock(doc.SourceLocationID)); err != nil {
			return err
		}
	}
	doc.Status, doc.CancelledAt = api.TransferCancelled, &c.Now
	return c.saveTransfer(doc)
}

// closeTransfer closes a transfer short: stock in transit is lost, and its serials are
// written off.
func (c *writeTx) closeTransfer(in *api.CloseTransferInput) error {
	doc, err := c.openTransfer(in.TransferID)
	if err != nil {
		return err
	}
	if err := c.matchBalance(doc.Destination()); err != nil {
		return err
	}
	if _, err := c.balance(doc.Destination()); err != nil {
		return err
	}
	parts, err := c.takeInTransit(doc, doc.PendingReceiveQuantity, api.ID{}, nil)
	if err != nil {
		return err
	}
	if len(parts) > 0 {
		if err := c.post(transferClose, doc.Destination(), parts, nil); err != nil {
			return err
		}
		writeOff := func(s *stored.Serial) { s.Status, s.Away, s.Holder = api.WrittenOff, false, api.ID{} }
		if err := c.updateSerials(parts, writeOff); err != nil {
			return err
		}
	}
	c.entry.Reason = in.Reason
	doc.Status, doc.ClosedAt, doc.CloseReason = api.TransferClosed, &c.Now, in.Reason
	return c.saveTransfer(doc)
}

// transferOf reads the open transfer of a write and its product.
func (c *writeTx) transferOf(in *api.MoveTransferInput) (*stored.Transfer, *stored.Product, error) {
	doc, err := c.openTransfer(in.TransferID)
	if err != nil {
		return nil, nil, err
	}
	p, err := c.Product("productId", doc.ProductID)
	return doc, p, err
}
