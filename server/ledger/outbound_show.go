package ledger

import (
	"slices"

	"bincard/server/api"
)

func showOutbound(rd *readTx, rec *entry) (*api.OutboundResult, error) {
	doc, err := documentAt(rd, outbounds, rec)
	if err != nil {
		return nil, err
	}
	doc.UpdatedAt = rec.At
	rd.expandOutbound(doc)
	out := &api.OutboundResult{Outbound: doc.Outbound}
	if out.Balances, err = rd.showBalances(rec); err != nil {
		return nil, err
	}
	out.Balance = out.Balances[0]
	out.Movements, err = rd.movements(rec)
	return out, err
}

// setOutboundTenant adds what no row says, because its partition does.
func (rd *readTx) setOutboundTenant(o *outbound) {
	o.OrganizationID, o.Environment = rd.p.Organization, api.Environment(rd.p.Environment)
	for i := range o.Lines {
		o.Lines[i].OrganizationID, o.Lines[i].Environment = o.OrganizationID, o.Environment
	}
}

// expandOutbound adds the embedded references.
func (rd *readTx) expandOutbound(o *outbound) {
	rd.setOutboundTenant(o)
	o.Product, o.Location = rd.productRef(o.ProductID), rd.placeRef(locations, o.LocationID)
	o.Owner, o.Channel = rd.placeRef(owners, o.OwnerID), rd.placeRef(channels, o.ChannelID)
	for i := range o.Lines {
		l := &o.Lines[i]
		l.Product, l.Location, l.Owner, l.Channel = rd.productRef(l.ProductID), o.Location, o.Owner, o.Channel
	}
}

// currentOutbound is the outbound as it stands: its pieces may have come back since.
func (rd *readTx) currentOutbound(doc *outbound) (*api.Outbound, error) {
	for i := range doc.Lines {
		list := doc.Lines[i].Serials
		for j := range list {
			s, err := serials.Shared(rd.r, list[j].SerialID[:])
			if err != nil {
				return nil, err
			}
			if s != nil {
				list[j].Serial = s.Serial
			}
		}
	}
	rd.expandOutbound(doc)
	return &doc.Outbound, nil
}

func (rd *readTx) getOutbound(in *api.OutboundInput) (*api.Outbound, error) {
	doc, err := outbounds.Get(rd.r, in.OutboundID[:])
	if err != nil {
		return nil, err
	}
	if doc == nil {
		return nil, notFound("outbound", "outboundId", in.OutboundID)
	}
	return rd.currentOutbound(doc)
}

func (rd *readTx) listOutbounds(in *api.ListOutboundsInput) (*api.List[api.Outbound], error) {
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
		l.index, l.prefix = "status", outboundStatuses.prefix(in.Status)
	case in.LocationID != api.ID{}:
		l.index, l.prefix = "location", in.LocationID[:]
	}
	docs, next, err := l.page(rd, in.Limit, 25, in.Cursor)
	if err != nil {
		return nil, err
	}
	out := &api.List[api.Outbound]{Items: make([]api.Outbound, len(docs)), NextCursor: next}
	for i, d := range docs {
		now, err := rd.currentOutbound(d)
		if err != nil {
			return nil, err
		}
		out.Items[i] = *now
	}
	return out, nil
}
