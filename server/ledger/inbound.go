package ledger

import (
	"fmt"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// An inbound is the stored form of api.Inbound, without the embedded references.
type inbound struct {
	api.Inbound
	journal.Revision
}

var inbounds = &store.Table[inbound]{
	Name:  "inbounds",
	Key:   func(in *inbound) []byte { return in.ID[:] },
	Codec: journal.DocumentCodec[inbound, *inbound]{},
	Indexes: []store.Index[inbound]{
		{Name: "seq", Fixed: true, Keys: func(in *inbound) [][]byte { return [][]byte{journal.SeqKey(in.Seq)} }},
		{Name: "status", Keys: func(in *inbound) [][]byte { return [][]byte{journal.InboundStatuses.Key(in.Status, in.Seq)} }},
		{Name: "product", Fixed: true, Keys: func(in *inbound) [][]byte { return [][]byte{join(in.ProductID[:], journal.SeqKey(in.Seq))} }},
		{Name: "location", Fixed: true, Keys: func(in *inbound) [][]byte { return [][]byte{join(in.LocationID[:], journal.SeqKey(in.Seq))} }},
		{Name: "reference", Fixed: true, Keys: func(in *inbound) [][]byte {
			return referenceKeys(in.ReferenceID, in.ExternalOrderID, in.SupplierReference)
		}},
	},
}

func bindInbounds(b map[string]binding) {
	writes(b, api.CreateInbound, (*writeTx).createInbound, showInbound)
	writes(b, api.ReceiveInbound, (*writeTx).receiveInbound, showInbound)
	writes(b, api.CancelInbound, (*writeTx).cancelInbound, showInbound)
	writes(b, api.CloseInbound, (*writeTx).closeInbound, showInbound)
	reads(b, api.GetInbound, (*readTx).getInbound)
	reads(b, api.ListInbounds, (*readTx).listInbounds)
}

func (c *writeTx) createInbound(in *api.CreateInboundInput) error {
	if _, err := c.activeProduct("productId", in.ProductID); err != nil {
		return err
	}
	at, err := c.stockKeyOf(in.ProductID, in.LocationID, in.OwnerID, in.ChannelID)
	if err != nil {
		return err
	}
	doc := &inbound{Revision: journal.Revision{Seq: c.entry.Seq}, Inbound: api.Inbound{ID: c.newID("inbound"), ProductID: at.Product, LocationID: at.Location, OwnerID: at.Owner,
		ChannelID: at.Channel, ExpectedQuantity: in.ExpectedQuantity, Status: api.InboundExpected,
		SupplierName: in.SupplierName, SupplierReference: in.SupplierReference, ExternalOrderType: in.ExternalOrderType,
		ExternalOrderID: in.ExternalOrderID, ReferenceType: in.ReferenceType, ReferenceID: in.ReferenceID,
		ExpectedAt: in.ExpectedAt, Metadata: in.Metadata, CreatedBy: c.entry.Operator, Actor: c.entry.Actor, CreatedAt: c.now}}
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
	p, err := c.product("productId", doc.ProductID)
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
	at := doc.stockKey()
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
	doc.ReceivedAt = timeOr(in.ReceivedAt, c.now)
	return c.saveInbound(doc)
}

// checkReceivable limits a receipt to the pending quantity plus the organization's
// over-receipt tolerance.
func (c *writeTx) checkReceivable(doc *inbound, q int64) error {
	pending := doc.Pending()
	if q <= pending {
		return nil
	}
	rules, err := rulesOf(c.r)
	if err != nil {
		return err
	}
	percent, most := rules.OverReceiptPercent, rules.Receivable(doc.ExpectedQuantity)-doc.ReceivedQuantity
	if q <= most {
		return nil
	}
	beyond := ""
	if percent > 0 {
		beyond = fmt.Sprintf(" (up to %d %% over the expected quantity)", percent)
	}
	return api.Fail(api.QuantityExceedsPending, api.Details{"pending": pending, "requested": q, "tolerance": percent, "most": most},
		"Only %d of %d pending, but %d to receive. Receive at most %d%s, or create a new inbound for the rest.",
		pending, doc.ExpectedQuantity, q, most, beyond)
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
func (c *writeTx) endInbound(doc *inbound, e postingRule, status api.InboundStatus) error {
	if !doc.Status.Open() {
		return inboundNotOpen(doc)
	}
	if err := c.post(e, doc.stockKey(), withoutLot(doc.Pending()), nil); err != nil {
		return err
	}
	doc.Status = status
	if status == api.InboundCancelled {
		doc.CancelledAt = &c.now
	} else {
		doc.ClosedAt = &c.now
	}
	return c.saveInbound(doc)
}

// inbound reads the document of a write and checks its version.
func (c *writeTx) inbound(id api.ID) (*inbound, error) {
	doc, err := inbounds.Get(c.r, id[:])
	if err != nil {
		return nil, err
	}
	if doc == nil {
		return nil, notFound("inbound", "inboundId", id)
	}
	return doc, c.checkVersion(doc.Version)
}

func (c *writeTx) openInbound(id api.ID) (*inbound, error) {
	doc, err := c.inbound(id)
	if err == nil && !doc.Status.Open() {
		return nil, inboundNotOpen(doc)
	}
	return doc, err
}

func inboundNotOpen(doc *inbound) error {
	return api.Fail(api.InboundNotOpen, api.Details{"status": doc.Status, "received": doc.ReceivedQuantity, "expected": doc.ExpectedQuantity},
		"The inbound is %s (%d of %d received) and cannot change.", doc.Status, doc.ReceivedQuantity, doc.ExpectedQuantity)
}

// saveInbound stores the document, also in the journal entry.
func (c *writeTx) saveInbound(doc *inbound) error {
	doc.Version++
	doc.UpdatedAt = c.now
	c.setReference(doc.ReferenceType, doc.ReferenceID, "inbound", doc.ID)
	return saveDocument(c, inbounds, journal.InboundKind, doc.ID, doc)
}

func (in *inbound) stockKey() stockKey {
	return stockKey{in.ProductID, in.LocationID, in.OwnerID, in.ChannelID}
}

func showInbound(tx *readTx, e *journal.Entry) (*api.InboundResult, error) {
	doc, err := documentAt(tx, inbounds, e)
	if err != nil {
		return nil, err
	}
	doc.UpdatedAt = e.At
	tx.expandInbound(doc)
	out := &api.InboundResult{Inbound: doc.Inbound}
	if out.Balance, err = tx.showBalance(e, 0); err != nil {
		return nil, err
	}
	out.Movements, err = tx.movements(e)
	return out, err
}

// setInboundTenant sets the fields that follow from the partition.
func (tx *readTx) setInboundTenant(in *inbound) {
	in.OrganizationID, in.Environment = tx.p.Organization, api.Environment(tx.p.Environment)
}

// expandInbound adds the embedded references and the line.
func (tx *readTx) expandInbound(in *inbound) {
	tx.setInboundTenant(in)
	in.Product, in.Location = tx.productRef(in.ProductID), tx.placeRef(locations, in.LocationID)
	in.Owner, in.Channel = tx.placeRef(owners, in.OwnerID), tx.placeRef(channels, in.ChannelID)
	in.Lines = []api.InboundLine{{ProductID: in.ProductID, LocationID: in.LocationID, OwnerID: in.OwnerID,
		ChannelID: in.ChannelID, ExpectedQuantity: in.ExpectedQuantity, ReceivedQuantity: in.ReceivedQuantity}}
}

func (tx *readTx) getInbound(in *api.InboundInput) (*api.Inbound, error) {
	doc, err := inbounds.Get(tx.r, in.InboundID[:])
	if err != nil {
		return nil, err
	}
	if doc == nil {
		return nil, notFound("inbound", "inboundId", in.InboundID)
	}
	tx.expandInbound(doc)
	return &doc.Inbound, nil
}

func (tx *readTx) listInbounds(in *api.ListInboundsInput) (*api.List[api.Inbound], error) {
	l := listing[inbound]{table: inbounds, seq: func(d *inbound) uint64 { return d.Seq }, id: func(d *inbound) api.ID { return d.ID },
		keep: func(d *inbound) bool {
			return (in.Status == "" || d.Status == in.Status) &&
				matchesID(in.ProductID, d.ProductID) && matchesID(in.LocationID, d.LocationID) &&
				matchesID(in.OwnerID, d.OwnerID) && matchesID(in.ChannelID, d.ChannelID) &&
				(in.ExternalOrderType == "" || in.ExternalOrderType == d.ExternalOrderType) &&
				(in.ExternalOrderID == "" || in.ExternalOrderID == d.ExternalOrderID) &&
				inTimeRange(d.CreatedAt, in.CreatedFrom, in.CreatedTo)
		}}
	switch {
	case in.ProductID != api.ID{}:
		l.index, l.prefix = "product", in.ProductID[:]
	case in.Status != "":
		l.index, l.prefix = "status", journal.InboundStatuses.Prefix(in.Status)
	case in.LocationID != api.ID{}:
		l.index, l.prefix = "location", in.LocationID[:]
	}
	docs, next, err := l.page(tx, in.Limit, 25, in.Cursor)
	if err != nil {
		return nil, err
	}
	out := &api.List[api.Inbound]{Items: make([]api.Inbound, len(docs)), NextCursor: next}
	for i, d := range docs {
		tx.expandInbound(d)
		out.Items[i] = d.Inbound
	}
	return out, nil
}
