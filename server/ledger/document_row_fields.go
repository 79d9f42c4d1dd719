package ledger

import (
	"slices"
	"time"

	"bincard/server/api"
)

// The fields of the documents, in the order of their rows. What is known from
// elsewhere is not written: the partition, sums, and what a line has of its
// outbound.

func (p *place) fields(f *form) {
	for _, id := range []*api.ID{&p.Product, &p.Location, &p.Owner, &p.Channel} {
		f.id(id)
	}
}

// made are the fields of who made a document and when.
func (s *revision) made(f *form, at *time.Time, actor *api.Actor, by **api.Actor, m *api.Metadata) {
	f.counter(&s.Seq)
	f.instant(at, time.Time{})
	f.actor(actor)
	f.maybeActor(by)
	f.metadata(m)
}

// changed are the fields of the newest change of a document.
func (s *revision) changed(f *form, at *time.Time, made time.Time) {
	f.counter(&s.Last)
	f.instant(at, made)
}

func (in *inbound) immutable(f *form) {
	at := in.place()
	f.id(&in.ID)
	at.fields(f)
	in.ProductID, in.LocationID, in.OwnerID, in.ChannelID = at.Product, at.Location, at.Owner, at.Channel
	in.made(f, &in.CreatedAt, &in.Actor, &in.CreatedBy, &in.Metadata)
	f.number(&in.ExpectedQuantity)
	for _, s := range []*string{&in.SupplierName, &in.SupplierReference, &in.ExternalOrderType, &in.ExternalOrderID, &in.ReferenceType, &in.ReferenceID} {
		f.text(s)
	}
	f.maybeInstants(in.CreatedAt, &in.ExpectedAt)
}

func (in *inbound) mutable(f *form) {
	word(f, inboundStatuses, &in.Status)
	f.number(&in.ReceivedQuantity)
	f.number(&in.Version)
	f.maybeInstants(in.CreatedAt, &in.ReceivedAt, &in.ClosedAt, &in.CancelledAt)
}

func (in *inbound) private(f *form) { in.changed(f, &in.UpdatedAt, in.CreatedAt) }

func (t *transfer) immutable(f *form) {
	for _, id := range []*api.ID{&t.ID, &t.ProductID, &t.SourceLocationID, &t.DestinationLocationID, &t.OwnerID, &t.ChannelID} {
		f.id(id)
	}
	t.made(f, &t.CreatedAt, &t.Actor, &t.CreatedBy, &t.Metadata)
	f.number(&t.Quantity)
	f.text(&t.ReferenceType)
	f.text(&t.ReferenceID)
}

func (t *transfer) mutable(f *form) {
	word(f, transferStatuses, &t.Status)
	f.number(&t.ShippedQuantity)
	f.number(&t.ReceivedQuantity)
	f.text(&t.CloseReason)
	f.maybeInstants(t.CreatedAt, &t.ShippedAt, &t.ReceivedAt, &t.ClosedAt, &t.CancelledAt)
	t.settle()
}

func (t *transfer) private(f *form) {
	t.changed(f, &t.UpdatedAt, t.CreatedAt)
	n := f.count(len(t.Transit))
	if f.reads && n > 0 {
		t.Transit = make([]parcel, n)
	}
	for i := range t.Transit {
		x := &t.Transit[i]
		f.maybeID(&x.Lot)
		f.number(&x.Quantity)
		x.Serials = f.ids(x.Serials)
	}
}

func (r *reservation) immutable(f *form) {
	at := r.place()
	f.id(&r.ID)
	at.fields(f)
	r.ProductID, r.LocationID, r.OwnerID, r.ChannelID = at.Product, at.Location, at.Owner, at.Channel
	r.made(f, &r.CreatedAt, &r.Actor, &r.CreatedBy, &r.Metadata)
	f.number(&r.Quantity)
	f.instant(&r.ExpiresAt, r.CreatedAt)
	f.text(&r.ReferenceType)
	f.text(&r.ReferenceID)
}

func (r *reservation) mutable(f *form) {
	word(f, reservationStatuses, &r.Status)
	f.number(&r.FulfilledQuantity)
}

func (r *reservation) private(f *form) {
	r.changed(f, &r.UpdatedAt, r.CreatedAt)
	n := f.count(len(r.Holds))
	if f.reads && n > 0 {
		r.Holds = make([]holding, n)
	}
	for i := range r.Holds {
		f.maybeID(&r.Holds[i].Lot)
		f.number(&r.Holds[i].Quantity)
	}
}

func (o *outbound) immutable(f *form) {
	at := place{o.ProductID, o.LocationID, o.OwnerID, o.ChannelID}
	f.id(&o.ID)
	at.fields(f)
	o.ProductID, o.LocationID, o.OwnerID, o.ChannelID = at.Product, at.Location, at.Owner, at.Channel
	o.made(f, &o.CreatedAt, &o.Actor, &o.CreatedBy, &o.Metadata)
	for _, s := range []*string{&o.CustomerName, &o.ExternalOrderType, &o.ExternalOrderID, &o.ReferenceType, &o.ReferenceID} {
		f.text(s)
	}
	f.maybeInstants(o.CreatedAt, &o.ExpectedShipAt)
	n := f.count(len(o.Lines))
	if f.reads {
		o.Lines = make([]api.OutboundLine, n)
	}
	for i := range o.Lines {
		l := &o.Lines[i]
		f.id(&l.ID)
		f.otherID(&l.ProductID, o.ProductID)
		f.number(&l.RequestedQuantity)
		l.OutboundID, l.LocationID, l.OwnerID, l.ChannelID, l.CreatedAt = o.ID, o.LocationID, o.OwnerID, o.ChannelID, o.CreatedAt
	}
}

func (o *outbound) mutable(f *form) {
	word(f, outboundStatuses, &o.Status)
	f.number(&o.Version)
	f.maybeInstants(o.CreatedAt, &o.AllocatedAt, &o.FulfilledAt, &o.CancelledAt)
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
		l.Settle()
		o.Progress = o.Progress.Add(l.Progress)
		f.instant(&l.UpdatedAt, o.CreatedAt)
		n := f.count(len(l.Serials))
		if f.reads {
			l.Serials = make([]api.OutboundLineSerial, n)
		}
		for k := range l.Serials {
			o.serialFields(f, l, &l.Serials[k])
		}
	}
}

// serialFields are those of a piece that goes out with a line. Most of it is
// as the line has it.
func (o *outbound) serialFields(f *form, l *api.OutboundLine, x *api.OutboundLineSerial) {
	f.id(&x.ID)
	f.id(&x.SerialID)
	f.maybeInstants(o.CreatedAt, &x.PickedAt, &x.PackedAt, &x.ShippedAt)
	s := &x.Serial
	s.ID = x.SerialID
	f.text(&s.SerialNumber)
	word(f, serialStatuses, &s.Status)
	f.otherID(&s.ProductID, l.ProductID)
	f.otherID(&s.LocationID, l.LocationID)
	f.otherID(&s.OwnerID, l.OwnerID)
	f.otherID(&s.ChannelID, l.ChannelID)
	f.maybeID(&s.LotID)
}

func (o *outbound) private(f *form) {
	o.changed(f, &o.UpdatedAt, o.CreatedAt)
	n := f.count(len(o.Holds))
	if f.reads {
		o.Holds = make([][]hold, n)
	}
	for i := range o.Holds {
		n := f.count(len(o.Holds[i]))
		if f.reads {
			o.Holds[i] = make([]hold, n)
		}
		for k := range o.Holds[i] {
			h := &o.Holds[i][k]
			f.maybeID(&h.Lot)
			for _, q := range []*int64{&h.Allocated, &h.Picked, &h.Packed, &h.Fulfilled, &h.Shipped} {
				f.number(q)
			}
			h.Sent = f.ids(h.Sent)
		}
	}
}

// ids is a list of ids; an empty one is read as none.
func (f *form) ids(list []api.ID) []api.ID {
	n := f.count(len(list))
	if f.reads {
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

// otherID is an id that mostly is a known one.
func (f *form) otherID(p *api.ID, known api.ID) {
	if f.reads {
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
