package api

import "fmt"

// An Entitlement is something that a plan limits.
type Entitlement string

const (
	// APIRequests are the requests made with API keys in a month.
	APIRequests Entitlement = "api_requests"
	// BillableOperations are the billable operations that succeeded in a month.
	BillableOperations Entitlement = "billable_inventory_operations"
	// ActiveProducts are the products that are not archived.
	ActiveProducts Entitlement = "active_products"
)

// Limits are what a plan allows in one environment of an organization; nil is
// no limit. Months are those of the calendar in UTC.
type Limits struct {
	APIRequests        *int64 `json:"apiRequests,omitzero"`
	BillableOperations *int64 `json:"billableInventoryOperations,omitzero"`
	ActiveProducts     *int64 `json:"activeProducts,omitzero"`
	// Reports tells whether the reports may be asked for.
	Reports bool `json:"reports"`
}

// Usage is what was used of a plan.
type Usage struct {
	// Month is the month that the first two are of, as 2026-03.
	Month              string `json:"month"`
	APIRequests        int64  `json:"apiRequests"`
	BillableOperations int64  `json:"billableInventoryOperations"`
	ActiveProducts     int64  `json:"activeProducts"`
}

// A RequiredPlan is a plan that would allow what was refused.
type RequiredPlan struct {
	Code    string `json:"code"`
	Version int64  `json:"version"`
	// RequiresOverride tells that whoever runs the service must set it.
	RequiresOverride bool `json:"requiresOverride"`
}

// ExceedsPlan is the error of asking for more than the plan allows. A nil limit
// tells that the plan sets none and does not allow the matter at all.
func ExceedsPlan(key Entitlement, env Environment, plan Plan, limit *int64, used, requested int64) error {
	most := int64(0)
	if limit != nil {
		most = *limit
	}
	return Fail(PlanLimitExceeded, Details{
		"entitlementKey": key, "scope": "environment", "environment": env, "configured": limit != nil,
		"limit": fmt.Sprint(most), "used": fmt.Sprint(used), "requested": fmt.Sprint(requested),
		"currentPlan":  Plan{Code: plan.Code, Version: plan.Version},
		"requiredPlan": RequiredPlan{Code: "unlimited", Version: 1, RequiresOverride: true},
	}, "Plan limit exceeded for %s", key)
}
