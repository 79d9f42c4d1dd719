package ledger

import (
	"strings"

	"github.com/go-json-experiment/json"

	"bincard/server/api"
	"bincard/server/store"
)

func bindCatalogue(b map[string]binding) {
	writes(b, api.CreateProduct, (*change).createProduct, showDocument[api.Product])
	writes(b, api.ArchiveProduct, (*change).archiveProduct, showDocument[api.Product])
	writes(b, api.ArchiveLot, (*change).archiveLot, showDocument[api.Lot])
	reads(b, api.GetProduct, (*reading).getProduct)
	reads(b, api.ListProducts, (*reading).listProducts)

	writes(b, api.CreateLocation, func(c *change, in *api.CreateLocationInput) error {
		return c.createPlace(locations, "location", in.Code, in.Name, string(in.Type))
	}, showDocument[api.Place])
	writes(b, api.CreateOwner, func(c *change, in *api.CreatePlaceInput) error {
		return c.createPlace(owners, "owner", in.Code, in.Name, in.Type)
	}, showDocument[api.Place])
	writes(b, api.CreateChannel, func(c *change, in *api.CreatePlaceInput) error {
		return c.createPlace(channels, "channel", in.Code, in.Name, in.Type)
	}, showDocument[api.Place])
	reads(b, api.ListLocations, listPlaces(locations))
	reads(b, api.ListOwners, listPlaces(owners))
	reads(b, api.ListChannels, listPlaces(channels))
	bindPieces(b)
	reads(b, api.GetAccess, (*reading).getAccess)
}

// showDocument answers a write with the resource that its record holds.
func showDocument[T any](_ *reading, rec *record) (*T, error) {
	out := new(T)
	return out, json.Unmarshal(rec.Document, out)
}

// createPlace makes a location, an owner or a channel; kind says which.
func (c *change) createPlace(t *store.Table[entity], kind, code, name, typ string) error {
	code = strings.TrimSpace(code)
	twin, err := only(c.r, t, "code", folded(code))
	if err != nil {
		return err
	}
	if twin != nil {
		return api.Fail(api.AlreadyExists, api.Details{"resource": kind, kind + "Id": twin.ID, "code": twin.Code},
			"There is a %s %s already (%s). Take that one, or another code.", kind, twin.Code, twin.Name)
	}
	e := &entity{Seq: c.rec.Seq, Place: api.Place{ID: c.newID(kind), OrganizationID: c.p.Organization,
		Environment: api.Environment(c.p.Environment), Code: code, Name: strings.TrimSpace(name), Type: strings.TrimSpace(typ),
		CreatedAt: c.now, UpdatedAt: c.now}}
	if err := t.Insert(c.tx, e); err != nil {
		return err
	}
	return c.document(e.Place)
}

func listPlaces(t *store.Table[entity]) func(*reading, *api.ListPlacesInput) (*api.List[api.Place], error) {
	l := listing[entity]{table: t, seq: func(e *entity) uint64 { return e.Seq }, id: func(e *entity) api.ID { return e.ID }}
	return func(rd *reading, in *api.ListPlacesInput) (*api.List[api.Place], error) {
		l := l
		var rows []*entity
		var next *string
		var err error
		if in.Code != "" {
			rows, err = l.one(rd, in.Cursor, "code", folded(in.Code))
		} else {
			rows, next, err = l.page(rd, in.Limit, 25, in.Cursor)
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
