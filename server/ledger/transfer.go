package ledger

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// A transfer is the stored form of api.Transfer, without the embedded references.
// Transit has what is in transit.
type transfer struct {
	api.Transfer
	journal.Revision
	Transit []inTransit `json:"transit,omitzero"`
}

// An inTransit is the stock in transit of one lot, or without a lot, with its serials.
type inTransit struct {
	Lot      api.ID   `json:"lot,omitzero"`
	Quantity int64    `json:"quantity"`
	Serials  []api.ID `json:"serials,omitzero"`
}

var transfers = &store.Table[transfer]{
	Name:  "transfers",
	Key:   func(t *transfer) []byte { return t.ID[:] },
	Codec: journal.DocumentCodec[transfer, *transfer]{},
	Indexes: []store.Index[transfer]{
		{Name: "seq", Fixed: true, Keys: func(t *transfer) [][]byte { return [][]byte{journal.SeqKey(t.Seq)} }},
		{Name: "status", Keys: func(t *transfer) [][]byte { return [][]byte{journal.TransferStatuses.Key(t.Status, t.Seq)} }},
		{Name: "product", Fixed: true, Keys: func(t *transfer) [][]byte { return [][]byte{join(t.ProductID[:], journal.SeqKey(t.Seq))} }},
		{Name: "source", Fixed: true, Keys: func(t *transfer) [][]byte { return [][]byte{join(t.SourceLocationID[:], journal.SeqKey(t.Seq))} }},
		{Name: "destination", Fixed: true, Keys: func(t *transfer) [][]byte { return [][]byte{join(t.DestinationLocationID[:], journal.SeqKey(t.Seq))} }},
		{Name: "reference", Fixed: true, Keys: func(t *transfer) [][]byte { return referenceKeys(t.ReferenceID) }},
	},
}

func bindTransfers(b map[string]binding) {
	writes(b, api.CreateTransfer, (*writeTx).createTransfer, showTransfer)
	writes(b, api.ShipTransfer, (*writeTx).shipTransfer, showTransferSource)
	writes(b, api.ReceiveTransfer, (*writeTx).receiveTransfer, showTransferDestination)
	writes(b, api.CancelTransfer, (*writeTx).cancelTransfer, showTransferSource)
	writes(b, api.CloseTransfer, (*writeTx).closeTransfer, showTransferDestination)
	reads(b, api.GetTransfer, (*readTx).getTransfer)
	reads(b, api.ListTransfers, (*readTx).listTransfers)
}

func (t *transfer) source() stockKey {
	return stockKey{t.ProductID, t.SourceLocationID, t.OwnerID, t.ChannelID}
}

func (t *transfer) destination() stockKey {
	return stockKey{t.ProductID, t.DestinationLocationID, t.OwnerID, t.ChannelID}
}

// updatePending computes the pending quantities; they are 0 once the transfer has ended.
func (t *transfer) updatePending() {
	t.PendingShipmentQuantity, t.PendingReceiveQuantity = 0, 0
	if t.Status == api.TransferInTransit {
		t.PendingShipmentQuantity = t.Quantity - t.ShippedQuantity
		t.PendingReceiveQuantity = t.ShippedQuantity - t.ReceivedQuantity
	}
}

// openTransfer reads the transfer of a write, which must be open.
func (c *writeTx) openTransfer(id api.ID) (*transfer, error) {
	doc, err := transfers.Get(c.r, id[:])
	switch {
	case err != nil:
		return nil, err
	case doc == nil:
		return nil, notFound("transfer", "transferId", id)
	case doc.Status != api.TransferInTransit:
		return nil, api.Fail(api.TransferNotOpen,
			api.Details{"status": doc.Status, "quantity": doc.Quantity, "shipped": doc.ShippedQuantity, "received": doc.ReceivedQuantity},
			"The transfer is %s (%d of %d shipped, %d received) and cannot change.",
			doc.Status, doc.ShippedQuantity, doc.Quantity, doc.ReceivedQuantity)
	}
	return doc, nil
}

// saveTransfer stores the document, also in the journal entry.
func (c *writeTx) saveTransfer(doc *transfer) error {
	doc.updatePending()
	doc.UpdatedAt = c.now
	c.setReference(doc.ReferenceType, doc.ReferenceID, "transfer", doc.ID)
	return saveDocument(c, transfers, journal.TransferKind, doc.ID, doc)
}

func showTransfer(tx *readTx, e *journal.Entry) (*api.TransferResult, error) {
	out := &api.TransferResult{}
	var err error
	if out.Transfer, err = tx.transferIn(e); err != nil {
		return nil, err
	}
	out.Movements, err = tx.movements(e)
	return out, err
}

func showTransferSource(tx *readTx, e *journal.Entry) (*api.TransferSourceResult, error) {
	out := &api.TransferSourceResult{}
	var err error
	if out.Transfer, err = tx.transferIn(e); err != nil {
		return nil, err
	}
	if out.SourceBalance, err = tx.showBalance(e, 0); err != nil {
		return nil, err
	}
	out.Movements, err = tx.movements(e)
	return out, err
}

func showTransferDestination(tx *readTx, e *journal.Entry) (*api.TransferDestinationResult, error) {
	out := &api.TransferDestinationResult{}
	var err error
	if out.Transfer, err = tx.transferIn(e); err != nil {
		return nil, err
	}
	if out.DestinationBalance, err = tx.showBalance(e, 0); err != nil {
		return nil, err
	}
	out.Movements, err = tx.movements(e)
	return out, err
}

// transferIn returns the transfer as it was after the entry's write.
func (tx *readTx) transferIn(e *journal.Entry) (t api.Transfer, err error) {
	doc, err := documentAt(tx, transfers, e)
	if err != nil {
		return t, err
	}
	doc.UpdatedAt = e.At
	tx.expandTransfer(doc)
	return doc.Transfer, nil
}

// setTransferTenant sets the fields that follow from the partition.
func (tx *readTx) setTransferTenant(t *transfer) {
	t.OrganizationID, t.Environment = tx.p.Organization, api.Environment(tx.p.Environment)
}

// expandTransfer adds the embedded references.
func (tx *readTx) expandTransfer(t *transfer) {
	tx.setTransferTenant(t)
	t.Product = tx.productRef(t.ProductID)
	t.SourceLocation, t.DestinationLocation = tx.placeRef(locations, t.SourceLocationID), tx.placeRef(locations, t.DestinationLocationID)
	t.Owner, t.Channel = tx.placeRef(owners, t.OwnerID), tx.placeRef(channels, t.ChannelID)
}

func (tx *readTx) getTransfer(in *api.TransferInput) (*api.Transfer, error) {
	doc, err := transfers.Get(tx.r, in.TransferID[:])
	if err != nil {
		return nil, err
	}
	if doc == nil {
		return nil, notFound("transfer", "transferId", in.TransferID)
	}
	tx.expandTransfer(doc)
	return &doc.Transfer, nil
}

func (tx *readTx) listTransfers(in *api.ListTransfersInput) (*api.List[api.Transfer], error) {
	l := listing[transfer]{table: transfers, seq: func(d *transfer) uint64 { return d.Seq }, id: func(d *transfer) api.ID { return d.ID },
		keep: func(d *transfer) bool {
			return (in.Status == "" || d.Status == in.Status) && matchesID(in.ProductID, d.ProductID) &&
				matchesID(in.SourceLocationID, d.SourceLocationID) && matchesID(in.DestinationLocationID, d.DestinationLocationID) &&
				matchesID(in.OwnerID, d.OwnerID) && matchesID(in.ChannelID, d.ChannelID) &&
				(in.ReferenceType == "" || in.ReferenceType == d.ReferenceType) &&
				(in.ReferenceID == "" || in.ReferenceID == d.ReferenceID) &&
				inTimeRange(d.CreatedAt, in.CreatedFrom, in.CreatedTo)
		}}
	switch {
	case in.ProductID != api.ID{}:
		l.index, l.prefix = "product", in.ProductID[:]
	case in.Status == api.TransferInTransit: // the only status that does not grow forever
		l.index, l.prefix = "status", journal.TransferStatuses.Prefix(in.Status)
	case in.SourceLocationID != api.ID{}:
		l.index, l.prefix = "source", in.SourceLocationID[:]
	case in.DestinationLocationID != api.ID{}:
		l.index, l.prefix = "destination", in.DestinationLocationID[:]
	case in.Status != "":
		l.index, l.prefix = "status", journal.TransferStatuses.Prefix(in.Status)
	}
	docs, next, err := l.page(tx, in.Limit, 25, in.Cursor)
	if err != nil {
		return nil, err
	}
	out := &api.List[api.Transfer]{Items: make([]api.Transfer, len(docs)), NextCursor: next}
	for i, d := range docs {
		tx.expandTransfer(d)
		out.Items[i] = d.Transfer
	}
	return out, nil
}
