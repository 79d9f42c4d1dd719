package document

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// openTransfer reads the transfer of a write, which must be open.
func openTransfer(c *posting.Tx, id api.ID) (*stored.Transfer, error) {
	doc, err := stored.Find(c.Reader, stored.Transfers, "transfer", id)
	if err == nil && doc.Status != api.TransferInTransit {
		details := api.Details{
			"status":   doc.Status,
			"quantity": doc.Quantity,
			"shipped":  doc.ShippedQuantity,
			"received": doc.ReceivedQuantity,
		}

		return nil, api.Fail(api.TransferNotOpen, c.WithLastChange(doc.Last, details),
			"The transfer is %v (%d of %d shipped, %d received) and cannot change.",
			doc.Status, doc.ShippedQuantity, doc.Quantity, doc.ReceivedQuantity)
	}

	return doc, err
}

// saveTransfer stores the document, also in the journal entry.
func saveTransfer(c *posting.Tx, doc *stored.Transfer) error {
	doc.UpdatePending()
	doc.UpdatedAt = c.Now
	c.SetReference(doc.ReferenceType, doc.ReferenceID, "transfer", doc.ID)
	return posting.SaveDocument(c, stored.Transfers, journal.TransferKind, doc.ID, doc)
}

// CreateTransfer plans a transfer. It neither moves nor holds stock.
func CreateTransfer(c *posting.Tx, in *api.CreateTransferInput) error {
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

	at, err := c.StockKeyOf(api.StockKey{
		ProductID:  in.ProductID,
		LocationID: in.SourceLocationID,
		OwnerID:    in.OwnerID,
		ChannelID:  in.ChannelID,
	})
	if err != nil {
		return err
	}

	return saveTransfer(c, &stored.Transfer{Revision: journal.Revision{Seq: c.Entry.Seq}, Transfer: api.Transfer{
		ID:                    c.NewID("transfer"),
		ProductID:             at.Product,
		SourceLocationID:      at.Location,
		DestinationLocationID: in.DestinationLocationID,
		OwnerID:               at.Owner,
		ChannelID:             at.Channel,
		Quantity:              in.Quantity,
		Status:                api.TransferInTransit,
		ReferenceType:         in.ReferenceType,
		ReferenceID:           in.ReferenceID,
		Metadata:              in.Metadata,
		CreatedBy:             c.Entry.Operator,
		Actor:                 c.Entry.Actor,
		CreatedAt:             c.Now,
	}})
}

// CancelTransfer cancels a transfer; stock in transit returns to the source.
func CancelTransfer(c *posting.Tx, in *api.TransferInput) error {
	doc, err := openTransfer(c, in.TransferID)
	if err != nil {
		return err
	}

	parts, err := takeAllInTransit(c, doc, doc.Source())
	if err != nil {
		return err
	}

	if len(parts) > 0 {
		if err := c.Post(posting.TransferReturn, doc.Source(), parts, nil); err != nil {
			return err
		}
		if err := c.Post(posting.TransferReturnIncoming, doc.Destination(), parts, nil); err != nil {
			return err
		}
		if err := c.UpdateSerials(parts, putInStock(doc.SourceLocationID)); err != nil {
			return err
		}
	}

	doc.Status, doc.CancelledAt = api.TransferCancelled, &c.Now

	return saveTransfer(c, doc)
}

// CloseTransfer closes a transfer short: stock in transit is lost, and its serials are
// written off.
func CloseTransfer(c *posting.Tx, in *api.CloseTransferInput) error {
	doc, err := openTransfer(c, in.TransferID)
	if err != nil {
		return err
	}

	parts, err := takeAllInTransit(c, doc, doc.Destination())
	if err != nil {
		return err
	}

	if len(parts) > 0 {
		if err := c.Post(posting.TransferClose, doc.Destination(), parts, nil); err != nil {
			return err
		}
		writeOff := func(s *stored.Serial) { s.Status, s.Away, s.Holder = api.WrittenOff, false, api.NoID }
		if err := c.UpdateSerials(parts, writeOff); err != nil {
			return err
		}
	}

	c.Entry.Reason = in.Reason
	doc.Status, doc.ClosedAt, doc.CloseReason = api.TransferClosed, &c.Now, in.Reason

	return saveTransfer(c, doc)
}

// putInStock returns a change that puts a serial in stock at a location.
func putInStock(location api.ID) func(*stored.Serial) {
	return func(s *stored.Serial) {
		s.Status, s.Away, s.Holder, s.LocationID, s.State = api.InStock, false, api.NoID, location, stored.Available
	}
}
