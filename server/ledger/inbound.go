package ledger

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
)

func bindInbounds(b map[string]binding) {
	writes(b, api.CreateInbound, (*writeTx).createInbound, stored.ShowInbound)
	writes(b, api.ReceiveInbound, (*writeTx).receiveInbound, stored.ShowInbound)
	writes(b, api.CancelInbound, (*writeTx).cancelInbound, stored.ShowInbound)
	writes(b, api.CloseInbound, (*writeTx).closeInbound, stored.ShowInbound)
	reads(b, api.GetInbound, (*stored.Tx).GetInbound)
	reads(b, api.ListInbounds, (*stored.Tx).ListInbounds)
}

func (c *writeTx) createInbound(in *api.CreateInboundInput) error {
	if _, err := c.ActiveProduct("productId", in.ProductID); err != nil {
		return err
	}
	at, err := c.StockKeyOf(in.ProductID, in.LocationID, in.OwnerID, in.ChannelID)
	if err != nil {
		return err
	}
	doc := stored.NewInbound(in, at)
	doc.ID, doc.Seq = c.newID("inbound"), c.entry.Seq
	doc.CreatedBy, doc.Actor, doc.CreatedAt = c.entry.Operator, c.entry.Actor, c.Now
	if err := c.matchBalance(at); err != nil {
		return err
	}
	if err := c.post(inboundExpect, at, withoutLot(in.ExpectedQuantity), nil); err != nil {
		return err
	}
	return c.saveInbound(doc)
}

func (c *writeTx) receiveInbound(in *api.ReceiveInboundInput) error {
	doc, err := c.openInbound(in.InboundID)
	if err != nil {
		return err
	}
	p, err := c.Product("productId", doc.ProductID)
	if err != nil {
		return err
	}
	if err := c.checkReceivable(doc, in.Quantity); err != nil {
		return err
	}
	if n := int64(len(in.Serials)); (n > 0 || p.Tracking == api.TrackSerial) && n != in.Quantity {
		return countMismatch(n, in.Quantity)
	}
	lot, err := c.receiveLot(p, lotInput{in.LotID, in.LotCode, in.BatchCode, in.ExpiresAt, in.LotMetadata})
	if err != nil {
		return err
	}
	at := doc.StockKey()
	serials, err := c.newSerials(p, at, lot, in.Serials)
	if err != nil {
		return err
	}
	c.entry.Reason, c.entry.Metadata = in.Reason, in.Metadata
	if err := c.post(inboundUnexpect, at, withoutLot(min(in.Quantity, doc.Pending())), nil); err != nil {
		return err
	}
	if err := c.post(inboundReceive, at, []lotQuantity{{lot, in.Quantity, serials}}, nil); err != nil {
		return err
	}
	doc.ReceivedQuantity += in.Quantity
	doc.Status = api.InboundPartiallyReceived
	if doc.Pending() == 0 {
		doc.Status = api.InboundReceived
	}
	doc.ReceivedAt = timeOr(in.ReceivedAt, c.Now)
	return c.saveInbound(doc)
}

// checkReceivable limits a receipt to the pending quantity plus the organization's
// over-receipt tolerance.
func (c *writeTx) checkReceivable(doc *stored.Inbound, q int64) error {
	pending := doc.Pending()
	if q <= pending {
		return nil
	}
	rules, err := stored.RulesOf(c.Reader)
	if err != nil {
		return err
	}
	percent, most := rules.OverReceiptPercent, rules.Receivable(doc.ExpectedQuantity)-doc.ReceivedQuantity
	if q <= most {
		return nil
	}
	details := api.Details{"pending": pending, "requested": q, "tolerance": percent, "most": most}
	if percent > 0 {
		return api.Fail(api.QuantityExceedsPending, details,
			"Only %d of %d pending, but %d to receive. Receive at most %d (up to %d %% over the expected quantity), or create a new inbound for the rest.",
			pending, doc.ExpectedQuantity, q, most, percent)
	}
	return api.Fail(api.QuantityExceedsPending, details,
		"Only %d of %d pending, but %d to receive. Receive at most %d, or create a new inbound for the rest.", pending, doc.ExpectedQuantity, q, most)
}

func (c *writeTx) cancelInbound(in *api.InboundInput) error {
	doc, err := c.inbound(in.InboundID)
	if err != nil {
		return err
	}
	if doc.ReceivedQuantity > 0 {
		return api.Fail(api.InboundAlreadyReceived, api.Details{"status": doc.Status, "received": doc.ReceivedQuantity},
			"%d of %d already received, so the inbound cannot be canceled. Close it short instead.", doc.ReceivedQuantity, doc.ExpectedQuantity)
	}
	return c.endInbound(doc, inboundCancel, api.InboundCancelled)
}

func (c *writeTx) closeInbound(in *api.CloseInboundInput) error {
	doc, err := c.inbound(in.InboundID)
	if err != nil {
		return err
	}
	c.entry.Reason = in.Reason
	return c.endInbound(doc, inboundClose, api.InboundClosed)
}

// endInbound removes the pending quantity from incoming and ends the document.
func (c *writeTx) endInbound(doc *stored.Inbound, e postingRule, status api.InboundStatus) error {
	if !doc.Status.Open() {
		return inboundNotOpen(doc)
	}
	if err := c.post(e, doc.StockKey(), withoutLot(doc.Pending()), nil); err != nil {
		return err
	}
	doc.Status = status
	if status == api.InboundCancelled {
		doc.CancelledAt = &c.Now
	} else {
		doc.ClosedAt = &c.Now
	}
	return c.saveInbound(doc)
}

// inbound reads the document of a write and checks its version.
func (c *writeTx) inbound(id api.ID) (*stored.Inbound, error) {
	doc, err := stored.Inbounds.Get(c.Reader, id[:])
	if err != nil {
		return nil, err
	}
	if doc == nil {
		return nil, stored.NotFound("inbound", "inboundId", id)
	}
	return doc, c.checkVersion(doc.Version)
}

func (c *writeTx) openInbound(id api.ID) (*stored.Inbound, error) {
	doc, err := c.inbound(id)
	if err == nil && !doc.Status.Open() {
		return nil, inboundNotOpen(doc)
	}
	return doc, err
}

func inboundNotOpen(doc *stored.Inbound) error {
	return api.Fail(api.InboundNotOpen, api.Details{"status": doc.Status, "received": doc.ReceivedQuantity, "expected": doc.ExpectedQuantity},
		"The inbound is %v (%d of %d received) and cannot change.", doc.Status, doc.ReceivedQuantity, doc.ExpectedQuantity)
}

// saveInbound stores the document, also in the journal entry.
func (c *writeTx) saveInbound(doc *stored.Inbound) error {
	doc.Version++
	doc.UpdatedAt = c.Now
	c.setReference(doc.ReferenceType, doc.ReferenceID, "inbound", doc.ID)
	return saveDocument(c, stored.Inbounds, journal.InboundKind, doc.ID, doc)
}
