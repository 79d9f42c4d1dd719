package document

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// CreateInbound creates an inbound: its quantity is incoming until received.
func CreateInbound(c *posting.Tx, in *api.CreateInboundInput) error {
	if _, err := c.ActiveProduct("productId", in.ProductID); err != nil {
		return err
	}

	at, err := c.RequestedKey(in.StockKey)
	if err != nil {
		return err
	}

	doc := stored.NewInbound(in, at)
	doc.ID, doc.Seq = c.NewID("inbound"), c.Entry.Seq
	doc.CreatedBy, doc.Actor, doc.CreatedAt = c.Entry.Operator, c.Entry.Actor, c.Now
	if err := c.Post(posting.InboundExpect, at, posting.WithoutLot(in.ExpectedQuantity), nil); err != nil {
		return err
	}

	return saveInbound(c, doc)
}

// ReceiveInbound adds received stock, which may exceed the pending quantity within the
// over-receipt tolerance.
func ReceiveInbound(c *posting.Tx, in *api.ReceiveInboundInput) error {
	doc, err := openInbound(c, in.InboundID)
	if err != nil {
		return err
	}

	p, err := c.Product("productId", doc.ProductID)
	if err != nil {
		return err
	}
	if err := checkReceivableInbound(c, doc, in.Quantity); err != nil {
		return err
	}
	if err := posting.CheckSerialCount(p, len(in.Serials), in.Quantity); err != nil {
		return err
	}

	lot, err := c.ReceiveLot(p, in.NewLot)
	if err != nil {
		return err
	}

	at := doc.StockKey()
	serials, err := c.NewSerials(p, at, lot, in.Serials)
	if err != nil {
		return err
	}

	c.Entry.Reason, c.Entry.Metadata = in.Reason, in.Metadata
	if in.Metadata == nil {
		c.Entry.Metadata = api.PlateMetadata(api.AnnouncedIn(doc.Metadata).SSCC)
	}

	if err := c.Post(posting.InboundUnexpect, at, posting.WithoutLot(min(in.Quantity, doc.Pending())),
		nil); err != nil {
		return err
	}
	if err := c.Post(posting.InboundReceive, at,
		[]posting.LotQuantity{{Lot: lot, Quantity: in.Quantity, Serials: serials}}, nil); err != nil {
		return err
	}

	doc.ReceivedQuantity += in.Quantity
	doc.Status = api.InboundPartiallyReceived
	if doc.Pending() == 0 {
		doc.Status = api.InboundReceived
	}

	doc.ReceivedAt = posting.TimeOr(in.ReceivedAt, c.Now)

	return saveInbound(c, doc)
}

// checkReceivableInbound limits a receipt to the pending quantity plus the organization's
// over-receipt tolerance.
func checkReceivableInbound(c *posting.Tx, doc *stored.Inbound, q int64) error {
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
		return api.Fail(
			api.QuantityExceedsPending,
			details,
			"Only %d of %d pending, but %d to receive. Receive at most %d (up to %d %% over the expected quantity), or create a new inbound for the rest.",
			pending,
			doc.ExpectedQuantity,
			q,
			most,
			percent,
		)
	}

	return api.Fail(api.QuantityExceedsPending, details,
		"Only %d of %d pending, but %d to receive. Receive at most %d, or create a new inbound for the rest.", pending,
		doc.ExpectedQuantity, q, most)
}

// CancelInbound cancels an inbound of which nothing was received.
func CancelInbound(c *posting.Tx, in *api.InboundInput) error {
	doc, err := readInbound(c, in.InboundID)
	if err != nil {
		return err
	}
	if doc.ReceivedQuantity > 0 {
		return api.Fail(api.InboundAlreadyReceived, api.Details{"status": doc.Status, "received": doc.ReceivedQuantity},
			"%d of %d already received, so the inbound cannot be canceled. Close it short instead.",
			doc.ReceivedQuantity, doc.ExpectedQuantity)
	}

	return endInbound(c, doc, posting.InboundCancel, api.InboundCancelled)
}

// CloseInbound closes an inbound short.
func CloseInbound(c *posting.Tx, in *api.CloseInboundInput) error {
	doc, err := readInbound(c, in.InboundID)
	if err != nil {
		return err
	}
	c.Entry.Reason = in.Reason
	return endInbound(c, doc, posting.InboundClose, api.InboundClosed)
}

// endInbound removes the pending quantity from incoming and ends the document.
func endInbound(c *posting.Tx, doc *stored.Inbound, e posting.Rule, status api.InboundStatus) error {
	if !doc.Status.Open() {
		return inboundNotOpen(c, doc)
	}
	if err := c.Post(e, doc.StockKey(), posting.WithoutLot(doc.Pending()), nil); err != nil {
		return err
	}

	doc.Status = status
	if status == api.InboundCancelled {
		doc.CancelledAt = &c.Now
	} else {
		doc.ClosedAt = &c.Now
	}

	return saveInbound(c, doc)
}

// readInbound reads the document of a write and checks its version.
func readInbound(c *posting.Tx, id api.ID) (*stored.Inbound, error) {
	doc, err := stored.Find(c.Reader, stored.Inbounds, "inbound", id)
	if err != nil {
		return nil, err
	}
	return doc, c.CheckVersion(doc.Version)
}

func openInbound(c *posting.Tx, id api.ID) (*stored.Inbound, error) {
	doc, err := readInbound(c, id)
	if err == nil && !doc.Status.Open() {
		return nil, inboundNotOpen(c, doc)
	}
	return doc, err
}

func inboundNotOpen(c *posting.Tx, doc *stored.Inbound) error {
	details := api.Details{"status": doc.Status, "received": doc.ReceivedQuantity, "expected": doc.ExpectedQuantity}
	return api.Fail(api.InboundNotOpen, c.WithLastChange(doc.Last, details),
		"The inbound is %v (%d of %d received) and cannot change.", doc.Status, doc.ReceivedQuantity,
		doc.ExpectedQuantity)
}

// saveInbound stores the document, also in the journal entry.
func saveInbound(c *posting.Tx, doc *stored.Inbound) error {
	doc.Version++
	doc.UpdatedAt = c.Now
	c.SetReference(doc.ReferenceType, doc.ReferenceID, "inbound", doc.ID)
	return posting.SaveDocument(c, stored.Inbounds, journal.InboundKind, doc.ID, doc)
}
