package stored

import (
	"slices"

	"github.com/go-json-experiment/json"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// A LocationSet is the locations that a replica is limited to; an empty one is all of
// them.
type LocationSet []api.ID

// Has reports whether a location is in the set.
func (s LocationSet) Has(location api.ID) bool {
	return len(s) == 0 || slices.Contains(s, location)
}

// ReplicaKey is the key of the row of MetaTable with a replica's position.
var ReplicaKey = []byte("replica")

// ReplicaLocations returns the locations that the replica in a partition is limited to.
func ReplicaLocations(r store.Reader) (LocationSet, error) {
	data, err := r.Get(MetaTable, ReplicaKey)
	if err != nil || data == nil {
		return nil, err
	}

	var at struct {
		Locations LocationSet `json:"locations"`
	}
	err = json.Unmarshal(data, &at)

	return at.Locations, err
}

// HasDocument reports whether a document belongs to the set: the catalog does, other
// documents if they have stock at one of its locations. A serial in transit belongs to
// the ends of its transfer.
func (s LocationSet) HasDocument(r store.Reader, d *api.Document) (bool, error) {
	if len(s) == 0 || IsCatalog(d.Kind) || d.Kind == api.DocLot {
		return true, nil
	}

	var at struct {
		Location    api.ID `json:"locationId"`
		Source      api.ID `json:"sourceLocationId"`
		Destination api.ID `json:"destinationLocationId"`
		Away        bool   `json:"away"`
		Holder      api.ID `json:"holder"`
	}

	if err := json.Unmarshal(d.Data, &at); err != nil {
		return false, err
	}
	if at.Away {
		if t, err := Transfers.Get(r, at.Holder[:]); t != nil || err != nil {
			return err == nil && s.hasTransfer(t), err
		}
	}

	return s.Has(at.Location) || s.Has(at.Source) || s.Has(at.Destination), nil
}

func (s LocationSet) hasTransfer(t *Transfer) bool {
	return s.Has(t.SourceLocationID) || s.Has(t.DestinationLocationID)
}

// IsCatalog reports whether documents of a kind belong to all locations.
func IsCatalog(kind api.DocumentKind) bool {
	return slices.Contains([]api.DocumentKind{api.DocProduct, api.DocLocation, api.DocOwner, api.DocChannel}, kind)
}

// Lots returns the lots that have stock at the locations of the set, or are in a transfer
// with one end there.
func (s LocationSet) Lots(tx *Tx) (map[api.ID]bool, error) {
	lots := map[api.ID]bool{}
	for _, location := range s {
		err := BalanceKeys.ScanKeys(tx.Reader, "location", store.Prefix(location[:]), func(_, key []byte) error {
			list, err := tx.LotBalancesOf(api.ID(key))
			for _, b := range list {
				lots[b.Lot] = true
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}

	err := Transfers.ScanKeys(
		tx.Reader,
		"status",
		store.Prefix(journal.TransferStatuses.Prefix(api.TransferInTransit)),
		func(_, key []byte) error {
			t, err := Transfers.Get(tx.Reader, key)
			if err != nil || t == nil || !s.hasTransfer(t) {
				return err
			}
			for _, x := range t.Transit {
				lots[x.Lot] = true
			}
			return nil
		},
	)

	return lots, err
}

// LimitChange removes the movements and balances of other locations from a change, and
// reports whether the change concerns the set at all.
func (s LocationSet) LimitChange(r store.Reader, c *api.Change) (bool, error) {
	if len(s) == 0 {
		return true, nil
	}

	elsewhere := len(c.Balances) > 0
	c.Movements = slices.DeleteFunc(c.Movements, func(m api.Movement) bool { return !s.Has(m.LocationID) })
	c.Balances = slices.DeleteFunc(c.Balances, func(b api.Balance) bool { return !s.Has(b.LocationID) })
	c.Stocks = slices.DeleteFunc(c.Stocks, func(x api.Stock) bool { return !s.Has(x.Balance.LocationID) })
	if len(c.Balances) > 0 || !elsewhere && len(c.Documents) == 0 {
		return true, nil
	}

	for i := range c.Documents {
		d := &c.Documents[i]
		if elsewhere && (IsCatalog(d.Kind) || d.Kind == api.DocLot) {
			continue // only mentioned
		}
		if has, err := s.HasDocument(r, d); has || err != nil {
			return has, err
		}
	}

	return false, nil
}
