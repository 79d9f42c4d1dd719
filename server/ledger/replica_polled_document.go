package ledger

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// Inbound sets an inbound as the service returned it.
func (r *Replica) Inbound(doc *api.Inbound) error {
	if err := r.setRefs(doc.Product, doc.Owner, doc.Channel, doc.Location); err != nil {
		return err
	}
	row := &inbound{Inbound: *doc, Revision: journal.Revision{Seq: r.raiseCounterTo(doc.CreatedAt)}}
	if err := inbounds.Put(r.tx, row); err != nil {
		return err
	}
	r.markRecount(row.stockKey())
	return nil
}

// Transfer sets a transfer as the service returned it.
func (r *Replica) Transfer(doc *api.Transfer) error {
	if err := r.setRefs(doc.Product, doc.Owner, doc.Channel, doc.SourceLocation, doc.DestinationLocation); err != nil {
		return err
	}
	row := &transfer{Transfer: *doc, Revision: journal.Revision{Seq: r.raiseCounterTo(doc.CreatedAt)}}
	row.updatePending()
	if q := row.PendingReceiveQuantity; q > 0 {
		row.Transit = []inTransit{{Quantity: q}}
	}
	if err := transfers.Put(r.tx, row); err != nil {
		return err
	}
	r.markRecount(row.source(), row.destination())
	return nil
}

// Reservation sets a reservation as the service returned it.
func (r *Replica) Reservation(doc *api.Reservation) error {
	if err := r.setRefs(doc.Product, doc.Owner, doc.Channel, doc.Location); err != nil {
		return err
	}
	row := &reservation{Reservation: *doc, Revision: journal.Revision{Seq: r.raiseCounterTo(doc.CreatedAt)}}
	if _, holds := row.state(); holds {
		row.Holds = []lotHold{{Quantity: doc.Quantity - doc.FulfilledQuantity}}
	}
	if err := reservations.Put(r.tx, row); err != nil {
		return err
	}
	r.markRecount(row.stockKey())
	return nil
}

// Outbound sets an outbound as the service returned it.
func (r *Replica) Outbound(doc *api.Outbound) error {
	if err := r.setRefs(doc.Product, doc.Owner, doc.Channel, doc.Location); err != nil {
		return err
	}
	row := &outbound{Outbound: *doc, Revision: journal.Revision{Seq: r.raiseCounterTo(doc.CreatedAt)}}
	var at []stockKey
	for i := range row.Lines {
		l := &row.Lines[i]
		if err := r.setProductRef(l.Product); err != nil {
			return err
		}
		held := hold{Allocated: l.AllocatedQuantity, Picked: l.PickedQuantity, Packed: l.PackedQuantity, Fulfilled: l.FulfilledQuantity}
		row.Holds = append(row.Holds, []hold{held})
		at = append(at, row.stockKey(i))
		for _, s := range l.Serials {
			p := &serial{Serial: s.Serial, State: Available, Seq: row.Seq}
			if s.Serial.Status == api.Picked || s.Serial.Status == api.Packed {
				p.Holder = doc.ID
			}
			if err := serials.Put(r.tx, p); err != nil {
				return err
			}
		}
	}
	if err := outbounds.Put(r.tx, row); err != nil {
		return err
	}
	r.markRecount(at...)
	return nil
}

func (r *Replica) setRefs(p *api.ProductRef, owner, channel *api.PlaceRef, at ...*api.PlaceRef) error {
	if err := r.setProductRef(p); err != nil {
		return err
	}
	if err := r.setPlaceRef(owners, owner); err != nil {
		return err
	}
	if err := r.setPlaceRef(channels, channel); err != nil {
		return err
	}
	for _, ref := range at {
		if err := r.setPlaceRef(locations, ref); err != nil {
			return err
		}
	}
	return nil
}

// OpenDocuments are the documents that are open in the replica.
type OpenDocuments struct {
	Inbounds     []api.Inbound
	Transfers    []api.Transfer
	Reservations []api.Reservation
	Outbounds    []api.Outbound
}

// OpenDocuments reads the open documents of a product, or all for the zero id.
func (r *Replica) OpenDocuments(product api.ID) (o OpenDocuments, err error) {
	span := store.Range{}
	if product != (api.ID{}) {
		span = store.Prefix(product[:])
	}
	steps := []func() error{
		func() error {
			return inbounds.ScanIndex(r.read.r, "product", span, func(d *inbound) error {
				if d.Status.Open() {
					o.Inbounds = append(o.Inbounds, d.Inbound)
				}
				return nil
			})
		},
		func() error {
			return transfers.ScanIndex(r.read.r, "product", span, func(d *transfer) error {
				if d.Status == api.TransferInTransit {
					o.Transfers = append(o.Transfers, d.Transfer)
				}
				return nil
			})
		},
		func() error {
			return reservations.ScanIndex(r.read.r, "product", span, func(d *reservation) error {
				if _, holds := d.state(); holds {
					o.Reservations = append(o.Reservations, d.Reservation)
				}
				return nil
			})
		},
		func() error {
			return outbounds.ScanIndex(r.read.r, "product", span, func(d *outbound) error {
				if d.Status.Open() {
					o.Outbounds = append(o.Outbounds, d.Outbound)
				}
				return nil
			})
		},
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return o, err
		}
	}
	return o, nil
}

// markRecount schedules recomputing what documents hold of balances.
func (r *Replica) markRecount(list ...stockKey) {
	if r.recount == nil {
		r.recount = map[stockKey]bool{}
	}
	for _, at := range list {
		r.recount[at] = true
	}
}

// recountHeld recomputes what open documents hold of balances.
func (r *Replica) recountHeld() error {
	for at := range r.recount {
		b, err := r.balanceOf(at)
		if err != nil {
			return err
		}
		if b == nil {
			continue
		}
		open, err := r.OpenDocuments(at.Product)
		if err != nil {
			return err
		}
		var held [8]int64
		for _, d := range open.Inbounds {
			if (stockKey{d.ProductID, d.LocationID, d.OwnerID, d.ChannelID}) == at {
				held[Incoming] += d.Pending()
			}
		}
		for _, d := range open.Transfers {
			if (stockKey{d.ProductID, d.DestinationLocationID, d.OwnerID, d.ChannelID}) == at {
				held[Incoming] += d.PendingReceiveQuantity
			}
		}
		for _, d := range open.Reservations {
			row := reservation{Reservation: d}
			if state, _ := row.state(); row.stockKey() == at {
				held[state] += d.Quantity - d.FulfilledQuantity
			}
		}
		for i := range open.Outbounds {
			row := outbound{Outbound: open.Outbounds[i]}
			for l := range row.Lines {
				if row.stockKey(l) == at {
					held[Committed] += row.Lines[l].PendingFulfillmentQuantity
				}
			}
		}
		if held != b.HeldByDocuments {
			b.HeldByDocuments = held
			if err := balances.Put(r.tx, b); err != nil {
				return err
			}
		}
	}
	return nil
}

// Document returns a pointer to the inbound, transfer, reservation or outbound with
// the id, or nil.
func (r *Replica) Document(id api.ID) (any, error) {
	in, err := inbounds.Get(r.read.r, id[:])
	if err != nil {
		return nil, err
	}
	if in != nil {
		return &in.Inbound, nil
	}
	t, err := transfers.Get(r.read.r, id[:])
	if err != nil {
		return nil, err
	}
	if t != nil {
		return &t.Transfer, nil
	}
	res, err := reservations.Get(r.read.r, id[:])
	if err != nil {
		return nil, err
	}
	if res != nil {
		return &res.Reservation, nil
	}
	out, err := outbounds.Get(r.read.r, id[:])
	if err != nil || out == nil {
		return nil, err
	}
	return &out.Outbound, nil
}
