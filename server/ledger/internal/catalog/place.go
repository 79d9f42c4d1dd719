package catalog

import (
	"cmp"
	"strings"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// CreatePlace creates a location, an owner or a channel; kind is its name.
func CreatePlace(c *posting.Tx, t *store.Table[stored.Place], kind, code, name, typ string) error {
	existing, err := stored.FindOne(c.Reader, t, "code", stored.NameKeys(code))
	if err != nil {
		return err
	}

	if existing != nil {
		return api.Fail(api.AlreadyExists,
			api.Details{"resource": kind, kind + "Id": existing.ID, "code": existing.Code},
			"A %v with code %s already exists (%s). Use it, or choose another code.", api.Text(kind), existing.Code,
			existing.Name)
	}

	row := &stored.Place{Seq: c.Entry.Seq, Place: api.Place{
		ID:             c.NewID(kind),
		OrganizationID: c.Partition.Organization,
		Environment:    api.Environment(c.Partition.Environment),
		Code:           api.CleanCode(code),
		Name:           strings.TrimSpace(name),
		Type:           strings.TrimSpace(typ),
		CreatedAt:      c.Now,
		UpdatedAt:      c.Now,
	}}

	if err := t.Insert(c.Writer, row); err != nil {
		return err
	}

	return c.SetDocument(row.Place)
}

// ChangeLocation corrects a location.
func ChangeLocation(c *posting.Tx, in *api.ChangeLocationInput) error {
	p, err := stored.Find(c.Reader, stored.Locations, "location", in.LocationID)
	if err != nil {
		return err
	}
	if err := c.CheckVersion(p.CurrentVersion()); err != nil {
		return err
	}

	before := p.Place
	p.Name = cmp.Or(strings.TrimSpace(in.Name), p.Name)
	p.Type = cmp.Or(string(in.Type), p.Type)
	changed, err := addChange(c, &p.Changes, before.CurrentVersion(), before, p.Place)
	if err != nil {
		return err
	}

	if changed {
		p.Version, p.UpdatedAt, p.Sum = before.CurrentVersion()+1, c.Now, account.Checksum{}
		if err := stored.Locations.Put(c.Writer, p); err != nil {
			return err
		}
	}

	return c.SetDocument(p.Place)
}
