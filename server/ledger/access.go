package ledger

import (
	"bincard/server/account"
	"bincard/server/api"
)

// getAccess returns the caller's identity, permissions and plan usage.
func (l *Ledger) getAccess(tx *readTx, _ *api.GetAccessInput) (*api.Access, error) {
	org, err := tx.organization()
	if err != nil {
		return nil, err
	}
	plan, err := account.PlanOf(tx.r)
	if err != nil {
		return nil, err
	}
	rules, err := rulesOf(tx.r)
	if err != nil {
		return nil, err
	}
	usage, err := l.accounts.Usage(tx.r, tx.p, tx.now)
	if err != nil {
		return nil, err
	}
	c := tx.caller
	return &api.Access{Organization: *org, Environment: c.Environment, Actor: c.Actor, Scopes: c.Scopes,
		KeyID: c.KeyID, KeyLabel: c.KeyLabel, Plan: plan.Plan, Limits: plan.Limits, Usage: usage, Rules: *rules}, nil
}
