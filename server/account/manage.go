package account

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/server/store"
)

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

	p.CheckName("name", name)
	if err := p.Err(); err != nil {
		return api.Organization{}, err
	}

	org := api.Organization{ID: a.newID(), Name: name, DefaultOwnerID: a.newID(), DefaultChannelID: a.newID()}
	now := api.Instant(a.now())
	for _, env := range []api.Environment{api.Live, api.Test} {
		err := a.store.Update(
			ctx,
			store.Partition{Organization: org.ID, Environment: string(env)},
			func(tx store.Tx) error {
				if err := fill(tx, org, env, now); err != nil {
					return err
				}
				return Own.Insert(tx, &org)
			},
		)
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

// CreateKey creates a key and returns its secret, which cannot be read again. The
// organization must exist.
func (a *Accounts) CreateKey(ctx context.Context, in KeyInput) (secret string, key APIKey, err error) {
	now := api.Instant(a.now())
	if in.Label = strings.TrimSpace(in.Label); in.Label == "" {
		in.Label = "API key"
	}
	if err := in.Check(now); err != nil {
		return "", APIKey{}, err
	}

	id := uuid.New()
	var row *KeyRow
	err = a.store.Update(ctx, store.Partition{}, func(tx store.Tx) error {
		if org, err := Organizations.Get(tx, in.Organization[:]); err != nil {
			return err
		} else if org == nil {
			return organizationNotFound(in.Organization)
		}

		secret, _ = NewSecret(in.Environment)
		row = in.Row(id, secret, now)
		return row.insert(tx, "Retry.")
	})
	if err != nil {
		return "", APIKey{}, err
	}

	a.keyring.add(row)

	return secret, row.APIKey, nil
}

// InstallKey inserts the row of a key, unless it is there. The key is revoked if the key
// that creates it has been revoked meanwhile.
func (a *Accounts) InstallKey(ctx context.Context, row *KeyRow) error {
	var installed *KeyRow
	err := a.store.Update(ctx, store.Partition{}, func(tx store.Tx) error {
		installed = nil
		if existing, err := Keys.Get(tx, row.ID[:]); existing != nil || err != nil {
			return err
		}

		key := *row
		if key.CreatedBy != nil {
			creator, err := Keys.Get(tx, key.CreatedBy[:])
			if err != nil {
				return err
			}
			if creator != nil && creator.RevokedAt != nil {
				key.RevokedAt = creator.RevokedAt
			}
		}

		installed = &key

		return key.insert(tx, "Retry with another Idempotency-Key.")
	})
	if err == nil && installed != nil {
		a.keyring.add(installed)
	}

	return err
}

// insert inserts a key whose public id must be new.
func (k *KeyRow) insert(tx store.Tx, advice string) error {
	if existing, err := keyOfPublic(tx, k.Public); err != nil {
		return err
	} else if existing != nil {
		return api.Fail(api.Unavailable, nil, "The new key's id is already taken. %v", api.Text(advice))
	}

	k.Sum = ChecksumOf(k.Fixed())
	return Keys.Insert(tx, k)
}

// Keys lists the keys of an organization, newest first, revoked ones too.
func (a *Accounts) Keys(ctx context.Context, organization api.ID) (list []APIKey, err error) {
	err = a.store.View(ctx, store.Partition{}, func(r store.Reader) error {
		return Keys.ScanIndex(r, "organization", store.Prefix(organization[:]).Reversed(), func(k *KeyRow) error {
			list = append(list, a.keyring.withLastUse(k))
			return nil
		})
	})
	if err != nil {
		return nil, err
	}

	return list, nil
}

// SetPlan sets the limits of an organization in one environment, effective at once.
// This month's usage still counts.
func (a *Accounts) SetPlan(
	ctx context.Context,
	organization api.ID,
	env api.Environment,
	limits api.Limits,
) (api.Plan, error) {
	if err := checkLimits(env, &limits); err != nil {
		return api.Plan{}, err
	}

	p := store.Partition{Organization: organization, Environment: string(env)}
	plan := PlanRow{Plan: api.Plan{Code: "custom"}, Limits: limits}
	if limits == unlimited.Limits {
		plan.Code = unlimited.Code
	}

	err := a.store.Update(ctx, p, func(tx store.Tx) error {
		if _, err := OwnOf(tx, p); err != nil {
			return err
		}

		old, err := PlanOf(tx)
		if err != nil {
			return err
		}

		plan.Version, plan.Unknown = old.Version+1, old.Unknown

		return Plans.Put(tx, &plan)
	})
	if err != nil {
		return api.Plan{}, err
	}

	a.meters.planChanged(p)

	return plan.Plan, nil
}
