package ledger

import (
	"context"
	"strings"
	"time"
	"unicode"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// CreateOrganization creates an organization with its two environments, each with
// a default owner and a default channel. Names need not be unique.
func (l *Ledger) CreateOrganization(ctx context.Context, name string) (api.Organization, error) {
	org, err := l.accounts.CreateOrganization(ctx, name, insertDefaults)
	return org, toAPIError(ctx, err)
}

// insertDefaults inserts the default owner and channel of an organization.
func insertDefaults(tx store.Tx, org api.Organization, env api.Environment, now time.Time) error {
	place := func(id api.ID, code, name, kind string) *stored.Place {
		p := api.Place{
			ID:             id,
			OrganizationID: org.ID,
			Environment:    env,
			Code:           code,
			Name:           name,
			Type:           kind,
			CreatedAt:      now,
			UpdatedAt:      now,
		}

		return &stored.Place{Place: p, Sum: account.ChecksumOf(p)}
	}

	if err := stored.Owners.Insert(tx,
		place(org.DefaultOwnerID, codeOf(org.Name), org.Name, "organization")); err != nil {
		return err
	}

	return stored.Channels.Insert(tx, place(org.DefaultChannelID, "default", "Default", "default"))
}

// codeOf derives a code from a name: "Harbor & Sons" becomes HARBOR-SONS.
func codeOf(name string) string {
	words := strings.FieldsFunc(strings.ToUpper(name),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	code := []rune(strings.Join(words, "-"))
	if len(code) == 0 {
		return "OWNER"
	}
	return strings.TrimRight(string(code[:min(len(code), 40)]), "-")
}

// Organizations lists the organizations, oldest first.
func (l *Ledger) Organizations(ctx context.Context) ([]api.Organization, error) {
	list, err := l.accounts.Organizations(ctx)
	return list, toAPIError(ctx, err)
}

// CreateKey creates a key and returns its secret, which cannot be read again. The
// organization must exist.
func (l *Ledger) CreateKey(ctx context.Context, in account.KeyInput) (secret string, key account.APIKey, err error) {
	if err := l.locate(ctx, &in); err != nil {
		return "", key, toAPIError(ctx, err)
	}
	secret, key, err = l.accounts.CreateKey(ctx, in)
	return secret, key, toAPIError(ctx, err)
}

// Keys lists the keys of an organization, newest first, revoked ones too.
func (l *Ledger) Keys(ctx context.Context, organization api.ID) ([]account.APIKey, error) {
	list, err := l.accounts.Keys(ctx, organization)
	return list, toAPIError(ctx, err)
}

// RevokeKey revokes a key of the organization at once, with its descendants if
// descendants is set, and ends their waits for changes.
func (l *Ledger) RevokeKey(ctx context.Context, organization, id api.ID, descendants bool) (account.Revocation, error) {
	revoked, err := l.accounts.RevokeKey(ctx, organization, id, descendants)
	if err != nil {
		return account.Revocation{}, toAPIError(ctx, err)
	}
	l.feed.Notify(store.Partition{Organization: organization, Environment: string(revoked.Environment)})
	return revoked, nil
}

// Authenticate returns the caller of a secret. All invalid keys get the same
// UNAUTHORIZED error, except mistyped ones.
func (l *Ledger) Authenticate(ctx context.Context, secret string) (*api.Caller, error) {
	caller, err := l.accounts.Authenticate(ctx, secret)
	return caller, toAPIError(ctx, err)
}

// SetPlan sets the limits of an organization in one environment, effective at once.
// This month's usage still counts.
func (l *Ledger) SetPlan(
	ctx context.Context,
	organization api.ID,
	env api.Environment,
	limits api.Limits,
) (api.Plan, error) {
	plan, err := l.accounts.SetPlan(ctx, organization, env, limits)
	return plan, toAPIError(ctx, err)
}

// getAccess returns the caller's identity, permissions and plan usage.
func (l *Ledger) getAccess(tx *stored.Tx, _ *api.GetAccessInput) (*api.Access, error) {
	org, err := tx.Organization()
	if err != nil {
		return nil, err
	}

	plan, err := account.PlanOf(tx.Reader)
	if err != nil {
		return nil, err
	}

	rules, err := stored.RulesOf(tx.Reader)
	if err != nil {
		return nil, err
	}

	usage, err := l.accounts.Usage(tx.Reader, tx.Partition, tx.Now)
	if err != nil {
		return nil, err
	}

	var head *api.Head
	if !l.localWrites { // the chain of a replica is the service's
		if head, err = tx.Head(); err != nil {
			return nil, err
		}
	}

	c := tx.Caller
	out := &api.Access{Head: head, Organization: *org, Environment: c.Environment, Actor: c.Actor, Scopes: c.Scopes,
		KeyID: c.KeyID, KeyLabel: c.KeyLabel, Plan: plan.Plan, Limits: plan.Limits, Usage: usage, Rules: *rules}
	out.LimitedTo(c)

	return out, nil
}
