package ledger

import (
	"context"

	"bincard/server/api"
	"bincard/server/store"
)

var (
	rulesKey = []byte("rules")

	// defaultRules are the rules of every organization that was given no others.
	defaultRules api.Rules
)

type rulesRow struct {
	api.Rules
	store.Unknown
}

// rules keeps the rules of its partition, in the one row that it has.
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

// Rules are how an organization works in one environment.
func (l *Ledger) Rules(ctx context.Context, organization api.ID, env api.Environment) (out api.Rules, err error) {
	if err := checkRules(env, &out); err != nil {
		return out, err
	}
	p := store.Partition{Organization: organization, Environment: string(env)}
	err = l.store.View(ctx, p, func(r store.Reader) error {
		if _, err := (&readTx{l: l, r: r, p: p}).organization(); err != nil {
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

// SetRules sets how an organization works in one environment, at once. What was
// done under other rules stays as it is.
func (l *Ledger) SetRules(ctx context.Context, organization api.ID, env api.Environment, in api.Rules) (api.Rules, error) {
	if err := checkRules(env, &in); err != nil {
		return api.Rules{}, err
	}
	p := store.Partition{Organization: organization, Environment: string(env)}
	err := l.store.Update(ctx, p, func(tx store.Tx) error {
		if _, err := (&readTx{l: l, r: tx, p: p}).organization(); err != nil {
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
	checkEnvironment(&p, env)
	if n := in.OverReceiptPercent; n < 0 || n > api.MaxOverReceiptPercent {
		p.Add("overReceiptPercent", "maximum", "must be 0 to %d, is %d", api.MaxOverReceiptPercent, n)
	}
	return p.Err()
}
