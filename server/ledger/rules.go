package ledger

import (
	"context"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/store"
)

var (
	rulesKey = []byte("rules")

	// defaultRules apply until an organization sets its own.
	defaultRules api.Rules
)

type rulesRow struct {
	api.Rules
	store.Unknown
}

// rules has the rules of its partition, in a single row.
var rules = &store.Table[rulesRow]{
	Name:  "rules",
	Key:   func(*rulesRow) []byte { return rulesKey },
	Codec: store.JSON[rulesRow](),
}

func rulesOf(r store.Reader) (*api.Rules, error) {
	row, err := rules.Shared(r, rulesKey)
	if row == nil || err != nil {
		return &defaultRules, err
	}
	return &row.Rules, nil
}

func putRules(tx store.Tx, in api.Rules) error {
	row, err := rules.Get(tx, rulesKey)
	if err != nil {
		return err
	}
	if row == nil {
		row = new(rulesRow)
	}
	row.Rules = in
	return rules.Put(tx, row)
}

// Rules returns the rules of an organization in one environment.
func (l *Ledger) Rules(ctx context.Context, organization api.ID, env api.Environment) (out api.Rules, err error) {
	if err := checkRules(env, &out); err != nil {
		return out, err
	}
	p := store.Partition{Organization: organization, Environment: string(env)}
	err = l.store.View(ctx, p, func(r store.Reader) error {
		if _, err := account.OwnOf(r, p); err != nil {
			return err
		}
		in, err := rulesOf(r)
		if err == nil {
			out = *in
		}
		return err
	})
	if err != nil {
		return api.Rules{}, toAPIError(ctx, err)
	}
	return out, nil
}

// SetRules sets the rules of an organization in one environment, effective at once.
// Existing documents do not change.
func (l *Ledger) SetRules(ctx context.Context, organization api.ID, env api.Environment, in api.Rules) (api.Rules, error) {
	if err := checkRules(env, &in); err != nil {
		return api.Rules{}, err
	}
	p := store.Partition{Organization: organization, Environment: string(env)}
	err := l.store.Update(ctx, p, func(tx store.Tx) error {
		if _, err := account.OwnOf(tx, p); err != nil {
			return err
		}
		return putRules(tx, in)
	})
	if err != nil {
		return api.Rules{}, toAPIError(ctx, err)
	}
	return in, nil
}

func checkRules(env api.Environment, in *api.Rules) error {
	var p api.Problems
	account.CheckEnvironment(&p, env)
	if n := in.OverReceiptPercent; n < 0 || n > api.MaxOverReceiptPercent {
		p.Add("overReceiptPercent", "maximum", "must be 0 to %d, is %d", api.MaxOverReceiptPercent, n)
	}
	return p.Err()
}
