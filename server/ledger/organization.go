package ledger

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"bincard/server/api"
	"bincard/server/store"
)

// An organizationRow is the stored form of an organization, in the system's partition.
type organizationRow struct {
	api.Organization
	store.Unknown
	CreatedAt time.Time `json:"createdAt"`
}

var organizations = &store.Table[organizationRow]{
	Name:  "organizations",
	Key:   func(t *organizationRow) []byte { return t.ID[:] },
	Codec: store.JSON[organizationRow](),
}

// CreateOrganization creates an organization with its two environments, each with
// a default owner and a default channel. Names need not be unique. The
// organization is inserted last, so a crash leaves only unreachable data.
func (l *Ledger) CreateOrganization(ctx context.Context, name string) (api.Organization, error) {
	name = strings.TrimSpace(name)
	var p api.Problems
	if n := utf8.RuneCountInString(name); n == 0 || n > 255 {
		p.Add("name", "maxLength", "must have 1 to 255 characters, has %d", n)
	}
	if err := p.Err(); err != nil {
		return api.Organization{}, err
	}
	org := api.Organization{ID: l.newID(), Name: name, DefaultOwnerID: l.newID(), DefaultChannelID: l.newID()}
	now := api.Instant(l.now())
	for _, env := range []api.Environment{api.Live, api.Test} {
		if err := l.createDefaults(ctx, org, env, now); err != nil {
			return api.Organization{}, toAPIError(ctx, err)
		}
	}
	err := l.store.Update(ctx, store.Partition{}, func(tx store.Tx) error {
		return organizations.Insert(tx, &organizationRow{Organization: org, CreatedAt: now})
	})
	if err != nil {
		return api.Organization{}, toAPIError(ctx, err)
	}
	return org, nil
}

// createDefaults creates the defaults of one environment of an organization.
func (l *Ledger) createDefaults(ctx context.Context, org api.Organization, env api.Environment, now time.Time) error {
	place := func(id api.ID, code, name, kind string) *placeRow {
		return &placeRow{Place: api.Place{ID: id, OrganizationID: org.ID, Environment: env,
			Code: code, Name: name, Type: kind, CreatedAt: now, UpdatedAt: now}}
	}
	p := store.Partition{Organization: org.ID, Environment: string(env)}
	return l.store.Update(ctx, p, func(tx store.Tx) error {
		if err := owners.Insert(tx, place(org.DefaultOwnerID, codeOf(org.Name), org.Name, "organization")); err != nil {
			return err
		}
		if err := channels.Insert(tx, place(org.DefaultChannelID, "default", "Default", "default")); err != nil {
			return err
		}
		return ownOrganization.Insert(tx, &org)
	})
}

// Organizations lists the organizations, oldest first.
func (l *Ledger) Organizations(ctx context.Context) (list []api.Organization, err error) {
	var rows []*organizationRow
	err = l.store.View(ctx, store.Partition{}, func(r store.Reader) error {
		return organizations.Scan(r, store.Range{}, func(t *organizationRow) error {
			rows = append(rows, t)
			return nil
		})
	})
	if err != nil {
		return nil, toAPIError(ctx, err)
	}
	slices.SortStableFunc(rows, func(a, b *organizationRow) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.Name, b.Name))
	})
	for _, t := range rows {
		list = append(list, t.Organization)
	}
	return list, nil
}

// codeOf derives a code from a name: "Harbour & Sons" becomes HARBOUR-SONS.
func codeOf(name string) string {
	words := strings.FieldsFunc(strings.ToUpper(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	code := []rune(strings.Join(words, "-"))
	if len(code) == 0 {
		return "OWNER"
	}
	return strings.TrimRight(string(code[:min(len(code), 40)]), "-")
}
