package ledger

import (
	"strings"

	"github.com/go-json-experiment/json"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

func (l *Ledger) bindCatalog(b map[string]binding) {
	writes(b, api.CreateProduct, (*writeTx).createProduct, showDocument[api.Product])
	writes(b, api.ArchiveProduct, (*writeTx).archiveProduct, showDocument[api.Product])
	writes(b, api.ArchiveLot, (*writeTx).archiveLot, showDocument[api.Lot])
	reads(b, api.GetProduct, (*readTx).getProduct)
	reads(b, api.ListProducts, (*readTx).listProducts)

	writes(b, api.CreateLocation, func(c *writeTx, in *api.CreateLocationInput) error {
		return c.createPlace(locations, "location", in.Code, in.Name, string(in.Type))
	}, showDocument[api.Place])
	writes(b, api.CreateOwner, func(c *writeTx, in *api.CreatePlaceInput) error {
		return c.createPlace(owners, "owner", in.Code, in.Name, in.Type)
	}, showDocument[api.Place])
	writes(b, api.CreateChannel, func(c *writeTx, in *api.CreatePlaceInput) error {
		return c.createPlace(channels, "channel", in.Code, in.Name, in.Type)
	}, showDocument[api.Place])
	reads(b, api.ListLocations, listPlaces(locations))
	reads(b, api.ListOwners, listPlaces(owners))
	reads(b, api.ListChannels, listPlaces(channels))
	bindLots(b)
	reads(b, api.GetAccess, l.getAccess)
}

// showDocument returns the resource that a write's journal entry has.
func showDocument[T any](_ *readTx, e *journal.Entry) (*T, error) {
	out := new(T)
	return out, json.Unmarshal(e.Document, out)
}

// createPlace creates a location, an owner or a channel; kind is its name.
func (c *writeTx) createPlace(t *store.Table[placeRow], kind, code, name, typ string) error {
	code = strings.TrimSpace(code)
	existing, err := findOne(c.r, t, "code", foldName(code))
	if err != nil {
		return err
	}
	if existing != nil {
		return api.Fail(api.AlreadyExists, api.Details{"resource": kind, kind + "Id": existing.ID, "code": existing.Code},
			"A %s with code %s already exists (%s). Use it, or choose another code.", kind, existing.Code, existing.Name)
	}
	row := &placeRow{Seq: c.entry.Seq, Place: api.Place{ID: c.newID(kind), OrganizationID: c.p.Organization,
		Environment: api.Environment(c.p.Environment), Code: code, Name: strings.TrimSpace(name), Type: strings.TrimSpace(typ),
		CreatedAt: c.now, UpdatedAt: c.now}}
	if err := t.Insert(c.tx, row); err != nil {
		return err
	}
	return c.setDocument(row.Place)
}

func listPlaces(t *store.Table[placeRow]) func(*readTx, *api.ListPlacesInput) (*api.List[api.Place], error) {
	l := listing[placeRow]{table: t, seq: func(e *placeRow) uint64 { return e.Seq }, id: func(e *placeRow) api.ID { return e.ID }}
	return func(tx *readTx, in *api.ListPlacesInput) (*api.List[api.Place], error) {
		l := l
		var rows []*placeRow
		var next *string
		var err error
		if in.Code != "" {
			rows, err = l.pageOne(tx, in.Cursor, "code", foldName(in.Code))
		} else {
			rows, next, err = l.page(tx, in.Limit, 25, in.Cursor)
		}
		if err != nil {
			return nil, err
		}
		out := &api.List[api.Place]{Items: make([]api.Place, len(rows)), NextCursor: next}
		for i, e := range rows {
			out.Items[i] = e.Place
		}
		return out, nil
	}
}
