package ledger

import (
	"strings"

	"github.com/go-json-experiment/json"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

func (l *Ledger) bindCatalog(b map[string]binding) {
	writes(b, api.CreateProduct, (*writeTx).createProduct, showDocument[api.Product])
	writes(b, api.ArchiveProduct, (*writeTx).archiveProduct, showDocument[api.Product])
	writes(b, api.ArchiveLot, (*writeTx).archiveLot, showDocument[api.Lot])
	reads(b, api.GetProduct, (*stored.Tx).GetProduct)
	reads(b, api.ListProducts, (*stored.Tx).ListProducts)

	writes(b, api.CreateLocation, func(c *writeTx, in *api.CreateLocationInput) error {
		return c.createPlace(stored.Locations, "location", in.Code, in.Name, string(in.Type))
	}, showDocument[api.Place])
	writes(b, api.CreateOwner, func(c *writeTx, in *api.CreatePlaceInput) error {
		return c.createPlace(stored.Owners, "owner", in.Code, in.Name, in.Type)
	}, showDocument[api.Place])
	writes(b, api.CreateChannel, func(c *writeTx, in *api.CreatePlaceInput) error {
		return c.createPlace(stored.Channels, "channel", in.Code, in.Name, in.Type)
	}, showDocument[api.Place])
	reads(b, api.ListLocations, stored.ListPlaces(stored.Locations))
	reads(b, api.ListOwners, stored.ListPlaces(stored.Owners))
	reads(b, api.ListChannels, stored.ListPlaces(stored.Channels))
	bindLots(b)
	reads(b, api.GetAccess, l.getAccess)
}

// showDocument returns the resource that a write's journal entry has.
func showDocument[T any](_ *stored.Tx, e *journal.Entry) (*T, error) {
	out := new(T)
	return out, json.Unmarshal(e.Document, out)
}

// createPlace creates a location, an owner or a channel; kind is its name.
func (c *writeTx) createPlace(t *store.Table[stored.Place], kind, code, name, typ string) error {
	code = strings.TrimSpace(code)
	existing, err := stored.FindOne(c.Reader, t, "code", stored.FoldName(code))
	if err != nil {
		return err
	}
	if existing != nil {
		return api.Fail(api.AlreadyExists, api.Details{"resource": kind, kind + "Id": existing.ID, "code": existing.Code},
			"A %v with code %s already exists (%s). Use it, or choose another code.", api.Text(kind), existing.Code, existing.Name)
	}
	row := &stored.Place{Seq: c.entry.Seq, Place: api.Place{ID: c.newID(kind), OrganizationID: c.Partition.Organization,
		Environment: api.Environment(c.Partition.Environment), Code: code, Name: strings.TrimSpace(name), Type: strings.TrimSpace(typ),
		CreatedAt: c.Now, UpdatedAt: c.Now}}
	if err := t.Insert(c.tx, row); err != nil {
		return err
	}
	return c.setDocument(row.Place)
}
