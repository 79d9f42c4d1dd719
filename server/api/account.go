package api

import (
	"fmt"
	"time"
)

// A Credential describes an API key without its secret.
type Credential struct {
	ID             ID          `json:"id"`
	OrganizationID ID          `json:"organizationId"`
	Environment    Environment `json:"environment"`
	// Hint is the start of the secret, like bc_live_ab12cd34….
	Hint   string  `json:"hint"`
	Label  string  `json:"label"`
	Scopes []Scope `json:"scopes"`
	// LocationID is the only location where the key may be used; it is omitted if there is no limit.
	LocationID ID `json:"locationId,omitzero"`
	// Role is the role that the key is bound to; it is omitted if there is none.
	Role      Role      `json:"role,omitzero"`
	CreatedAt time.Time `json:"createdAt"`
	// CreatedByKeyID is the key that created it, null if the administrator of the service
	// did, or an earlier version of it.
	CreatedByKeyID *ID        `json:"createdByKeyId,omitzero"`
	ExpiresAt      *time.Time `json:"expiresAt,omitzero"`
	RevokedAt      *time.Time `json:"revokedAt,omitzero"`
	// LastUsedAt is the time of the last use, accurate to the hour after a restart.
	LastUsedAt *time.Time `json:"lastUsedAt,omitzero"`
}

// KeyResult is a new API key.
type KeyResult struct {
	Key Credential `json:"key"`
	// Secret is the secret of the key. It is not stored, so only the first response has
	// it and a retry does not. If it is lost, revoke the key.
	Secret string `json:"secret,omitzero"`
}

// RevokedKey is a revoked key and what became of its descendants: the keys that it created,
// those that they created, and so on.
type RevokedKey struct {
	Credential
	// RevokedDescendantIDs are the descendants that were revoked with it.
	RevokedDescendantIDs []ID `json:"revokedDescendantIds,omitzero"`
	// RemainingDescendants is the number of descendants that are still valid.
	RemainingDescendants *int64 `json:"remainingDescendants,omitzero"`
}

// CreateKeyInput describes a new API key.
type CreateKeyInput struct {
	Label     string     `json:"label,omitzero" required:"true" text:"name" doc:"what the key is for"`
	Scopes    []Scope    `json:"scopes,omitzero" required:"true" maxItems:"20" doc:"a subset of the caller's scopes"`
	ExpiresAt *time.Time `json:"expiresAt,omitzero" doc:"when the key expires, at the latest with the key that creates it, which is the default"`
}

// ListKeysInput pages through the keys.
type ListKeysInput struct {
	Page
}

// RevokeKeyInput identifies a key to revoke.
type RevokeKeyInput struct {
	KeyID       ID   `json:"-" path:"keyId"`
	Descendants bool `json:"descendants,omitzero" doc:"whether to revoke its descendants too: the keys that it created, those that they created, and so on"`
}

var (
	// CreateKey creates an API key in the caller's environment and returns its secret
	// once.
	CreateKey = operation[CreateKeyInput, KeyResult](Spec{
		ID: "createKey", Method: "POST", Path: "/keys", Scope: Admin, Status: 201,
		Direction: DirectionNone, ServiceOnly: true,
		Conflicts: []Code{},
		Summary:   "Create an API key and return its secret once", Extension: true})
	// ListKeys returns the API keys of the environment, newest first, including revoked
	// ones.
	ListKeys = operation[ListKeysInput, List[Credential]](Spec{
		ID: "listKeys", Method: "GET", Path: "/keys", Scope: Admin,
		ServiceOnly: true,
		Summary:     "List API keys", Extension: true})
	// RevokeKey revokes an API key immediately and ends its open long polls. The keys that
	// it created stay valid, unless descendants is true.
	RevokeKey = operation[RevokeKeyInput, RevokedKey](Spec{
		ID:           "revokeKey",
		Method:       "POST",
		Path:         "/keys/{keyId}/revoke",
		Scope:        Admin,
		BodyOptional: true,
		BodyAdded:    true,
		Direction:    DirectionNone,
		ServiceOnly:  true,
		Conflicts:    []Code{},
		Summary:      "Revoke an API key immediately",
		Extension:    true,
	})
)

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
	// RequiresOverride is whether only the operator of the service can assign the plan.
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
