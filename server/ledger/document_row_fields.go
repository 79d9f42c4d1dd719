package ledger

import (
	"slices"
	"time"

	"bincard/server/api"
)

// The fields of the documents, in row order. Values that can be derived are not
// stored: the partition, sums, and the fields that a line shares with its outbound.

func (p *stockKey) fields(f *fieldCodec) {
	for _, id := range []*api.ID{&p.Product, &p.Location, &p.Owner, &p.Channel} {
		f.id(id)
	}
}

// createdFields lists who created a document and when.
func (s *revision) createdFields(f *fieldCodec, at *time.Time, actor *api.Actor, by **api.Actor, m *api.Metadata) {
	f.counter(&s.Seq)
	f.instant(at, time.Time{})
	f.actor(actor)
	f.optionalActor(by)
	f.metadata(m)
}

// updatedFields lists the newest change of a document.
func (s *revision) updatedFields(f *fieldCodec, at *time.Time, created time.Time) {
	f.counter(&s.Last)
	f.instant(at, created)
}

func (in *inbound) immutable(f *fieldCodec) {
	at := in.stockKey()
	f.id(&in.ID)
	at.fields(f)
	in.ProductID, in.LocationID, in.OwnerID, in.ChannelID = at.Product, at.Location, at.Owner, at.Channel
	in.createdFields(f, &in.CreatedAt, &in.Actor, &in.CreatedBy, &in.Metadata)
	f.number(&in.ExpectedQuantity)
	for _, s := range []*string{&in.SupplierName, &in.SupplierReference, &in.ExternalOrderType, &in.ExternalOrderID, &in.ReferenceType, &in.ReferenceID} {
		f.text(s)
	}
	f.optionalInstants(in.CreatedAt, &in.ExpectedAt)
}

func (in *inbound) mutable(f *fieldCodec) {
	enumField(f, inboundStatuses, &in.Status)
	f.number(&in.ReceivedQuantity)
	f.number(&in.Version)
	f.optionalInstants(in.CreatedAt, &in.ReceivedAt, &in.ClosedAt, &in.CancelledAt)
}

func (in *inbound) private(f *fieldCodec) { in.updatedFields(f, &in.UpdatedAt, in.CreatedAt) }

func (t *transfer) immutable(f *fieldCodec) {
	for _, id := range []*api.ID{&t.ID, &t.ProductID, &t.SourceLocationID, &t.DestinationLocationID, &t.OwnerID, &t.ChannelID} {
		f.id(id)
	}
	t.createdFields(f, &t.CreatedAt, &t.Actor, &t.CreatedBy, &t.Metadata)
	f.number(&t.Quantity)
	f.text(&t.ReferenceType)
	f.text(&t.ReferenceID)
}

func (t *transfer) mutable(f *fieldCodec) {
	enumField(f, transferStatuses, &t.Status)
	f.number(&t.ShippedQuantity)
	f.number(&t.ReceivedQuantity)
	f.text(&t.CloseReason)
	f.optionalInstants(t.CreatedAt, &t.ShippedAt, &t.ReceivedAt, &t.ClosedAt, &t.CancelledAt)
	t.updatePending()
}

func (t *transfer) private(f *fieldCodec) {
	t.updatedFields(f, &t.UpdatedAt, t.CreatedAt)
	n := f.count(len(t.Transit))
	if f.decoding && n > 0 {
		t.Transit = make([]inTransit, n)
	}
	for i := range t.Transit {
		x := &t.Transit[i]
		f.optionalID(&x.Lot)
		f.number(&x.Quantity)
		x.Serials = f.ids(x.Serials)
	}
}

func (r *reservation) immutable(f *fieldCodec) {
	at := r.stockKey()
	f.id(&r.ID)
	at.fields(f)
	r.ProductID, r.LocationID, r.OwnerID, r.ChannelID = at.Product, at.Location, at.Owner, at.Channel
	r.createdFields(f, &r.CreatedAt, &r.Actor, &r.CreatedBy, &r.Metadata)
	f.number(&r.Quantity)
	f.instant(&r.ExpiresAt, r.CreatedAt)
	f.text(&r.ReferenceType)
	f.text(&r.ReferenceID)
}

func (r *reservation) mutable(f *fieldCodec) {
	enumField(f, reservationStatuses, &r.Status)
	f.number(&r.FulfilledQuantity)
}

func (r *reservation) private(f *fieldCodec) {
	r.updatedFields(f, &r.UpdatedAt, r.CreatedAt)
	n := f.count(len(r.Holds))
	if f.decoding && n > 0 {
		r.Holds = make([]lotHold, n)
	}
	for i := range r.Holds {
		f.optionalID(&r.Holds[i].Lot)
		f.number(&r.Holds[i].Quantity)
	}
}

func (o *outbound) immutable(f *fieldCodec) {
	at := stockKey{o.ProductID, o.LocationID, o.OwnerID, o.ChannelID}
	f.id(&o.ID)
	at.fields(f)
	o.ProductID, o.LocationID, o.OwnerID, o.ChannelID = at.Product, at.Location, at.Owner, at.Channel
	o.createdFields(f, &o.CreatedAt, &o.Actor, &o.CreatedBy, &o.Metadata)
	for _, s := range []*string{&o.CustomerName, &o.ExternalOrderType, &o.ExternalOrderID, &o.ReferenceType, &o.ReferenceID} {
		f.text(s)
	}
	f.optionalInstants(o.CreatedAt, &o.ExpectedShipAt)
	n := f.count(len(o.Lines))
	if f.decoding {
		o.Lines = make([]api.OutboundLine, n)
	}
	for i := range o.Lines {
		l := &o.Lines[i]
		f.id(&l.ID)
		f.idUnlessKnown(&l.ProductID, o.ProductID)
		f.number(&l.RequestedQuantity)
		l.OutboundID, l.LocationID, l.OwnerID, l.ChannelID, l.CreatedAt = o.ID, o.LocationID, o.OwnerID, o.ChannelID, o.CreatedAt
	}
}

func (o *outbound) mutable(f *fieldCodec) {
	enumField(f, outboundStatuses, &o.Status)
	f.number(&o.Version)
	f.optionalInstants(o.CreatedAt, &o.AllocatedAt, &o.FulfilledAt, &o.CancelledAt)
	if n := f.count(len(o.Lines)); n != len(o.Lines) {
		f.in.bad = true
		return
	}
	o.Progress = api.Progress{}
	for i := range o.Lines {
		l := &o.Lines[i]
		for _, q := range []*int64{&l.AllocatedQuantity, &l.PickedQuantity, &l.PackedQuantity, &l.FulfilledQuantity} {
			f.number(q)
		}
		l.UpdatePending()
		o.Progress = o.Progress.Add(l.Progress)
		f.instant(&l.UpdatedAt, o.CreatedAt)
		n := f.count(len(l.Serials))
		if f.decoding {
			l.Serials = make([]api.OutboundLineSerial, n)
		}
		for k := range l.Serials {
			o.serialFields(f, l, &l.Serials[k])
		}
	}
}

// serialFields lists the fields of a serial on a line. Most are the same as the line's.
func (o *outbound) serialFields(f *fieldCodec, l *api.OutboundLine, x *api.OutboundLineSerial) {
	f.id(&x.ID)
	f.id(&x.SerialID)
	f.optionalInstants(o.CreatedAt, &x.PickedAt, &x.PackedAt, &x.ShippedAt)
	s := &x.Serial
	s.ID = x.SerialID
	f.text(&s.SerialNumber)
	enumField(f, serialStatuses, &s.Status)
	f.idUnlessKnown(&s.ProductID, l.ProductID)
	f.idUnlessKnown(&s.LocationID, l.LocationID)
	f.idUnlessKnown(&s.OwnerID, l.OwnerID)
	f.idUnlessKnown(&s.ChannelID, l.ChannelID)
	f.optionalID(&s.LotID)
}

func (o *outbound) private(f *fieldCodec) {
	o.updatedFields(f, &o.UpdatedAt, o.CreatedAt)
	n := f.count(len(o.Holds))
	if f.decoding {
		o.Holds = make([][]hold, n)
	}
	for i := range o.Holds {
		n := f.count(len(o.Holds[i]))
		if f.decoding {
			o.Holds[i] = make([]hold, n)
		}
		for k := range o.Holds[i] {
			h := &o.Holds[i][k]
			f.optionalID(&h.Lot)
			for _, q := range []*int64{&h.Allocated, &h.Picked, &h.Packed, &h.Fulfilled, &h.Shipped} {
				f.number(q)
			}
			h.Sent = f.ids(h.Sent)
		}
	}
}

// ids codes a list of ids; an empty one is decoded as nil.
func (f *fieldCodec) ids(list []api.ID) []api.ID {
	n := f.count(len(list))
	if f.decoding {
		list = nil
		if n > 0 {
			list = slices.Grow(list, n)[:n]
		}
	}
	for i := range list {
		f.id(&list[i])
	}
	return list
}

// idUnlessKnown codes an id that usually equals known.
func (f *fieldCodec) idUnlessKnown(p *api.ID, known api.ID) {
	if f.decoding {
		if *p = known; f.in.byte() == 1 {
			f.id(p)
		}
		return
	}
	if *p == known {
		f.out = append(f.out, 0)
		return
	}
	f.out = append(f.out, 1)
	f.id(p)
}
