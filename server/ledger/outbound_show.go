package ledger

import (
	"slices"

	"bincard/server/api"
)

func showOutbound(rd *reading, rec *record) (*api.OutboundResult, error) {
	doc, err := documentAt(rd, outbounds, rec)
	if err != nil {
		return nil, err
	}
	doc.UpdatedAt = rec.At
	rd.dressOutbound(doc)
	out := &api.OutboundResult{Outbound: doc.Outbound}
	if out.Balances, err = rd.showAll(rec); err != nil {
		return nil, err
	}
	out.Balance = out.Balances[0]
	out.Movements, err = rd.movements(rec)
	return out, err
}

// homeOutbound adds what no row says, because its partition does.
func (rd *reading) homeOutbound(o *outbound) {
	o.OrganizationID, o.Environment = rd.p.Organization, api.Environment(rd.p.Environment)
	for i := range o.Lines {
		o.Lines[i].OrganizationID, o.Lines[i].Environment = o.OrganizationID, o.Environment
	}
}

// dressOutbound adds the embedded references.
func (rd *reading) dressOutbound(o *outbound) {
	rd.homeOutbound(o)
	o.Product, o.Location = rd.productRef(o.ProductID), rd.placeRef(locations, o.LocationID)
	o.Owner, o.Channel = rd.placeRef(owners, o.OwnerID), rd.placeRef(channels, o.ChannelID)
	for i := range o.Lines {
		l := &o.Lines[i]
		l.Product, l.Location, l.Owner, l.Channel = rd.productRef(l.ProductID), o.Location, o.Owner, o.Channel
	}
}

// current is the outbound as it stands: its pieces may have come back since.
func (rd *reading) current(doc *outbound) (*api.Outbound, error) {
	for i := range doc.Lines {
		list := doc.Lines[i].Serials
		for j := range list {
			s, err := pieces.Shared(rd.r, list[j].SerialID[:])
			if err != nil {
				return nil, err
			}
			if s != nil {
				list[j].Serial = s.Serial
			}
		}
	}
	rd.dressOutbound(doc)
	return &doc.Outbound, nil
}

func (rd *reading) getOutbound(in *api.OutboundInput) (*api.Outbound, error) {
	doc, err := outbounds.Get(rd.r, in.OutboundID[:])
	if err != nil {
		return nil, err
	}
	if doc == nil {
		return nil, missing("outbound", "outboundId", in.OutboundID)
	}
	return rd.current(doc)
}

func (rd *reading) listOutbounds(in *api.ListOutboundsInput) (*api.List[api.Outbound], error) {
	l := listing[outbound]{table: outbounds, seq: func(d *outbound) uint64 { return d.Seq }, id: func(d *outbound) api.ID { return d.ID },
		keep: func(d *outbound) bool {
			return (in.Status == "" || d.Status == in.Status) && same(in.LocationID, d.LocationID) &&
				same(in.OwnerID, d.OwnerID) && same(in.ChannelID, d.ChannelID) &&
				(in.ExternalOrderType == "" || in.ExternalOrderType == d.ExternalOrderType) &&
				(in.ExternalOrderID == "" || in.ExternalOrderID == d.ExternalOrderID) &&
				within(d.CreatedAt, in.CreatedFrom, in.CreatedTo) &&
				slices.ContainsFunc(d.Lines, func(l api.OutboundLine) bool { return same(in.ProductID, l.ProductID) })
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
		now, err := rd.current(d)
		if err != nil {
			return nil, err
		}
		out.Items[i] = *now
	}
	return out, nil
}
