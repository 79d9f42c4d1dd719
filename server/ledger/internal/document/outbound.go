package document

import (
	"encoding/binary"
	"fmt"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// openOutbound reads the outbound of a write, which must be open, and checks its
// version.
func openOutbound(c *posting.Tx, id api.ID) (*stored.Outbound, error) {
	doc, err := stored.Find(c.Reader, stored.Outbounds, "outbound", id)
	if err != nil {
		return nil, err
	}
	if err := c.CheckVersion(doc.Version); err != nil {
		return nil, err
	}
	if !doc.Status.Open() {
		return nil, api.Fail(api.OutboundNotOpen, c.WithLastChange(doc.Last, progressDetails(doc)),
			"The outbound is %v (%d of %d fulfilled) and cannot change.",
			doc.Status, doc.FulfilledQuantity, doc.RequestedQuantity)
	}

	return doc, nil
}

// progressDetails returns the error details about the progress of an outbound.
func progressDetails(doc *stored.Outbound) api.Details {
	return api.Details{"status": doc.Status, "requested": doc.RequestedQuantity, "allocated": doc.AllocatedQuantity,
		"picked": doc.PickedQuantity, "packed": doc.PackedQuantity, "fulfilled": doc.FulfilledQuantity}
}

// saveOutbound stores the document, also in the journal entry.
func saveOutbound(c *posting.Tx, doc *stored.Outbound) error {
	for i := range doc.Lines {
		list := doc.Lines[i].Serials
		for j := range list {
			s, err := c.Serial(list[j].SerialID)
			if err != nil {
				return err
			}
			list[j].Serial = s.Serial
		}
	}

	doc.UpdateTotals()
	doc.Version++
	doc.UpdatedAt = c.Now
	c.SetReference(doc.ReferenceType, doc.ReferenceID, "outbound", doc.ID)

	return posting.SaveDocument(c, stored.Outbounds, journal.OutboundKind, doc.ID, doc)
}

// CreateOutbound creates an outbound, and allocates what is available to each line in turn.
func CreateOutbound(c *posting.Tx, in *api.CreateOutboundInput) error {
	lines, field := in.Lines, func(i int) string { return fmt.Sprintf("lines[%d].productId", i) }
	if len(lines) == 0 {
		lines = []api.OutboundLineInput{{ProductID: in.ProductID, RequestedQuantity: *in.RequestedQuantity}}
		field = func(int) string { return "productId" }
	}

	sum := int64(0)
	for i, l := range lines {
		if _, err := c.ActiveProduct(field(i), l.ProductID); err != nil {
			return err
		}
		sum += l.RequestedQuantity
	}

	if sum > api.MaxQuantity {
		return api.Fail(api.QuantityTooLarge, api.Details{"requested": sum},
			"The lines request %d in total; an outbound can have at most %d. Split it.", sum, int64(api.MaxQuantity))
	}

	at, err := c.StockKeyOf(api.StockKey{
		ProductID:  lines[0].ProductID,
		LocationID: in.LocationID,
		OwnerID:    in.OwnerID,
		ChannelID:  in.ChannelID,
	})
	if err != nil {
		return err
	}
	if len(lines) == 1 {
		if err := c.MatchBalance(at); err != nil {
			return err
		}
	}

	doc := &stored.Outbound{
		Revision: journal.Revision{Seq: c.Entry.Seq},
		Holds:    make([][]stored.Hold, len(lines)),
		Outbound: api.Outbound{
			ID:                c.NewID("outbound"),
			ProductID:         at.Product,
			LocationID:        at.Location,
			OwnerID:           at.Owner,
			ChannelID:         at.Channel,
			CustomerName:      in.CustomerName,
			ExternalOrderType: in.ExternalOrderType,
			ExternalOrderID:   in.ExternalOrderID,
			ReferenceType:     in.ReferenceType,
			ReferenceID:       in.ReferenceID,
			ExpectedShipAt:    in.ExpectedShipAt,
			Metadata:          in.Metadata,
			CreatedBy:         c.Entry.Operator,
			Actor:             c.Entry.Actor,
			CreatedAt:         c.Now,
		},
	}

	for i, l := range lines {
		doc.Lines = append(doc.Lines, api.OutboundLine{
			ID:         journal.Derive(c.Partition, "outboundLine", doc.ID[:], binary.AppendUvarint(nil, uint64(i))),
			OutboundID: doc.ID,
			ProductID:  l.ProductID,
			LocationID: at.Location,
			OwnerID:    at.Owner,
			ChannelID:  at.Channel,
			Progress:   api.Progress{RequestedQuantity: l.RequestedQuantity},
			Serials:    []api.OutboundLineSerial{},
			CreatedAt:  c.Now,
			UpdatedAt:  c.Now,
		})

		if _, err := allocateSome(c, doc, i, l.RequestedQuantity, posting.LotPolicy{SkipExpired: true}); err != nil {
			return err
		}
	}

	return saveOutbound(c, doc)
}
