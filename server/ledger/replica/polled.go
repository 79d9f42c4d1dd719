package replica

import (
	"errors"
	"slices"
	"time"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// BeginPolled starts a polled replica.
func (r *Tx) BeginPolled() error {
	if r.pos.Known {
		return errors.New("the replica has already started")
	}
	r.pos.Known, r.pos.Polled = true, true
	return nil
}

// SetOrganization sets what is known of the organization.
func (r *Tx) SetOrganization(org api.Organization) error { return account.Own.Put(r.tx, &org) }

// FinishCycle ends a polling cycle: the replica is complete up to at, by the
// service's clock.
func (r *Tx) FinishCycle(at time.Time) error {
	r.pos.Complete = true
	if at.After(r.pos.SyncedUntil) {
		r.pos.SyncedUntil = at
	}
	r.raiseCounterTo(at)
	return r.raiseCounter(nil)
}

// SetBalanceRow sets a balance from a row of the snapshot report.
func (r *Tx) SetBalanceRow(row *api.SnapshotRow) error {
	at := stored.StockKey{Product: row.ProductID, Location: row.LocationID, Owner: row.OwnerID, Channel: row.ChannelID}
	err := errors.Join(
		r.setProductRef(&api.ProductRef{ID: row.ProductID, SKU: row.ProductSKU, Name: row.ProductName}),
		r.setPlaceRef(stored.Locations,
			&api.PlaceRef{ID: row.LocationID, Code: row.LocationCode, Name: row.LocationName}),
		r.setPlaceRef(stored.Owners, &api.PlaceRef{ID: row.OwnerID, Code: row.OwnerCode, Name: row.OwnerName}),
		r.setPlaceRef(stored.Channels, &api.PlaceRef{ID: row.ChannelID, Code: row.ChannelCode, Name: row.ChannelName}),
	)
	if err != nil {
		return err
	}

	b, err := r.read.Balance(row.ID)
	if err != nil {
		return err
	}

	if b == nil {
		b = &stored.Balance{
			ID:         row.ID,
			Version:    1,
			Operations: ^uint64(0),
			Key: &stored.BalanceKey{
				ID:        row.ID,
				StockKey:  at,
				Seq:       r.raiseCounterTo(row.UpdatedAt),
				CreatedAt: row.UpdatedAt,
			},
		}

		if err := stored.BalanceKeys.Insert(r.tx, b.Key); err != nil {
			return err
		}
		if id := stored.BalanceID(r.read.Partition, at); id != row.ID {
			if err := r.tx.Put(stored.RemoteIDTable, id[:], row.ID[:]); err != nil {
				return err
			}
		}

		b.Last = b.Key.Seq
		r.markRecount(at) // its documents may have been read before it
	}

	if q := byState(row.Quantities); q != b.Q {
		b.Q, b.Last = q, max(b.Last, r.raiseCounterTo(row.UpdatedAt))
	}

	b.Updated = row.UpdatedAt
	if err := r.tx.Put(stored.HistoryTable, stored.HistoryKey(b.ID, b.Key.Seq),
		journal.AppendQuantities([]byte{stored.OpeningEntry}, &b.Q)); err != nil {
		return err
	}

	return stored.Balances.Put(r.tx, b)
}

// BalanceRow returns a balance as a row of the snapshot report, or nil if unknown.
func (r *Tx) BalanceRow(product, location, owner, channel api.ID) (*api.SnapshotRow, error) {
	b, err := r.balanceOf(stored.StockKey{Product: product, Location: location, Owner: owner, Channel: channel})
	if b == nil || err != nil {
		return nil, err
	}
	row := r.read.SnapshotRow(b)
	return &row, nil
}

func (r *Tx) balanceOf(at stored.StockKey) (*stored.Balance, error) {
	id := stored.BalanceID(r.read.Partition, at)
	b, err := r.read.Balance(id)
	if b == nil && err == nil {
		b, err = r.read.BalanceByRemoteID(id)
	}
	return b, err
}

// ConfirmKey records that the replica includes the operation with a key. Only the
// service has its response.
func (r *Tx) ConfirmKey(key, operation string, at time.Time) error {
	e, err := r.read.EntryOfKey(key)
	if e != nil || err != nil {
		return err
	}

	r.pos.Seq++
	e = &journal.Entry{
		Seq:   uint64(r.pos.Seq),
		At:    at,
		Spec:  operation,
		Key:   key,
		Actor: api.Actor{Type: api.SystemJob, Label: "service"},
	}

	if err := journal.Entries.Insert(r.tx, e); err != nil {
		return err
	}

	return stored.SaveKey(r.tx, e)
}

// setProductRef sets the names of a product.
func (r *Tx) setProductRef(ref *api.ProductRef) error {
	if ref == nil {
		return nil
	}

	p, err := stored.Products.Get(r.tx, ref.ID[:])
	if err != nil {
		return err
	}
	if p != nil && p.SKU == ref.SKU && p.Name == ref.Name {
		return nil
	}

	if p == nil {
		p = &stored.Product{
			Product: api.Product{
				ID:             ref.ID,
				OrganizationID: r.read.Partition.Organization,
				Environment:    api.Environment(r.read.Partition.Environment),
				Barcodes:       []string{},
				BaseUnitCode:   "piece",
				Units:          []api.Unit{},
				Components:     []api.Component{},
				Tracking:       api.TrackNone,
				Status:         api.Active,
			},
		}
	}

	p.SKU, p.Name = ref.SKU, ref.Name

	return stored.Products.Put(r.tx, p)
}

// setPlaceRef sets the names of a location, an owner or a channel. Some references have no type.
func (r *Tx) setPlaceRef(t *store.Table[stored.Place], ref *api.PlaceRef) error {
	if ref == nil {
		return nil
	}

	e, err := t.Get(r.tx, ref.ID[:])
	if err != nil || e != nil && e.Code == ref.Code && e.Name == ref.Name && (ref.Type == "" || ref.Type == e.Type) {
		return err
	}

	if e == nil {
		e = &stored.Place{
			Place: api.Place{
				ID:             ref.ID,
				OrganizationID: r.read.Partition.Organization,
				Environment:    api.Environment(r.read.Partition.Environment),
			},
		}
	}

	e.Code, e.Name = ref.Code, ref.Name
	if ref.Type != "" {
		e.Type = ref.Type
	}

	return t.Put(r.tx, e)
}

// Defaults guesses the default owner and channel: those of most balances.
func (r *Tx) Defaults() (owner, channel api.ID, err error) {
	ownerCounts, channelCounts := map[api.ID]int{}, map[api.ID]int{}
	err = stored.BalanceKeys.Scan(r.read.Reader, store.Range{}, func(k *stored.BalanceKey) error {
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
