package account

import (
	"time"

	"bincard/server/api"
	"bincard/server/store"
)

// An OrganizationRow is the stored form of an organization, in the system's partition.
type OrganizationRow struct {
	api.Organization
	store.Unknown
	CreatedAt time.Time `json:"createdAt"`
}

// Organizations has all organizations, in the system's partition.
var Organizations = store.NewTable(store.Table[OrganizationRow]{
	Name:  "organizations",
	Key:   func(t *OrganizationRow) []byte { return t.ID[:] },
	Codec: store.JSON[OrganizationRow](),
})

// Own has the organization of its partition, in a single row: a transaction sees only
// one partition.
var Own = store.NewTable(store.Table[api.Organization]{
	Name:  "organization",
	Key:   func(o *api.Organization) []byte { return o.ID[:] },
	Codec: store.JSON[api.Organization](),
})

// OwnOf returns the organization of a partition with its defaults.
func OwnOf(r store.Reader, p store.Partition) (*api.Organization, error) {
	o, err := Own.Shared(r, p.Organization[:])
	if err != nil {
		return nil, err
	}
	if o == nil {
		return nil, organizationNotFound(p.Organization)
	}
	return o, nil
}

// organizationNotFound is the error for an organization that does not exist.
func organizationNotFound(id api.ID) error {
	return api.Fail(api.NotFound, api.Details{"resource": "organization", "organizationId": id},
		"Organization %s does not exist.", id)
}
