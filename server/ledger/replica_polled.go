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

// remoteIDTable leads from the id that a balance would have here to the one that
// the service calls it by, where that is another one.
const remoteIDTable = "called"

// BeginPolled begins a replica that is read by the documented operations.
func (r *Replica) BeginPolled() error {
	if r.pos.Known {
		return errors.New("the replica has already started")
	}
	r.pos.Known, r.pos.Polled = true, true
	return nil
}

// SetOrganization takes the organization, as far as it is known by now.
func (r *Replica) SetOrganization(org api.Organization) error { return ownOrganization.Put(r.tx, &org) }

// FinishCycle ends a round of reading: the replica is whole, and has all up to the
// instant of the service's clock.
func (r *Replica) FinishCycle(at time.Time) error {
	r.pos.Complete = true
	if at.After(r.pos.SyncedUntil) {
		r.pos.SyncedUntil = at
	}
	r.raiseCounterTo(at)
	return r.raiseCounter(nil)
}

// raiseCounterTo keeps the partition's counter past all that it was told, so that what
// is done over it comes after.
func (r *Replica) raiseCounterTo(at time.Time) uint64 {
	seq := seqAt(at)
	r.pos.Seq = max(r.pos.Seq, int64(seq))
	return seq
}

// seqAt is the place in the lists of what was made at an instant.
func seqAt(at time.Time) uint64 {
	return uint64(max(0, at.UnixMilli()-time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli())) << 6
}

// SetBalanceRow takes a balance as the snapshot report shows it.
func (r *Replica) SetBalanceRow(row *api.SnapshotRow) error {
	at := stockKey{row.ProductID, row.LocationID, row.OwnerID, row.ChannelID}
	err := errors.Join(
		r.setProductRef(&api.ProductRef{ID: row.ProductID, SKU: row.ProductSKU, Name: row.ProductName}),
		r.setPlaceRef(locations, &api.PlaceRef{ID: row.LocationID, Code: row.LocationCode, Name: row.LocationName}),
		r.setPlaceRef(owners, &api.PlaceRef{ID: row.OwnerID, Code: row.OwnerCode, Name: row.OwnerName}),
		r.setPlaceRef(channels, &api.PlaceRef{ID: row.ChannelID, Code: row.ChannelCode, Name: row.ChannelName}))
	if err != nil {
		return err
	}
	b, err := r.rd.balance(row.ID)
	if err != nil {
		return err
	}
	if b == nil {
		b = &balance{ID: row.ID, Version: 1, Operations: ^uint64(0),
			key: &balanceKey{ID: row.ID, stockKey: at, Seq: r.raiseCounterTo(row.UpdatedAt), CreatedAt: row.UpdatedAt}}
		if err := balanceKeys.Insert(r.tx, b.key); err != nil {
			return err
		}
		if id := balanceID(r.rd.p, at); id != row.ID {
			if err := r.tx.Put(remoteIDTable, id[:], row.ID[:]); err != nil {
				return err
			}
		}
		b.Last = b.key.Seq
		r.markRecount(at) // documents may have come before it
	}
	if q := byState(row.Quantities); q != b.Q {
		b.Q, b.Last = q, max(b.Last, r.raiseCounterTo(row.UpdatedAt))
	}
	b.Updated = row.UpdatedAt
	if err := r.tx.Put(historyTable, historyKey(b.ID, b.key.Seq), appendQuantities([]byte{openingEntry}, &b.Q)); err != nil {
		return err
	}
	return balances.Put(r.tx, b)
}

// balanceByRemoteID is the balance that the service calls by another id, or nil.
func (rd *readTx) balanceByRemoteID(id api.ID) (*balance, error) {
	data, err := rd.r.Get(remoteIDTable, id[:])
	if err != nil || data == nil {
		return nil, err
	}
	return rd.balance(api.ID(data))
}

// ViewReplica reads the replica in a partition.
func ViewReplica(ctx context.Context, st store.Store, p store.Partition, fn func(*Replica) error) error {
	return st.View(ctx, p, func(rd store.Reader) error {
		at, err := readReplicaPosition(rd)
		if err != nil {
			return err
		}
		return fn(&Replica{rd: &readTx{r: rd, p: p}, pos: at})
	})
}

// BalanceRow is the balance of a place as the snapshot report would show it, nil
// where it is not known.
func (r *Replica) BalanceRow(product, location, owner, channel api.ID) (*api.SnapshotRow, error) {
	b, err := r.balanceOf(stockKey{product, location, owner, channel})
	if b == nil || err != nil {
		return nil, err
	}
	row := r.rd.snapshotRow(b)
	return &row, nil
}

func (r *Replica) balanceOf(at stockKey) (*balance, error) {
	id := balanceID(r.rd.p, at)
	b, err := r.rd.balance(id)
	if b == nil && err == nil {
		b, err = r.rd.balanceByRemoteID(id)
	}
	return b, err
}

// ConfirmKey notes that the replica holds what the operation with a key did. Its
// answer can be had from the service alone.
func (r *Replica) ConfirmKey(key, operation string, at time.Time) error {
	rec, err := r.rd.entryOfKey(key)
	if rec != nil || err != nil {
		return err
	}
	r.pos.Seq++
	rec = &entry{Seq: uint64(r.pos.Seq), At: at, Spec: operation, Key: key, Actor: api.Actor{Type: api.SystemJob, Label: "service"}}
	if err := journal.Insert(r.tx, rec); err != nil {
		return err
	}
	return (&writeTx{readTx: r.rd, tx: r.tx, entry: *rec}).saveKey()
}

// setProductRef takes what a product is called.
func (r *Replica) setProductRef(ref *api.ProductRef) error {
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

// setPlaceRef takes what a location, an owner or a channel is called. Some say no type.
func (r *Replica) setPlaceRef(t *store.Table[placeRow], ref *api.PlaceRef) error {
	if ref == nil {
		return nil
	}
	e, err := t.Get(r.tx, ref.ID[:])
	if err != nil || e != nil && e.Code == ref.Code && e.Name == ref.Name && (ref.Type == "" || ref.Type == e.Type) {
		return err
	}
	if e == nil {
		e = &placeRow{Place: api.Place{ID: ref.ID, OrganizationID: r.rd.p.Organization, Environment: api.Environment(r.rd.p.Environment)}}
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
	return mostFrequent(of), mostFrequent(in), err
}

func mostFrequent(counts map[api.ID]int) (id api.ID) {
	for x, n := range counts {
		if n > counts[id] || n == counts[id] && slices.Compare(x[:], id[:]) < 0 {
			id = x
		}
	}
	return id
}
