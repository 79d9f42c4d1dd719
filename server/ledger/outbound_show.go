package ledger

import (
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
)

func showOutbound(tx *readTx, e *journal.Entry) (*api.OutboundResult, error) {
	doc, err := documentAt(tx, outbounds, e)
	if err != nil {
		return nil, err
	}
	doc.UpdatedAt = e.At
	tx.expandOutbound(doc)
	out := &api.OutboundResult{Outbound: doc.Outbound}
	if out.Balances, err = tx.showBalances(e); err != nil {
		return nil, err
	}
	out.Balance = out.Balances[0]
	out.Movements, err = tx.movements(e)
	return out, err
}

// setOutboundTenant sets the fields that follow from the partition.
func (tx *readTx) setOutboundTenant(o *outbound) {
	o.OrganizationID, o.Environment = tx.p.Organization, api.Environment(tx.p.Environment)
	for i := range o.Lines {
		o.Lines[i].OrganizationID, o.Lines[i].Environment = o.OrganizationID, o.Environment
	}
}

// expandOutbound adds the embedded references.
func (tx *readTx) expandOutbound(o *outbound) {
	tx.setOutboundTenant(o)
	o.Product, o.Location = tx.productRef(o.ProductID), tx.placeRef(locations, o.LocationID)
	o.Owner, o.Channel = tx.placeRef(owners, o.OwnerID), tx.placeRef(channels, o.ChannelID)
	for i := range o.Lines {
		l := &o.Lines[i]
		l.Product, l.Location, l.Owner, l.Channel = tx.productRef(l.ProductID), o.Location, o.Owner, o.Channel
	}
}

// currentOutbound returns the outbound with its serials as they are now.
func (tx *readTx) currentOutbound(doc *outbound) (*api.Outbound, error) {
	for i := range doc.Lines {
		list := doc.Lines[i].Serials
		for j := range list {
			s, err := serials.Shared(tx.r, list[j].SerialID[:])
			if err != nil {
				return nil, err
			}
			if s != nil {
				list[j].Serial = s.Serial
			}
		}
	}
	tx.expandOutbound(doc)
	return &doc.Outbound, nil
}

func (tx *readTx) getOutbound(in *api.OutboundInput) (*api.Outbound, error) {
	doc, err := outbounds.Get(tx.r, in.OutboundID[:])
	if err != nil {
		return nil, err
	}
	if doc == nil {
		return nil, notFound("outbound", "outboundId", in.OutboundID)
	}
	return tx.currentOutbound(doc)
}

func (tx *readTx) listOutbounds(in *api.ListOutboundsInput) (*api.List[api.Outbound], error) {
	l := listing[outbound]{table: outbounds, seq: func(d *outbound) uint64 { return d.Seq }, id: func(d *outbound) api.ID { return d.ID },
		keep: func(d *outbound) bool {
			return (in.Status == "" || d.Status == in.Status) && matchesID(in.LocationID, d.LocationID) &&
				matchesID(in.OwnerID, d.OwnerID) && matchesID(in.ChannelID, d.ChannelID) &&
				(in.ExternalOrderType == "" || in.ExternalOrderType == d.ExternalOrderType) &&
				(in.ExternalOrderID == "" || in.ExternalOrderID == d.ExternalOrderID) &&
				inTimeRange(d.CreatedAt, in.CreatedFrom, in.CreatedTo) &&
				slices.ContainsFunc(d.Lines, func(l api.OutboundLine) bool { return matchesID(in.ProductID, l.ProductID) })
		}}
	switch {
	case in.ProductID != api.ID{}:
		l.index, l.prefix = "product", in.ProductID[:]
	case in.Status != "":
		l.index, l.prefix = "status", journal.OutboundStatuses.Prefix(in.Status)
	case in.LocationID != api.ID{}:
		l.index, l.prefix = "location", in.LocationID[:]
	}
	docs, next, err := l.page(tx, in.Limit, 25, in.Cursor)
	if err != nil {
		return nil, err
	}
	out := &api.List[api.Outbound]{Items: make([]api.Outbound, len(docs)), NextCursor: next}
	for i, d := range docs {
		current, err := tx.currentOutbound(d)
		if err != nil {
			return nil, err
		}
		out.Items[i] = *current
	}
	return out, nil
}
