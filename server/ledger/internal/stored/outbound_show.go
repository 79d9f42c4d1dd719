package stored

import (
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// ShowOutbound renders the response of a write to an outbound.
func ShowOutbound(tx *Tx, e *journal.Entry) (*api.OutboundResult, error) {
	doc, err := DocumentAt(tx, Outbounds, e)
	if err != nil {
		return nil, err
	}

	doc.UpdatedAt = e.At
	out := &api.OutboundResult{Outbound: *tx.ExpandOutbound(doc)}
	if out.Balances, err = tx.ShowBalances(e); err != nil {
		return nil, err
	}

	out.Balance = out.Balances[0]
	out.Movements, err = tx.Movements(e)

	return out, err
}

// SetTenant sets the fields that follow from the partition.
func (o *Outbound) SetTenant(p store.Partition) {
	o.OrganizationID, o.Environment = p.Organization, api.Environment(p.Environment)
	for i := range o.Lines {
		o.Lines[i].OrganizationID, o.Lines[i].Environment = o.OrganizationID, o.Environment
	}
}

// IsOpen reports whether the outbound can still change.
func (o *Outbound) IsOpen() bool { return o.Status.Open() }

// ExpandOutbound returns the outbound with the embedded references.
func (tx *Tx) ExpandOutbound(o *Outbound) *api.Outbound {
	o.SetTenant(tx.Partition)
	o.Product, o.Location = tx.ProductRef(o.ProductID), tx.PlaceRef(Locations, o.LocationID)
	o.Owner, o.Channel = tx.PlaceRef(Owners, o.OwnerID), tx.PlaceRef(Channels, o.ChannelID)
	for i := range o.Lines {
		l := &o.Lines[i]
		l.Product, l.Location, l.Owner, l.Channel = tx.ProductRef(l.ProductID), o.Location, o.Owner, o.Channel
	}
	return &o.Outbound
}

// ReadOutboundSerials sets the serials of outbounds as they are now.
func (tx *Tx) ReadOutboundSerials(docs ...*Outbound) error {
	for _, doc := range docs {
		for i := range doc.Lines {
			list := doc.Lines[i].Serials
			for j := range list {
				s, err := Serials.Shared(tx.Reader, list[j].SerialID[:])
				if err != nil {
					return err
				}
				if s != nil {
					list[j].Serial = s.Serial
				}
			}
		}
	}

	return nil
}

// GetOutbound returns an outbound.
func (tx *Tx) GetOutbound(in *api.OutboundInput) (*api.Outbound, error) {
	doc, err := Find(tx.Reader, Outbounds, "outbound", in.OutboundID)
	if err != nil {
		return nil, err
	}
	return tx.ExpandOutbound(doc), tx.ReadOutboundSerials(doc)
}

// ListOutboundLots returns the lots that the lines of an outbound hold, without stock
// that has no lot.
func (tx *Tx) ListOutboundLots(in *api.OutboundInput) (*api.List[api.OutboundLot], error) {
	doc, err := Find(tx.Reader, Outbounds, "outbound", in.OutboundID)
	if err != nil {
		return nil, err
	}

	out := &api.List[api.OutboundLot]{Items: []api.OutboundLot{}}
	for i, holds := range doc.Holds {
		for _, h := range holds {
			if h.Allocated == 0 {
				continue
			}

			lot, err := Lots.Shared(tx.Reader, h.Lot[:])
			if err != nil {
				return nil, err
			}

			if lot != nil {
				out.Items = append(out.Items, api.OutboundLot{
					LineID:            doc.Lines[i].ID,
					LotID:             h.Lot,
					LotCode:           lot.LotCode,
					ExpiresAt:         lot.ExpiresAt,
					AllocatedQuantity: h.Allocated,
					PickedQuantity:    h.Picked,
					PackedQuantity:    h.Packed,
					FulfilledQuantity: h.Fulfilled,
				})
			}
		}
	}

	return out, nil
}

// ListOutbounds returns a page of outbounds, newest first, or of those that wait for stock in the
// order in which they get it.
func (tx *Tx) ListOutbounds(in *api.ListOutboundsInput) (*api.List[api.Outbound], error) {
	text := newTextFilter(in.Query)
	l := Listing[Outbound]{
		Table: Outbounds,
		Seq:   func(d *Outbound) uint64 { return d.Seq },
		ID:    func(d *Outbound) api.ID { return d.ID },
		Keep: func(d *Outbound) bool {
			return (in.Status == "" || d.Status == in.Status) && MatchesID(in.LocationID, d.LocationID) &&
				MatchesID(in.OwnerID, d.OwnerID) && MatchesID(in.ChannelID, d.ChannelID) &&
				(in.ExternalOrderType == "" || in.ExternalOrderType == d.ExternalOrderType) &&
				(in.ExternalOrderID == "" || in.ExternalOrderID == d.ExternalOrderID) &&
				InTimeRange(d.CreatedAt, in.CreatedFrom, in.CreatedTo) &&
				text.inDocument(d.ID, &d.Outbound, d.CustomerName) &&
				slices.ContainsFunc(d.Lines,
					func(l api.OutboundLine) bool { return MatchesID(in.ProductID, l.ProductID) })
		},
	}

	switch {
	case in.ProductID != api.NoID:
		l.Index, l.Prefix = "product", in.ProductID[:]
	case in.Status != "":
		l.Index, l.Prefix = "status", journal.OutboundStatuses.Prefix(in.Status)
	case in.LocationID != api.NoID:
		l.Index, l.Prefix = "location", in.LocationID[:]
	}

	page := func() ([]*Outbound, *string, error) { return l.Page(tx, in.Page) }
	if in.Pending == api.PendingAllocation {
		l.Order = compareWaiting
		page = func() ([]*Outbound, *string, error) {
			docs, err := tx.WaitingOutbounds(in.ProductID, in.LocationID)
			if err != nil {
				return nil, nil, err
			}
			docs = slices.DeleteFunc(docs, func(d *Outbound) bool { return !l.Keep(d) })
			return l.PageSorted(tx, docs, in.Page)
		}
	}

	docs, next, err := page()
	if err == nil {
		err = tx.ReadOutboundSerials(docs...)
	}

	return ListOf(docs, next, err, tx.ExpandOutbound)
}
