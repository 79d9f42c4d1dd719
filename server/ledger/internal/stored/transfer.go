package stored

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// A Transfer is the stored form of api.Transfer, without the embedded references.
// Transit has what is in transit.
type Transfer struct {
	api.Transfer
	journal.Revision
	Transit []InTransit `json:"transit,omitzero"`
}

// An InTransit is the stock in transit of one lot, or without a lot, with its serials.
type InTransit struct {
	Lot      api.ID   `json:"lot,omitzero"`
	Quantity int64    `json:"quantity"`
	Serials  []api.ID `json:"serials,omitzero"`
}

// Transfers has all transfers.
var Transfers = store.NewTable(store.Table[Transfer]{
	Name:  "transfers",
	Key:   func(t *Transfer) []byte { return t.ID[:] },
	Codec: journal.DocumentCodec[Transfer, *Transfer]{},
	Indexes: []store.Index[Transfer]{
		{Name: "seq", Fixed: true, Keys: func(t *Transfer) [][]byte { return [][]byte{journal.SeqKey(t.Seq)} }},
		{
			Name: "status",
			Keys: func(t *Transfer) [][]byte { return [][]byte{journal.TransferStatuses.Key(t.Status, t.Seq)} },
		},
		{
			Name:  "product",
			Fixed: true,
			Keys:  func(t *Transfer) [][]byte { return [][]byte{Join(t.ProductID[:], journal.SeqKey(t.Seq))} },
		},
		{
			Name:  "source",
			Fixed: true,
			Keys:  func(t *Transfer) [][]byte { return [][]byte{Join(t.SourceLocationID[:], journal.SeqKey(t.Seq))} },
		},
		{
			Name:  "destination",
			Fixed: true,
			Keys:  func(t *Transfer) [][]byte { return [][]byte{Join(t.DestinationLocationID[:], journal.SeqKey(t.Seq))} },
		},
		{Name: "reference", Fixed: true, Keys: func(t *Transfer) [][]byte { return referenceKeys(t.ReferenceID) }},
	},
})

// Source returns the balance that the transfer takes from.
func (t *Transfer) Source() StockKey {
	return StockKey{t.ProductID, t.SourceLocationID, t.OwnerID, t.ChannelID}
}

// Destination returns the balance that the transfer adds to.
func (t *Transfer) Destination() StockKey {
	return StockKey{t.ProductID, t.DestinationLocationID, t.OwnerID, t.ChannelID}
}

// UpdatePending computes the pending quantities; they are 0 once the transfer has ended.
func (t *Transfer) UpdatePending() {
	t.PendingShipmentQuantity, t.PendingReceiveQuantity = 0, 0
	if t.Status == api.TransferInTransit {
		t.PendingShipmentQuantity = t.Quantity - t.ShippedQuantity
		t.PendingReceiveQuantity = t.ShippedQuantity - t.ReceivedQuantity
	}
}

// ShowTransfer renders the response of a write to a transfer.
func ShowTransfer(tx *Tx, e *journal.Entry) (*api.TransferResult, error) {
	out := &api.TransferResult{}
	var err error
	if out.Transfer, err = tx.transferIn(e); err != nil {
		return nil, err
	}
	out.Movements, err = tx.Movements(e)
	return out, err
}

// ShowTransferSource renders the response of a write at the source.
func ShowTransferSource(tx *Tx, e *journal.Entry) (*api.TransferSourceResult, error) {
	out := &api.TransferSourceResult{}
	var err error
	if out.Transfer, err = tx.transferIn(e); err != nil {
		return nil, err
	}
	if out.SourceBalance, err = tx.ShowBalance(e, 0); err != nil {
		return nil, err
	}

	out.Movements, err = tx.Movements(e)

	return out, err
}

// ShowTransferDestination renders the response of a write at the destination.
func ShowTransferDestination(tx *Tx, e *journal.Entry) (*api.TransferDestinationResult, error) {
	out := &api.TransferDestinationResult{}
	var err error
	if out.Transfer, err = tx.transferIn(e); err != nil {
		return nil, err
	}
	if out.DestinationBalance, err = tx.ShowBalance(e, 0); err != nil {
		return nil, err
	}

	out.Movements, err = tx.Movements(e)

	return out, err
}

// transferIn returns the transfer as it was after the entry's write.
func (tx *Tx) transferIn(e *journal.Entry) (t api.Transfer, err error) {
	doc, err := DocumentAt(tx, Transfers, e)
	if err != nil {
		return t, err
	}
	doc.UpdatedAt = e.At
	return *tx.ExpandTransfer(doc), nil
}

// SetTenant sets the fields that follow from the partition.
func (t *Transfer) SetTenant(p store.Partition) {
	t.OrganizationID, t.Environment = p.Organization, api.Environment(p.Environment)
}

// IsOpen reports whether the transfer can still change.
func (t *Transfer) IsOpen() bool { return t.Status == api.TransferInTransit }

// ExpandTransfer returns the transfer with the embedded references.
func (tx *Tx) ExpandTransfer(t *Transfer) *api.Transfer {
	t.SetTenant(tx.Partition)
	t.Product = tx.ProductRef(t.ProductID)
	t.SourceLocation = tx.PlaceRef(Locations, t.SourceLocationID)
	t.DestinationLocation = tx.PlaceRef(Locations, t.DestinationLocationID)
	t.Owner, t.Channel = tx.PlaceRef(Owners, t.OwnerID), tx.PlaceRef(Channels, t.ChannelID)
	return &t.Transfer
}

// GetTransfer returns a transfer.
func (tx *Tx) GetTransfer(in *api.TransferInput) (*api.Transfer, error) {
	doc, err := Find(tx.Reader, Transfers, "transfer", in.TransferID)
	if err != nil {
		return nil, err
	}
	return tx.ExpandTransfer(doc), nil
}

// ListTransfers returns a page of transfers, newest first.
func (tx *Tx) ListTransfers(in *api.ListTransfersInput) (*api.List[api.Transfer], error) {
	text := newTextFilter(in.Query)
	l := Listing[Transfer]{
		Table: Transfers,
		Seq:   func(d *Transfer) uint64 { return d.Seq },
		ID:    func(d *Transfer) api.ID { return d.ID },
		Keep: func(d *Transfer) bool {
			return (in.Status == "" || d.Status == in.Status) && MatchesID(in.ProductID, d.ProductID) &&
				MatchesID(in.SourceLocationID,
					d.SourceLocationID) && MatchesID(in.DestinationLocationID, d.DestinationLocationID) &&
				MatchesID(in.OwnerID, d.OwnerID) && MatchesID(in.ChannelID, d.ChannelID) &&
				(in.ReferenceType == "" || in.ReferenceType == d.ReferenceType) &&
				(in.ReferenceID == "" || in.ReferenceID == d.ReferenceID) &&
				InTimeRange(d.CreatedAt, in.CreatedFrom, in.CreatedTo) &&
				text.inDocument(d.ID, &d.Transfer)
		},
	}

	switch {
	case in.ProductID != api.NoID:
		l.Index, l.Prefix = "product", in.ProductID[:]
	case in.Status == api.TransferInTransit: // the only status that does not grow forever
		l.Index, l.Prefix = "status", journal.TransferStatuses.Prefix(in.Status)
	case in.SourceLocationID != api.NoID:
		l.Index, l.Prefix = "source", in.SourceLocationID[:]
	case in.DestinationLocationID != api.NoID:
		l.Index, l.Prefix = "destination", in.DestinationLocationID[:]
	case in.Status != "":
		l.Index, l.Prefix = "status", journal.TransferStatuses.Prefix(in.Status)
	}

	docs, next, err := l.Page(tx, in.Page)

	return ListOf(docs, next, err, tx.ExpandTransfer)
}
