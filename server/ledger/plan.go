package ledger

import (
	"context"

	"bincard/server/api"
	"bincard/server/store"
)

// A planRow is the stored plan of an organization in one environment.
type planRow struct {
	api.Plan
	store.Unknown
	Limits api.Limits `json:"limits"`
}

// unlimited is the default plan.
var unlimited = planRow{Plan: api.Plan{Code: "unlimited", Version: 1}, Limits: api.Limits{Reports: true}}

var planKey = []byte("plan")

// plans has the plan of its partition, in a single row.
var plans = &store.Table[planRow]{
	Name:  "plans",
	Key:   func(*planRow) []byte { return planKey },
	Codec: store.JSON[planRow](),
}

func planOf(r store.Reader) (*planRow, error) {
	p, err := plans.Shared(r, planKey)
	if p == nil && err == nil {
		p = &unlimited
	}
	return p, err
}

// SetPlan sets the limits of an organization in one environment, effective at once.
// This month's usage still counts.
func (l *Ledger) SetPlan(ctx context.Context, organization api.ID, env api.Environment, limits api.Limits) (api.Plan, error) {
	if err := checkLimits(env, &limits); err != nil {
		return api.Plan{}, err
	}
	p := store.Partition{Organization: organization, Environment: string(env)}
	// Hold the lock until the meter is updated, so that the old plan is not loaded again.
	l.meters.loading.Lock()
	defer l.meters.loading.Unlock()
	plan := planRow{Plan: api.Plan{Code: "custom"}, Limits: limits}
	if limits == unlimited.Limits {
		plan.Code = unlimited.Code
	}
	err := l.store.Update(ctx, p, func(tx store.Tx) error {
		if _, err := (&readTx{l: l, r: tx, p: p}).organization(); err != nil {
			return err
		}
		old, err := planOf(tx)
		if err != nil {
			return err
		}
		plan.Version, plan.Unknown = old.Version+1, old.Unknown
		return plans.Put(tx, &plan)
	})
	if err != nil {
		return api.Plan{}, toAPIError(ctx, err)
	}
	l.meters.setPlan(p, &plan)
	return plan.Plan, nil
}

func checkLimits(env api.Environment, in *api.Limits) error {
	var p api.Problems
	checkEnvironment(&p, env)
	for _, x := range []struct {
		name string
		n    *int64
	}{{"apiRequests", in.APIRequests}, {"billableInventoryOperations", in.BillableOperations}, {"activeProducts", in.ActiveProducts}} {
		if x.n != nil && (*x.n < 0 || *x.n > api.MaxQuantity) {
			p.Add(x.name, "minimum", "must be 0 to %d, is %d", int64(api.MaxQuantity), *x.n)
		}
	}
	return p.Err()
}

func checkEnvironment(p *api.Problems, env api.Environment) {
	if env != api.Live && env != api.Test {
		p.Add("environment", "enum", "must be live or test, is %q", env)
	}
}

// checkPlan checks an operation against the plan, except for the request limit, which
// the meter enforces. Replays are not checked.
func (tx *readTx) checkPlan(spec *api.Spec) error {
	product, report := spec.ID == api.CreateProduct.ID, spec.Scope == api.ReportsRead
	if !spec.Billable && !product && !report {
		return nil
	}
	plan, err := planOf(tx.r)
	if err != nil || plan.Limits == unlimited.Limits {
		return err
	}
	limits := &plan.Limits
	env := api.Environment(tx.p.Environment)
	switch {
	case report && !limits.Reports:
		row, err := tx.usageRow()
		if err != nil {
			return err
		}
		return api.ExceedsPlan(api.ActiveProducts, env, plan.Plan, limits.ActiveProducts, row.Products, 1)
	case product && limits.ActiveProducts != nil:
		row, err := tx.usageRow()
		if err != nil {
			return err
		}
		if row.Products >= *limits.ActiveProducts {
			return api.ExceedsPlan(api.ActiveProducts, env, plan.Plan, limits.ActiveProducts, row.Products, 1)
		}
	case spec.Billable && limits.BillableOperations != nil:
		row, err := tx.usageRow()
		if err != nil {
			return err
		}
		if used := row.billable(monthOf(tx.now)); used >= *limits.BillableOperations {
			return api.ExceedsPlan(api.BillableOperations, env, plan.Plan, limits.BillableOperations, used, 1)
		}
	}
	return nil
}
