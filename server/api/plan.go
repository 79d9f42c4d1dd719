package api

import "fmt"

// An Entitlement is a resource limited by a plan.
type Entitlement string

const (
	// APIRequests are the requests made with API keys in a month.
	APIRequests Entitlement = "api_requests"
	// BillableOperations are the billable operations that succeeded in a month.
	BillableOperations Entitlement = "billable_inventory_operations"
	// ActiveProducts are the products that are not archived.
	ActiveProducts Entitlement = "active_products"
)

// Limits are the limits of a plan in one environment of an organization; nil
// means no limit. Months are calendar months in UTC.
type Limits struct {
	APIRequests        *int64 `json:"apiRequests,omitzero"`
	BillableOperations *int64 `json:"billableInventoryOperations,omitzero"`
	ActiveProducts     *int64 `json:"activeProducts,omitzero"`
	// Reports is whether the plan includes reports.
	Reports bool `json:"reports"`
}

// Usage is the usage of a plan.
type Usage struct {
	// Month is the month of the monthly counts, like 2026-03.
	Month              string `json:"month"`
	APIRequests        int64  `json:"apiRequests"`
	BillableOperations int64  `json:"billableInventoryOperations"`
	ActiveProducts     int64  `json:"activeProducts"`
}

// A RequiredPlan is a plan that would allow the rejected request.
type RequiredPlan struct {
	Code    string `json:"code"`
	Version int64  `json:"version"`
	// RequiresOverride is set if the operator of the service must assign the plan.
	RequiresOverride bool `json:"requiresOverride"`
}

// ExceedsPlan is the error of a request beyond the plan. A nil limit means that
// the plan does not include the entitlement at all.
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
	}, "Plan limit exceeded for %v", key)
}
