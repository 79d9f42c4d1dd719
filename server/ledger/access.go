package ledger

import (
	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
)

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
	c := tx.Caller
	return &api.Access{Organization: *org, Environment: c.Environment, Actor: c.Actor, Scopes: c.Scopes,
		KeyID: c.KeyID, KeyLabel: c.KeyLabel, Plan: plan.Plan, Limits: plan.Limits, Usage: usage, Rules: *rules}, nil
}
