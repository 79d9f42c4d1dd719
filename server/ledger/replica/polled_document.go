package replica

import (
	"errors"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// Inbound sets an inbound as the service returned it.
func (r *Tx) Inbound(doc *api.Inbound) error {
	if err := r.setRefs(doc.Product, doc.Owner, doc.Channel, doc.Location); err != nil {
		return err
	}

	row := &stored.Inbound{Inbound: *doc, Revision: journal.Revision{Seq: r.raiseCounterTo(doc.CreatedAt)}}
	if err := stored.Inbounds.Put(r.tx, row); err != nil {
		return err
	}

	r.markRecount(row.StockKey())

	return nil
}

// Transfer sets a transfer as the service returned it.
func (r *Tx) Transfer(doc *api.Transfer) error {
	if err := r.setRefs(doc.Product, doc.Owner, doc.Channel, doc.SourceLocation, doc.DestinationLocation); err != nil {
		return err
	}

	row := &stored.Transfer{Transfer: *doc, Revision: journal.Revision{Seq: r.raiseCounterTo(doc.CreatedAt)}}
	row.UpdatePending()
	if q := row.PendingReceiveQuantity; q > 0 {
		row.Transit = []stored.InTransit{{Quantity: q}}
	}
	if err := stored.Transfers.Put(r.tx, row); err != nil {
		return err
	}

	r.markRecount(row.Source(), row.Destination())

	return nil
}

// Reservation sets a reservation as the service returned it.
func (r *Tx) Reservation(doc *api.Reservation) error {
	if err := r.setRefs(doc.Product, doc.Owner, doc.Channel, doc.Location); err != nil {
		return err
	}

	row := &stored.Reservation{Reservation: *doc, Revision: journal.Revision{Seq: r.raiseCounterTo(doc.CreatedAt)}}
	if _, holds := row.State(); holds {
		row.Holds = []stored.LotHold{{Quantity: doc.Quantity - doc.FulfilledQuantity}}
	}
	if err := stored.Reservations.Put(r.tx, row); err != nil {
		return err
	}

	r.markRecount(row.StockKey())

	return nil
}

// Outbound sets an outbound as the service returned it.
func (r *Tx) Outbound(doc *api.Outbound) error {
	if err := r.setRefs(doc.Product, doc.Owner, doc.Channel, doc.Location); err != nil {
		return err
	}

	row := &stored.Outbound{Outbound: *doc, Revision: journal.Revision{Seq: r.raiseCounterTo(doc.CreatedAt)}}
	var at []stored.StockKey
	for i := range row.Lines {
		l := &row.Lines[i]
		if err := r.setProductRef(l.Product); err != nil {
			return err
		}

		held := stored.Hold{
			Allocated: l.AllocatedQuantity,
			Picked:    l.PickedQuantity,
			Packed:    l.PackedQuantity,
			Fulfilled: l.FulfilledQuantity,
		}

		row.Holds = append(row.Holds, []stored.Hold{held})
		at = append(at, row.StockKey(i))
		for _, s := range l.Serials {
			p := &stored.Serial{Serial: s.Serial, State: stored.Available, Seq: row.Seq}
			if s.Serial.Status == api.Picked || s.Serial.Status == api.Packed {
				p.Holder = doc.ID
			}
			if err := stored.Serials.Put(r.tx, p); err != nil {
				return err
			}
		}
	}

	if err := stored.Outbounds.Put(r.tx, row); err != nil {
		return err
	}

	r.markRecount(at...)

	return nil
}

func (r *Tx) setRefs(p *api.ProductRef, owner, channel *api.PlaceRef, at ...*api.PlaceRef) error {
	if err := r.setProductRef(p); err != nil {
		return err
	}
	if err := r.setPlaceRef(stored.Owners, owner); err != nil {
		return err
	}
	if err := r.setPlaceRef(stored.Channels, channel); err != nil {
		return err
	}
	for _, ref := range at {
		if err := r.setPlaceRef(stored.Locations, ref); err != nil {
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
func (r *Tx) OpenDocuments(product api.ID) (o OpenDocuments, err error) {
	span := store.Range{}
	if product != api.NoID {
		span = store.Prefix(product[:])
	}

	err = errors.Join(
		eachOpen(r, stored.Inbounds, span, func(d *stored.Inbound) { o.Inbounds = append(o.Inbounds, d.Inbound) }),
		eachOpen(r, stored.Transfers, span, func(d *stored.Transfer) { o.Transfers = append(o.Transfers, d.Transfer) }),
		eachOpen(r, stored.Reservations, span,
			func(d *stored.Reservation) { o.Reservations = append(o.Reservations, d.Reservation) }),
		eachOpen(r, stored.Outbounds, span, func(d *stored.Outbound) { o.Outbounds = append(o.Outbounds, d.Outbound) }),
	)

	return o, err
}

// eachOpen calls fn for the open documents of a table.
func eachOpen[T any, P stored.Document[T]](r *Tx, t *store.Table[T], span store.Range, fn func(*T)) error {
	return t.ScanIndex(r.read.Reader, "product", span, func(d *T) error {
		if P(d).IsOpen() {
			fn(d)
		}
		return nil
	})
}

// recountHeld recomputes what open documents hold of balances.
func (r *Tx) recountHeld() error {
	for at := range r.recount {
		b, err := r.balanceOf(at)
		if err != nil {
			return err
		}
		if b == nil {
			continue
		}

		span := store.Prefix(at.Product[:])
		var held [8]int64
		err = errors.Join(
			eachOpen(r, stored.Inbounds, span, func(d *stored.Inbound) {
				if d.StockKey() == at {
					held[stored.Incoming] += d.Pending()
				}
			}),
			eachOpen(r, stored.Transfers, span, func(d *stored.Transfer) {
				if d.Destination() == at {
					held[stored.Incoming] += d.PendingReceiveQuantity
				}
			}),
			eachOpen(r, stored.Reservations, span, func(d *stored.Reservation) {
				if state, _ := d.State(); d.StockKey() == at {
					held[state] += d.Quantity - d.FulfilledQuantity
				}
			}),
			eachOpen(r, stored.Outbounds, span, func(d *stored.Outbound) {
				for i := range d.Lines {
					if d.StockKey(i) == at {
						held[stored.Committed] += d.Lines[i].PendingFulfillmentQuantity
					}
				}
			}))
		if err != nil {
			return err
		}

		if held != b.HeldByDocuments {
			b.HeldByDocuments = held
			if err := stored.Balances.Put(r.tx, b); err != nil {
				return err
			}
		}
	}

	return nil
}

// Document returns a pointer to the inbound, transfer, reservation or outbound with
// the id, or nil.
func (r *Tx) Document(id api.ID) (any, error) {
	in, err := stored.Inbounds.Get(r.read.Reader, id[:])
	if err != nil {
		return nil, err
	}
	if in != nil {
		return &in.Inbound, nil
	}

	t, err := stored.Transfers.Get(r.read.Reader, id[:])
	if err != nil {
		return nil, err
	}
	if t != nil {
		return &t.Transfer, nil
	}

	res, err := stored.Reservations.Get(r.read.Reader, id[:])
	if err != nil {
		return nil, err
	}
	if res != nil {
		return &res.Reservation, nil
	}

	out, err := stored.Outbounds.Get(r.read.Reader, id[:])
	if err != nil || out == nil {
		return nil, err
	}

	return &out.Outbound, nil
}
