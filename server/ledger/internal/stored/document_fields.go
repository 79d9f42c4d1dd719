package stored

import (
	"slices"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store/wire"
)

// The fields of the documents, in row order. Values that can be derived are not
// stored: the partition, sums, and the fields that a line shares with its outbound.

func (p *StockKey) fields(f *journal.FieldCodec) {
	for _, id := range []*api.ID{&p.Product, &p.Location, &p.Owner, &p.Channel} {
		f.ID(id)
	}
}

// createdFields lists who created a document and when.
func createdFields(
	s *journal.Revision,
	f *journal.FieldCodec,
	at *time.Time,
	actor *api.Actor,
	by **api.Actor,
	m *api.Metadata,
) {
	f.Counter(&s.Seq)
	f.Instant(at, time.Time{})
	f.Actor(actor)
	f.OptionalActor(by)
	f.Metadata(m)
}

// updatedFields lists the newest change of a document.
func updatedFields(s *journal.Revision, f *journal.FieldCodec, at *time.Time, created time.Time) {
	f.Counter(&s.Last)
	f.Instant(at, created)
}

// Immutable lists the fields of an inbound that never change.
func (in *Inbound) Immutable(f *journal.FieldCodec) {
	at := in.StockKey()
	f.ID(&in.ID)
	at.fields(f)
	in.ProductID, in.LocationID, in.OwnerID, in.ChannelID = at.Product, at.Location, at.Owner, at.Channel
	createdFields(&in.Revision, f, &in.CreatedAt, &in.Actor, &in.CreatedBy, &in.Metadata)
	f.Number(&in.ExpectedQuantity)
	for _, s := range []*string{&in.SupplierName, &in.SupplierReference, &in.ExternalOrderType, &in.ExternalOrderID, &in.ReferenceType, &in.ReferenceID} {
		f.Text(s)
	}

	f.OptionalInstants(in.CreatedAt, &in.ExpectedAt)
}

// Added lists the details of an inbound. One that it lacks takes no space, and leaves the
// checksum as it was.
func (in *Inbound) Added(part journal.RowPart, f *wire.Fields) {
	if part != journal.ImmutablePart {
		return
	}
	for i, detail := range in.Details() {
		f.Text(i+1, detail.Text)
	}
}

// Mutable lists the fields of an inbound that writes change and responses show.
func (in *Inbound) Mutable(f *journal.FieldCodec) {
	journal.EnumField(f, journal.InboundStatuses, &in.Status)
	f.Number(&in.ReceivedQuantity)
	f.Number(&in.Version)
	f.OptionalInstants(in.CreatedAt, &in.ReceivedAt, &in.ClosedAt, &in.CancelledAt)
}

// Private lists the fields of an inbound that no response shows.
func (in *Inbound) Private(f *journal.FieldCodec) {
	updatedFields(&in.Revision, f, &in.UpdatedAt, in.CreatedAt)
}

// Immutable lists the fields of a transfer that never change.
func (t *Transfer) Immutable(f *journal.FieldCodec) {
	for _, id := range []*api.ID{&t.ID, &t.ProductID, &t.SourceLocationID, &t.DestinationLocationID, &t.OwnerID, &t.ChannelID} {
		f.ID(id)
	}
	createdFields(&t.Revision, f, &t.CreatedAt, &t.Actor, &t.CreatedBy, &t.Metadata)
	f.Number(&t.Quantity)
	f.Text(&t.ReferenceType)
	f.Text(&t.ReferenceID)
}

// Mutable lists the fields of a transfer that writes change and responses show.
func (t *Transfer) Mutable(f *journal.FieldCodec) {
	journal.EnumField(f, journal.TransferStatuses, &t.Status)
	f.Number(&t.ShippedQuantity)
	f.Number(&t.ReceivedQuantity)
	f.Text(&t.CloseReason)
	f.OptionalInstants(t.CreatedAt, &t.ShippedAt, &t.ReceivedAt, &t.ClosedAt, &t.CancelledAt)
	t.UpdatePending()
}

// Private lists the fields of a transfer that no response shows.
func (t *Transfer) Private(f *journal.FieldCodec) {
	updatedFields(&t.Revision, f, &t.UpdatedAt, t.CreatedAt)
	n := f.Count(len(t.Transit))
	if f.Decoding && n > 0 {
		t.Transit = make([]InTransit, n)
	}

	for i := range t.Transit {
		x := &t.Transit[i]
		f.OptionalID(&x.Lot)
		f.Number(&x.Quantity)
		x.Serials = ids(f, x.Serials)
	}
}

// Immutable lists the fields of a reservation that never change.
func (r *Reservation) Immutable(f *journal.FieldCodec) {
	at := r.StockKey()
	f.ID(&r.ID)
	at.fields(f)
	r.ProductID, r.LocationID, r.OwnerID, r.ChannelID = at.Product, at.Location, at.Owner, at.Channel
	createdFields(&r.Revision, f, &r.CreatedAt, &r.Actor, &r.CreatedBy, &r.Metadata)
	f.Number(&r.Quantity)
	f.Instant(&r.ExpiresAt, r.CreatedAt)
	f.Text(&r.ReferenceType)
	f.Text(&r.ReferenceID)
}

// Mutable lists the fields of a reservation that writes change and responses show.
func (r *Reservation) Mutable(f *journal.FieldCodec) {
	journal.EnumField(f, journal.ReservationStatuses, &r.Status)
	f.Number(&r.FulfilledQuantity)
}

// Private lists the fields of a reservation that no response shows.
func (r *Reservation) Private(f *journal.FieldCodec) {
	updatedFields(&r.Revision, f, &r.UpdatedAt, r.CreatedAt)
	n := f.Count(len(r.Holds))
	if f.Decoding && n > 0 {
		r.Holds = make([]LotHold, n)
	}
	for i := range r.Holds {
		f.OptionalID(&r.Holds[i].Lot)
		f.Number(&r.Holds[i].Quantity)
	}
}

// Immutable lists the fields of an outbound that never change.
func (o *Outbound) Immutable(f *journal.FieldCodec) {
	at := StockKey{o.ProductID, o.LocationID, o.OwnerID, o.ChannelID}
	f.ID(&o.ID)
	at.fields(f)
	o.ProductID, o.LocationID, o.OwnerID, o.ChannelID = at.Product, at.Location, at.Owner, at.Channel
	createdFields(&o.Revision, f, &o.CreatedAt, &o.Actor, &o.CreatedBy, &o.Metadata)
	for _, s := range []*string{&o.CustomerName, &o.ExternalOrderType, &o.ExternalOrderID, &o.ReferenceType, &o.ReferenceID} {
		f.Text(s)
	}

	f.OptionalInstants(o.CreatedAt, &o.ExpectedShipAt)
	n := f.Count(len(o.Lines))
	if f.Decoding {
		o.Lines = make([]api.OutboundLine, n)
	}

	for i := range o.Lines {
		l := &o.Lines[i]
		f.ID(&l.ID)
		idUnlessKnown(f, &l.ProductID, o.ProductID)
		f.Number(&l.RequestedQuantity)
		l.OutboundID, l.LocationID, l.OwnerID, l.ChannelID, l.CreatedAt = o.ID, o.LocationID, o.OwnerID, o.ChannelID, o.CreatedAt
	}
}

// Mutable lists the fields of an outbound that writes change and responses show.
func (o *Outbound) Mutable(f *journal.FieldCodec) {
	journal.EnumField(f, journal.OutboundStatuses, &o.Status)
	f.Number(&o.Version)
	f.OptionalInstants(o.CreatedAt, &o.AllocatedAt, &o.FulfilledAt, &o.CancelledAt)
	if n := f.Count(len(o.Lines)); n != len(o.Lines) {
		f.In.Fail()
		return
	}

	o.Progress = api.Progress{}
	for i := range o.Lines {
		l := &o.Lines[i]
		for _, q := range []*int64{&l.AllocatedQuantity, &l.PickedQuantity, &l.PackedQuantity, &l.FulfilledQuantity} {
			f.Number(q)
		}

		l.UpdatePending()
		o.Progress = o.Progress.Add(l.Progress)
		f.Instant(&l.UpdatedAt, o.CreatedAt)
		n := f.Count(len(l.Serials))
		if f.Decoding {
			l.Serials = make([]api.OutboundLineSerial, n)
		}
		for k := range l.Serials {
			o.serialFields(f, l, &l.Serials[k])
		}
	}
}

// serialFields lists the fields of a serial on a line. Most are the same as the line's.
func (o *Outbound) serialFields(f *journal.FieldCodec, l *api.OutboundLine, x *api.OutboundLineSerial) {
	f.ID(&x.ID)
	f.ID(&x.SerialID)
	f.OptionalInstants(o.CreatedAt, &x.PickedAt, &x.PackedAt, &x.ShippedAt)
	s := &x.Serial
	s.ID = x.SerialID
	f.Text(&s.SerialNumber)
	journal.EnumField(f, journal.SerialStatuses, &s.Status)
	idUnlessKnown(f, &s.ProductID, l.ProductID)
	idUnlessKnown(f, &s.LocationID, l.LocationID)
	idUnlessKnown(f, &s.OwnerID, l.OwnerID)
	idUnlessKnown(f, &s.ChannelID, l.ChannelID)
	f.OptionalID(&s.LotID)
}

// Private lists the fields of an outbound that no response shows.
func (o *Outbound) Private(f *journal.FieldCodec) {
	updatedFields(&o.Revision, f, &o.UpdatedAt, o.CreatedAt)
	n := f.Count(len(o.Holds))
	if f.Decoding {
		o.Holds = make([][]Hold, n)
	}

	for i := range o.Holds {
		n := f.Count(len(o.Holds[i]))
		if f.Decoding {
			o.Holds[i] = make([]Hold, n)
		}

		for k := range o.Holds[i] {
			h := &o.Holds[i][k]
			f.OptionalID(&h.Lot)
			for _, q := range []*int64{&h.Allocated, &h.Picked, &h.Packed, &h.Fulfilled, &h.Shipped} {
				f.Number(q)
			}
			h.Sent = ids(f, h.Sent)
		}
	}
}

// Added lists the fields of an outbound that came after format 3. The holds are numbered from
// 16 on; the numbers before are left to other fields.
func (o *Outbound) Added(part journal.RowPart, f *wire.Fields) {
	if part != journal.PrivatePart {
		return
	}

	number := 16
	for i := range o.Holds {
		for k := range o.Holds[i] {
			f.Int(number, &o.Holds[i][k].Exchanged)
			number++
		}
	}
}

// ids codes a list of ids; an empty one is decoded as nil.
func ids(f *journal.FieldCodec, list []api.ID) []api.ID {
	n := f.Count(len(list))
	if f.Decoding {
		list = nil
		if n > 0 {
			list = slices.Grow(list, n)[:n]
		}
	}

	for i := range list {
		f.ID(&list[i])
	}

	return list
}

// idUnlessKnown codes an id that usually equals known.
func idUnlessKnown(f *journal.FieldCodec, p *api.ID, known api.ID) {
	if f.Decoding {
		if *p = known; f.In.Byte() == 1 {
			f.ID(p)
		}
		return
	}

	if *p == known {
		f.Out = append(f.Out, 0)
		return
	}

	f.Out = append(f.Out, 1)
	f.ID(p)
}
