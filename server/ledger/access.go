package ledger

import "bincard/server/api"

// getAccess tells a caller who it is, what it may do, and how much of its plan is used.
func (rd *readTx) getAccess(*api.GetAccessInput) (*api.Access, error) {
	org, err := rd.organization()
	if err != nil {
		return nil, err
	}
	plan, err := planOf(rd.r)
	if err != nil {
		return nil, err
	}
	rules, err := rulesOf(rd.r)
	if err != nil {
		return nil, err
	}
	usage, err := rd.usage()
	if err != nil {
		return nil, err
	}
	c := rd.caller
	return &api.Access{Organization: *org, Environment: c.Environment, Actor: c.Actor, Scopes: c.Scopes,
		KeyID: c.KeyID, KeyLabel: c.KeyLabel, Plan: plan.Plan, Limits: plan.Limits, Usage: usage, Rules: *rules}, nil
}
