package ledger

import "bincard/server/api"

// unlimited is the plan of every organization that was given no other.
var unlimited = api.Plan{Code: "unlimited", Version: 1}

// getAccess tells a caller who it is and what it may do.
func (rd *reading) getAccess(*api.GetAccessInput) (*api.Access, error) {
	org, err := rd.organization()
	if err != nil {
		return nil, err
	}
	c := rd.caller
	return &api.Access{Organization: *org, Environment: c.Environment, Actor: c.Actor, Scopes: c.Scopes,
		KeyID: c.KeyID, KeyLabel: c.KeyLabel, Plan: unlimited}, nil
}
