package account

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

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
var Organizations = &store.Table[OrganizationRow]{
	Name:  "organizations",
	Key:   func(t *OrganizationRow) []byte { return t.ID[:] },
	Codec: store.JSON[OrganizationRow](),
}

// Own has the organization of its partition, in a single row: a transaction sees only
// one partition.
var Own = &store.Table[api.Organization]{
	Name:  "organization",
	Key:   func(o *api.Organization) []byte { return o.ID[:] },
	Codec: store.JSON[api.Organization](),
}

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
	return api.Fail(api.NotFound, api.Details{"resource": "organization", "organizationId": id}, "Organization %s does not exist.", id)
}

// CreateOrganization creates an organization with its two environments. fill adds
// what a new environment has beside the organization, in the same transaction. Names
// need not be unique. The organization is inserted last, so a crash leaves only
// unreachable data.
func (a *Accounts) CreateOrganization(ctx context.Context, name string,
	fill func(tx store.Tx, org api.Organization, env api.Environment, now time.Time) error) (api.Organization, error) {
	name = strings.TrimSpace(name)
	var p api.Problems
	if n := utf8.RuneCountInString(name); n == 0 || n > 255 {
		p.Add("name", "maxLength", "must have 1 to 255 characters, has %d", n)
	}
	if err := p.Err(); err != nil {
		return api.Organization{}, err
	}
	org := api.Organization{ID: a.newID(), Name: name, DefaultOwnerID: a.newID(), DefaultChannelID: a.newID()}
	now := api.Instant(a.now())
	for _, env := range []api.Environment{api.Live, api.Test} {
		err := a.store.Update(ctx, store.Partition{Organization: org.ID, Environment: string(env)}, func(tx store.Tx) error {
			if err := fill(tx, org, env, now); err != nil {
				return err
			}
			return Own.Insert(tx, &org)
		})
		if err != nil {
			return api.Organization{}, err
		}
	}
	err := a.store.Update(ctx, store.Partition{}, func(tx store.Tx) error {
		return Organizations.Insert(tx, &OrganizationRow{Organization: org, CreatedAt: now})
	})
	if err != nil {
		return api.Organization{}, err
	}
	return org, nil
}

// Organizations lists the organizations, oldest first.
func (a *Accounts) Organizations(ctx context.Context) (list []api.Organization, err error) {
	var rows []*OrganizationRow
	err = a.store.View(ctx, store.Partition{}, func(r store.Reader) error {
		return Organizations.Scan(r, store.Range{}, func(t *OrganizationRow) error {
			rows = append(rows, t)
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, func(a, b *OrganizationRow) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.Name, b.Name))
	})
	for _, t := range rows {
		list = append(list, t.Organization)
	}
	return list, nil
}
