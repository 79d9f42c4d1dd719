package stored

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// An Inbound is the stored form of api.Inbound, without the embedded references.
type Inbound struct {
	api.Inbound
	journal.Revision
}

// Inbounds has all inbounds.
var Inbounds = store.NewTable(store.Table[Inbound]{
	Name:  "inbounds",
	Key:   func(in *Inbound) []byte { return in.ID[:] },
	Codec: journal.DocumentCodec[Inbound, *Inbound]{},
	Indexes: []store.Index[Inbound]{
		{Name: "seq", Fixed: true, Keys: func(in *Inbound) [][]byte { return [][]byte{journal.SeqKey(in.Seq)} }},
		{
			Name: "status",
			Keys: func(in *Inbound) [][]byte { return [][]byte{journal.InboundStatuses.Key(in.Status, in.Seq)} },
		},
		{
			Name:  "product",
			Fixed: true,
			Keys:  func(in *Inbound) [][]byte { return [][]byte{Join(in.ProductID[:], journal.SeqKey(in.Seq))} },
		},
		{
			Name:  "location",
			Fixed: true,
			Keys:  func(in *Inbound) [][]byte { return [][]byte{Join(in.LocationID[:], journal.SeqKey(in.Seq))} },
		},
		{Name: "reference", Fixed: true, Keys: func(in *Inbound) [][]byte {
			return referenceKeys(in.ReferenceID, in.ExternalOrderID, in.SupplierReference)
		}},
	},
})

// NewInbound returns the inbound that an input describes, at a balance.
func NewInbound(in *api.CreateInboundInput, at StockKey) *Inbound {
	return &Inbound{
		Inbound: api.Inbound{
			ProductID:         at.Product,
			LocationID:        at.Location,
			OwnerID:           at.Owner,
			ChannelID:         at.Channel,
			ExpectedQuantity:  in.ExpectedQuantity,
			Status:            api.InboundExpected,
			SupplierName:      in.SupplierName,
			SupplierReference: in.SupplierReference,
			InboundDetails:    in.InboundDetails,
			ExternalOrderType: in.ExternalOrderType,
			ExternalOrderID:   in.ExternalOrderID,
			ReferenceType:     in.ReferenceType,
			ReferenceID:       in.ReferenceID,
			ExpectedAt:        in.ExpectedAt,
			Metadata:          in.Metadata,
		},
	}
}

// StockKey returns the balance that the inbound adds to.
func (in *Inbound) StockKey() StockKey {
	return StockKey{in.ProductID, in.LocationID, in.OwnerID, in.ChannelID}
}

// ShowInbound renders the response of a write to an inbound.
func ShowInbound(tx *Tx, e *journal.Entry) (*api.InboundResult, error) {
	doc, err := DocumentAt(tx, Inbounds, e)
	if err != nil {
		return nil, err
	}

	doc.UpdatedAt = e.At
	out := &api.InboundResult{Inbound: *tx.ExpandInbound(doc)}
	if out.Balance, err = tx.ShowBalance(e, 0); err != nil {
		return nil, err
	}

	out.Movements, err = tx.Movements(e)

	return out, err
}

// SetTenant sets the fields that follow from the partition.
func (in *Inbound) SetTenant(p store.Partition) {
	in.OrganizationID, in.Environment = p.Organization, api.Environment(p.Environment)
}

// IsOpen reports whether the inbound can still change.
func (in *Inbound) IsOpen() bool { return in.Status.Open() }

// ExpandInbound returns the inbound with the embedded references and the line.
func (tx *Tx) ExpandInbound(in *Inbound) *api.Inbound {
	in.SetTenant(tx.Partition)
	in.Product, in.Location = tx.ProductRef(in.ProductID), tx.PlaceRef(Locations, in.LocationID)
	in.Owner, in.Channel = tx.PlaceRef(Owners, in.OwnerID), tx.PlaceRef(Channels, in.ChannelID)
	in.Lines = []api.InboundLine{{ProductID: in.ProductID, LocationID: in.LocationID, OwnerID: in.OwnerID,
		ChannelID: in.ChannelID, ExpectedQuantity: in.ExpectedQuantity, ReceivedQuantity: in.ReceivedQuantity}}
	return &in.Inbound
}

// GetInbound returns an inbound.
func (tx *Tx) GetInbound(in *api.InboundInput) (*api.Inbound, error) {
	doc, err := Find(tx.Reader, Inbounds, "inbound", in.InboundID)
	if err != nil {
		return nil, err
	}
	return tx.ExpandInbound(doc), nil
}

// ListInbounds returns a page of inbounds, newest first.
func (tx *Tx) ListInbounds(in *api.ListInboundsInput) (*api.List[api.Inbound], error) {
	text := newTextFilter(in.Query)
	l := Listing[Inbound]{
		Table: Inbounds,
		Seq:   func(d *Inbound) uint64 { return d.Seq },
		ID:    func(d *Inbound) api.ID { return d.ID },
		Keep: func(d *Inbound) bool {
			return (in.Status == "" || d.Status == in.Status) && d.StockKey().Matches(in.StockFilter) &&
				(in.ExternalOrderType == "" || in.ExternalOrderType == d.ExternalOrderType) &&
				(in.ExternalOrderID == "" || in.ExternalOrderID == d.ExternalOrderID) &&
				InTimeRange(d.CreatedAt, in.CreatedFrom, in.CreatedTo) &&
				text.inDocument(d.ID, &d.Inbound, d.SupplierName)
		},
	}

	switch {
	case in.ProductID != api.NoID:
		l.Index, l.Prefix = "product", in.ProductID[:]
	case in.Status != "":
		l.Index, l.Prefix = "status", journal.InboundStatuses.Prefix(in.Status)
	case in.LocationID != api.NoID:
		l.Index, l.Prefix = "location", in.LocationID[:]
	}

	docs, next, err := l.Page(tx, in.Page)

	return ListOf(docs, next, err, tx.ExpandInbound)
}
