package ledger

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
)

func bindOutbounds(b map[string]binding) {
	writes(b, api.CreateOutbound, (*writeTx).createOutbound, stored.ShowOutbound)
	writes(b, api.AllocateOutbound, (*writeTx).allocateOutbound, stored.ShowOutbound)
	writes(b, api.PickOutbound, (*writeTx).pickOutbound, stored.ShowOutbound)
	writes(b, api.PackOutbound, (*writeTx).packOutbound, stored.ShowOutbound)
	writes(b, api.ShipOutbound, (*writeTx).shipOutbound, stored.ShowOutbound)
	writes(b, api.FulfillOutbound, (*writeTx).fulfillOutbound, stored.ShowOutbound)
	writes(b, api.CancelOutbound, (*writeTx).cancelOutbound, stored.ShowOutbound)
	reads(b, api.GetOutbound, (*stored.Tx).GetOutbound)
	reads(b, api.ListOutbounds, (*stored.Tx).ListOutbounds)
}

// openOutbound reads the outbound of a write, which must be open, and checks its
// version.
func (c *writeTx) openOutbound(id api.ID) (*stored.Outbound, error) {
	doc, err := stored.Outbounds.Get(c.Reader, id[:])
	if err != nil {
		return nil, err
	}
	if doc == nil {
		return nil, stored.NotFound("outbound", "outboundId", id)
	}
	if err := c.checkVersion(doc.Version); err != nil {
		return nil, err
	}
	if !doc.Status.Open() {
		return nil, api.Fail(api.OutboundNotOpen, progressDetails(doc),
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
func (c *writeTx) saveOutbound(doc *stored.Outbound) error {
	for i := range doc.Lines {
		list := doc.Lines[i].Serials
		for j := range list {
			s, err := c.serial(list[j].SerialID)
			if err != nil {
				return err
			}
			list[j].Serial = s.Serial
		}
	}
	doc.UpdateTotals()
	doc.Version++
	doc.UpdatedAt = c.Now
	c.setReference(doc.ReferenceType, doc.ReferenceID, "outbound", doc.ID)
	return saveDocument(c, stored.Outbounds, journal.OutboundKind, doc.ID, doc)
}
