package ledger

import (
	"context"
	"errors"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/server/store"
)

// A replica of a service that has the documented operations alone is made of
// its reports and lists. It knows no lot and no tracking, of goods what they are
// called, and of documents those that it was told.

// calledTable leads from the id that a balance would have here to the one that
// the service calls it by, where that is another one.
const calledTable = "called"

// BeginPlainly begins a replica that is read by the documented operations.
func (r *Replica) BeginPlainly() error {
	if r.at.Known {
		return errors.New("the replica has begun already")
	}
	r.at.Known, r.at.Plainly = true, true
	return nil
}

// Home takes the organization, as far as it is known by now.
func (r *Replica) Home(org api.Organization) error { return homes.Put(r.tx, &org) }

// Upto ends a round of reading: the replica is whole, and has all up to the
// instant of the service's clock.
func (r *Replica) Upto(at time.Time) error {
	r.at.Whole = true
	if at.After(r.at.Upto) {
		r.at.Upto = at
	}
	r.raise(at)
	return r.count(nil)
}

// raise keeps the partition's counter past all that it was told, so that what
// is done over it comes after.
func (r *Replica) raise(at time.Time) uint64 {
	seq := seqAt(at)
	r.at.Seq = max(r.at.Seq, int64(seq))
	return seq
}

// seqAt is the place in the lists of what was made at an instant.
func seqAt(at time.Time) uint64 {
	return uint64(max(0, at.UnixMilli()-time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli())) << 6
}

// Row takes a balance as the snapshot report shows it.
func (r *Replica) Row(row *api.SnapshotRow) error {
	at := place{row.ProductID, row.LocationID, row.OwnerID, row.ChannelID}
	err := errors.Join(
		r.goods(&api.ProductRef{ID: row.ProductID, SKU: row.ProductSKU, Name: row.ProductName}),
		r.named(locations, &api.PlaceRef{ID: row.LocationID, Code: row.LocationCode, Name: row.LocationName}),
		r.named(owners, &api.PlaceRef{ID: row.OwnerID, Code: row.OwnerCode, Name: row.OwnerName}),
		r.named(channels, &api.PlaceRef{ID: row.ChannelID, Code: row.ChannelCode, Name: row.ChannelName}))
	if err != nil {
		return err
	}
	b, err := r.rd.balance(row.ID)
	if err != nil {
		return err
	}
	if b == nil {
		b = &balance{ID: row.ID, Version: 1, Seen: ^uint64(0),
			key: &balanceKey{ID: row.ID, place: at, Seq: r.raise(row.UpdatedAt), CreatedAt: row.UpdatedAt}}
		if err := balanceKeys.Insert(r.tx, b.key); err != nil {
			return err
		}
		if id := balanceID(r.rd.p, at); id != row.ID {
			if err := r.tx.Put(calledTable, id[:], row.ID[:]); err != nil {
				return err
			}
		}
		b.Last = b.key.Seq
		r.held(at) // documents may have come before it
	}
	if q := byState(row.Quantities); q != b.Q {
		b.Q, b.Last = q, max(b.Last, r.raise(row.UpdatedAt))
	}
	b.Updated = row.UpdatedAt
	if err := r.tx.Put(historyTable, historyKey(b.ID, b.key.Seq), appendQuantities([]byte{opening}, &b.Q)); err != nil {
		return err
	}
	return balances.Put(r.tx, b)
}

// called is the balance that the service calls by another id, or nil.
func (rd *reading) called(id api.ID) (*balance, error) {
	data, err := rd.r.Get(calledTable, id[:])
	if err != nil || data == nil {
		return nil, err
	}
	return rd.balance(api.ID(data))
}

// Look reads the replica in a partition.
func Look(ctx context.Context, st store.Store, p store.Partition, fn func(*Replica) error) error {
	return st.View(ctx, p, func(rd store.Reader) error {
		at, err := replicaAt(rd)
		if err != nil {
			return err
		}
		return fn(&Replica{rd: &reading{r: rd, p: p}, at: at})
	})
}

// Standing is the balance of a place as the snapshot report would show it, nil
// where it is not known.
func (r *Replica) Standing(product, location, owner, channel api.ID) (*api.SnapshotRow, error) {
	b, err := r.balanceOf(place{product, location, owner, channel})
	if b == nil || err != nil {
		return nil, err
	}
	row := r.rd.snapshotRow(b)
	return &row, nil
}

func (r *Replica) balanceOf(at place) (*balance, error) {
	id := balanceID(r.rd.p, at)
	b, err := r.rd.balance(id)
	if b == nil && err == nil {
		b, err = r.rd.called(id)
	}
	return b, err
}

// Kept notes that the replica holds what the operation with a key did. Its
// answer can be had from the service alone.
func (r *Replica) Kept(key, operation string, at time.Time) error {
	rec, err := r.rd.recordOf(key)
	if rec != nil || err != nil {
		return err
	}
	r.at.Seq++
	rec = &record{Seq: uint64(r.at.Seq), At: at, Spec: operation, Key: key, Actor: api.Actor{Type: api.SystemJob, Label: "service"}}
	if err := records.Insert(r.tx, rec); err != nil {
		return err
	}
	return (&change{reading: r.rd, tx: r.tx, rec: *rec}).settleKey()
}

// goods takes what a product is called.
func (r *Replica) goods(ref *api.ProductRef) error {
	if ref == nil {
		return nil
	}
	p, err := products.Get(r.tx, ref.ID[:])
	if err != nil {
		return err
	}
	if p != nil && p.SKU == ref.SKU && p.Name == ref.Name {
		return nil
	}
	if p == nil {
		p = &product{Product: api.Product{ID: ref.ID, OrganizationID: r.rd.p.Organization, Environment: api.Environment(r.rd.p.Environment),
			Barcodes: []string{}, BaseUnitCode: "piece", Units: []api.Unit{}, Components: []api.Component{},
			Tracking: api.TrackNone, Status: api.Active}}
	}
	p.SKU, p.Name = ref.SKU, ref.Name
	return products.Put(r.tx, p)
}

// named takes what a location, an owner or a channel is called. Some say no type.
func (r *Replica) named(t *store.Table[entity], ref *api.PlaceRef) error {
	if ref == nil {
		return nil
	}
	e, err := t.Get(r.tx, ref.ID[:])
	if err != nil || e != nil && e.Code == ref.Code && e.Name == ref.Name && (ref.Type == "" || ref.Type == e.Type) {
		return err
	}
	if e == nil {
		e = &entity{Place: api.Place{ID: ref.ID, OrganizationID: r.rd.p.Organization, Environment: api.Environment(r.rd.p.Environment)}}
	}
	e.Code, e.Name = ref.Code, ref.Name
	if ref.Type != "" {
		e.Type = ref.Type
	}
	return t.Put(r.tx, e)
}

// Defaults are the owner and the channel that most balances are of: whoever
// names none means these, as far as can be known without being told.
func (r *Replica) Defaults() (owner, channel api.ID, err error) {
	of, in := map[api.ID]int{}, map[api.ID]int{}
	err = balanceKeys.Scan(r.rd.r, store.Range{}, func(k *balanceKey) error {
		of[k.Owner]++
		in[k.Channel]++
		return nil
	})
	return most(of), most(in), err
}

func most(counts map[api.ID]int) (id api.ID) {
	for x, n := range counts {
		if n > counts[id] || n == counts[id] && slices.Compare(x[:], id[:]) < 0 {
			id = x
		}
	}
	return id
}
