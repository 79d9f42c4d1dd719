package stored

import (
	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// A Place is the stored form of a location, owner or channel.
type Place struct {
	api.Place
	store.Unknown
	Seq     uint64               `json:"seq"`
	Changes []api.ResourceChange `json:"changes,omitzero"` // newest first
	// Sum is the checksum of a place without a journal entry.
	Sum account.Checksum `json:"sum,omitzero"`
}

// The places of a partition.
var (
	Locations = placeTable("locations")
	Owners    = placeTable("owners")
	Channels  = placeTable("channels")
)

func placeTable(name string) *store.Table[Place] {
	return store.NewTable(store.Table[Place]{
		Name:  name,
		Key:   func(e *Place) []byte { return e.ID[:] },
		Codec: store.JSON[Place](),
		Indexes: []store.Index[Place]{
			{Name: "seq", Keys: func(e *Place) [][]byte { return [][]byte{journal.SeqKey(e.Seq)} }},
			{Name: "code", Keys: func(e *Place) [][]byte { return [][]byte{FoldName(e.Code)} }},
		},
	})
}

// PlaceRef returns the reference of a location, owner or channel, or nil.
func (tx *Tx) PlaceRef(t *store.Table[Place], id api.ID) *api.PlaceRef {
	ref, _ := tx.placeRef(t, id)
	return ref
}

func (tx *Tx) placeRef(t *store.Table[Place], id api.ID) (*api.PlaceRef, error) {
	for _, cached := range tx.placeRefs {
		if cached.ref.ID == id && cached.in == t {
			return cached.ref, nil
		}
	}

	e, err := t.Shared(tx.Reader, id[:])
	if e == nil || err != nil {
		return nil, err
	}

	ref := &api.PlaceRef{ID: e.ID, Name: e.Name, Code: e.Code, Type: e.Type}
	if len(tx.placeRefs) < maxRefs {
		if tx.placeRefs == nil {
			tx.placeRefs = make([]namedPlace, 0, 4)
		}
		tx.placeRefs = append(tx.placeRefs, namedPlace{t, ref})
	}

	return ref, nil
}

// ListPlaces returns the function that lists the places of a table, newest first.
func ListPlaces(t *store.Table[Place]) func(*Tx, *api.ListPlacesInput) (*api.List[api.Place], error) {
	l := Listing[Place]{
		Table: t,
		Seq:   func(e *Place) uint64 { return e.Seq },
		ID:    func(e *Place) api.ID { return e.ID },
	}

	return func(tx *Tx, in *api.ListPlacesInput) (*api.List[api.Place], error) {
		l := l
		if in.Code != "" {
			l.useFew("code", NameKeys(in.Code))
		}
		rows, next, err := l.Page(tx, in.Page)
		return ListOf(rows, next, err, func(e *Place) *api.Place { return &e.Place })
	}
}

// LocationHistory returns the changes of a location.
func (tx *Tx) LocationHistory(in *api.LocationInput) (*api.ResourceHistory, error) {
	p, err := Find(tx.Reader, Locations, "location", in.LocationID)
	if err != nil {
		return nil, err
	}
	return &api.ResourceHistory{Items: append([]api.ResourceChange{}, p.Changes...)}, nil
}

// StockKeyOf returns the stock key of a request, with the organization's default
// owner and channel if not given.
func (tx *Tx) StockKeyOf(in api.StockKey) (StockKey, error) {
	at := StockKey{in.ProductID, in.LocationID, in.OwnerID, in.ChannelID}
	if at.Owner == api.NoID || at.Channel == api.NoID {
		org, err := tx.Organization()
		if err != nil {
			return at, err
		}
		if at.Owner == api.NoID {
			at.Owner = org.DefaultOwnerID
		}
		if at.Channel == api.NoID {
			at.Channel = org.DefaultChannelID
		}
	}

	for _, x := range []struct {
		t    *store.Table[Place]
		kind string
		id   api.ID
	}{{Locations, "location", at.Location}, {Owners, "owner", at.Owner}, {Channels, "channel", at.Channel}} {
		ref, err := tx.placeRef(x.t, x.id) // the response has it too
		if err != nil {
			return at, err
		}
		if ref == nil {
			return at, NotFound(x.kind, x.kind+"Id", x.id)
		}
	}

	return at, nil
}
