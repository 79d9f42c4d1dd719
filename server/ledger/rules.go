package ledger

import (
	"context"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

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
		in, err := stored.RulesOf(r)
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
func (l *Ledger) SetRules(
	ctx context.Context,
	organization api.ID,
	env api.Environment,
	in api.Rules,
) (api.Rules, error) {
	if err := checkRules(env, &in); err != nil {
		return api.Rules{}, err
	}

	p := store.Partition{Organization: organization, Environment: string(env)}
	err := l.store.Update(ctx, p, func(tx store.Tx) error {
		if _, err := account.OwnOf(tx, p); err != nil {
			return err
		}
		return stored.PutRules(tx, in)
	})
	if err != nil {
		return api.Rules{}, toAPIError(ctx, err)
	}

	return in, nil
}

func checkRules(env api.Environment, in *api.Rules) error {
	var p api.Problems
	account.CheckEnvironment(&p, env)
	for _, rule := range []struct {
		field string
		value *int64
		most  int64
	}{
		{"overReceiptPercent", &in.OverReceiptPercent, api.MaxOverReceiptPercent},
		{"countLimitPieces", in.CountLimitPieces, api.MaxCountLimitPieces},
		{"countLimitPercent", in.CountLimitPercent, api.MaxCountLimitPercent},
	} {
		if rule.value != nil && (*rule.value < 0 || *rule.value > rule.most) {
			p.Add(rule.field, "maximum", "must be 0 to %d, is %d", rule.most, *rule.value)
		}
	}

	return p.Err()
}
