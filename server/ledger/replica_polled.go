package ledger

import (
	"context"
	"errors"
	"slices"
	"time"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// A polled replica follows a service that offers only the documented operations. It
// is built from reports and lists, so it has no lots or tracking, only the names of
// products, and only the documents that were listed.

// remoteIDTable maps the id that a balance would have here to the service's id, where
// they differ.
const remoteIDTable = "called"

// BeginPolled starts a polled replica.
func (r *Replica) BeginPolled() error {
	if r.pos.Known {
		return errors.New("the replica has already started")
	}
	r.pos.Known, r.pos.Polled = true, true
	return nil
}

// SetOrganization sets what is known of the organization.
func (r *Replica) SetOrganization(org api.Organization) error { return account.Own.Put(r.tx, &org) }

// FinishCycle ends a polling cycle: the replica is complete up to at, by the
// service's clock.
func (r *Replica) FinishCycle(at time.Time) error {
	r.pos.Complete = true
	if at.After(r.pos.SyncedUntil) {
		r.pos.SyncedUntil = at
	}
	r.raiseCounterTo(at)
	return r.raiseCounter(nil)
}

// raiseCounterTo raises the replica's sequence number to that of a time, and returns
// that of the time.
func (r *Replica) raiseCounterTo(at time.Time) uint64 {
	seq := seqAt(at)
	r.pos.Seq = max(r.pos.Seq, int64(seq))
	return seq
}

// seqAt derives a sequence number from a time, for sorting.
func seqAt(at time.Time) uint64 {
	return uint64(max(0, at.UnixMilli()-time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli())) << 6
}

// SetBalanceRow sets a balance from a row of the snapshot report.
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
	b, err := r.read.balance(row.ID)
	if err != nil {
		return err
	}
	if b == nil {
		b = &balance{ID: row.ID, Version: 1, Operations: ^uint64(0),
			key: &balanceKey{ID: row.ID, stockKey: at, Seq: r.raiseCounterTo(row.UpdatedAt), CreatedAt: row.UpdatedAt}}
		if err := balanceKeys.Insert(r.tx, b.key); err != nil {
			return err
		}
		if id := balanceID(r.read.p, at); id != row.ID {
			if err := r.tx.Put(remoteIDTable, id[:], row.ID[:]); err != nil {
				return err
			}
		}
		b.Last = b.key.Seq
		r.markRecount(at) // its documents may have been read before it
	}
	if q := byState(row.Quantities); q != b.Q {
		b.Q, b.Last = q, max(b.Last, r.raiseCounterTo(row.UpdatedAt))
	}
	b.Updated = row.UpdatedAt
	if err := r.tx.Put(historyTable, historyKey(b.ID, b.key.Seq), journal.AppendQuantities([]byte{openingEntry}, &b.Q)); err != nil {
		return err
	}
	return balances.Put(r.tx, b)
}

// balanceByRemoteID returns the balance that has another id at the service, or nil.
func (tx *readTx) balanceByRemoteID(id api.ID) (*balance, error) {
	data, err := tx.r.Get(remoteIDTable, id[:])
	if err != nil || data == nil {
		return nil, err
	}
	return tx.balance(api.ID(data))
}

// ViewReplica reads the replica in a partition.
func ViewReplica(ctx context.Context, st store.Store, p store.Partition, fn func(*Replica) error) error {
	return st.View(ctx, p, func(tx store.Reader) error {
		at, err := readReplicaPosition(tx)
		if err != nil {
			return err
		}
		return fn(&Replica{read: &readTx{r: tx, p: p}, pos: at})
	})
}

// BalanceRow returns a balance as a row of the snapshot report, or nil if unknown.
func (r *Replica) BalanceRow(product, location, owner, channel api.ID) (*api.SnapshotRow, error) {
	b, err := r.balanceOf(stockKey{product, location, owner, channel})
	if b == nil || err != nil {
		return nil, err
	}
	row := r.read.snapshotRow(b)
	return &row, nil
}

func (r *Replica) balanceOf(at stockKey) (*balance, error) {
	id := balanceID(r.read.p, at)
	b, err := r.read.balance(id)
	if b == nil && err == nil {
		b, err = r.read.balanceByRemoteID(id)
	}
	return b, err
}

// ConfirmKey records that the replica includes the operation with a key. Only the
// service has its response.
func (r *Replica) ConfirmKey(key, operation string, at time.Time) error {
	e, err := r.read.entryOfKey(key)
	if e != nil || err != nil {
		return err
	}
	r.pos.Seq++
	e = &journal.Entry{Seq: uint64(r.pos.Seq), At: at, Spec: operation, Key: key, Actor: api.Actor{Type: api.SystemJob, Label: "service"}}
	if err := journal.Entries.Insert(r.tx, e); err != nil {
		return err
	}
	return saveKey(r.tx, e)
}

// setProductRef sets the names of a product.
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
		p = &product{Product: api.Product{ID: ref.ID, OrganizationID: r.read.p.Organization, Environment: api.Environment(r.read.p.Environment),
			Barcodes: []string{}, BaseUnitCode: "piece", Units: []api.Unit{}, Components: []api.Component{},
			Tracking: api.TrackNone, Status: api.Active}}
	}
	p.SKU, p.Name = ref.SKU, ref.Name
	return products.Put(r.tx, p)
}

// setPlaceRef sets the names of a location, an owner or a channel. Some references have no type.
func (r *Replica) setPlaceRef(t *store.Table[placeRow], ref *api.PlaceRef) error {
	if ref == nil {
		return nil
	}
	e, err := t.Get(r.tx, ref.ID[:])
	if err != nil || e != nil && e.Code == ref.Code && e.Name == ref.Name && (ref.Type == "" || ref.Type == e.Type) {
		return err
	}
	if e == nil {
		e = &placeRow{Place: api.Place{ID: ref.ID, OrganizationID: r.read.p.Organization, Environment: api.Environment(r.read.p.Environment)}}
	}
	e.Code, e.Name = ref.Code, ref.Name
	if ref.Type != "" {
		e.Type = ref.Type
	}
	return t.Put(r.tx, e)
}

// Defaults guesses the default owner and channel: those of most balances.
func (r *Replica) Defaults() (owner, channel api.ID, err error) {
	ownerCounts, channelCounts := map[api.ID]int{}, map[api.ID]int{}
	err = balanceKeys.Scan(r.read.r, store.Range{}, func(k *balanceKey) error {
		ownerCounts[k.Owner]++
		channelCounts[k.Channel]++
		return nil
	})
	return mostFrequent(ownerCounts), mostFrequent(channelCounts), err
}

func mostFrequent(counts map[api.ID]int) (id api.ID) {
	for x, n := range counts {
		if n > counts[id] || n == counts[id] && slices.Compare(x[:], id[:]) < 0 {
			id = x
		}
	}
	return id
}
