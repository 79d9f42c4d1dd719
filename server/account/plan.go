package account

import (
	"time"

	"bincard/server/api"
	"bincard/server/store"
)

// A PlanRow is the stored plan of an organization in one environment.
type PlanRow struct {
	api.Plan
	store.Unknown
	Limits api.Limits `json:"limits"`
}

// unlimited is the default plan.
var unlimited = PlanRow{Plan: api.Plan{Code: "unlimited", Version: 1}, Limits: api.Limits{Reports: true}}

var planKey = []byte("plan")

// Plans has the plan of its partition, in a single row.
var Plans = store.NewTable(store.Table[PlanRow]{
	Name:  "plans",
	Key:   func(*PlanRow) []byte { return planKey },
	Codec: store.JSON[PlanRow](),
})

// PlanOf returns the plan of a partition.
func PlanOf(r store.Reader) (*PlanRow, error) {
	p, err := Plans.Shared(r, planKey)
	if p == nil && err == nil {
		p = &unlimited
	}
	return p, err
}

func checkLimits(env api.Environment, in *api.Limits) error {
	var p api.Problems
	CheckEnvironment(&p, env)
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

// CheckEnvironment adds a problem for an environment that does not exist.
func CheckEnvironment(p *api.Problems, env api.Environment) {
	if env != api.Live && env != api.Test {
		p.Add("environment", "enum", "must be live or test, is %q", env)
	}
}

// CheckPlan checks an operation against the plan of a partition, except for the request
// limit, which the Meter enforces.
func CheckPlan(r store.Reader, env api.Environment, now time.Time, spec *api.Spec) error {
	product, report := spec.ID == api.CreateProduct.Spec.ID, spec.Scope == api.ReportsRead
	if !spec.Billable && !product && !report {
		return nil
	}

	plan, err := PlanOf(r)
	if err != nil || plan.Limits == unlimited.Limits {
		return err
	}

	limits := &plan.Limits
	switch {
	case report && !limits.Reports:
		row, err := ReadUsage(r)
		if err != nil {
			return err
		}
		return api.ExceedsPlan(api.ActiveProducts, env, plan.Plan, limits.ActiveProducts, row.Products, 1)

	case product && limits.ActiveProducts != nil:
		row, err := ReadUsage(r)
		if err != nil {
			return err
		}
		if row.Products >= *limits.ActiveProducts {
			return api.ExceedsPlan(api.ActiveProducts, env, plan.Plan, limits.ActiveProducts, row.Products, 1)
		}

	case spec.Billable && limits.BillableOperations != nil:
		row, err := ReadUsage(r)
		if err != nil {
			return err
		}
		if used := row.billable(MonthOf(now)); used >= *limits.BillableOperations {
			return api.ExceedsPlan(api.BillableOperations, env, plan.Plan, limits.BillableOperations, used, 1)
		}
	}

	return nil
}
