package openapi

import "bincard/server/api"

// detailsSchema returns the schema of a code's details, nil if they vary.
func detailsSchema(code api.Code) Object {
	text := Object{{"type", "string"}}
	plan := obj("type", "object", "required", []any{"code", "version"},
		"properties", obj("code", text, "version", obj("type", "integer")))
	switch code {
	case api.ValidationError:
		field := obj("type", "object", "required", []any{"path", "rule", "message"},
			"properties", obj("path", text, "rule", text, "message", text))
		return obj("type", "object", "properties", obj("fields", obj("type", "array", "items", field)))
	case api.InsufficientScope:
		return obj("type", "object", "required", []any{"requiredScope"},
			"properties", obj("requiredScope", obj("type", "string", "enum", anys(api.Scope("").Values()))))
	case api.PlanLimitExceeded:
		required := obj("type", "object", "required", []any{"code", "version", "requiresOverride"},
			"properties", obj("code", text, "version", obj("type", "integer"), "requiresOverride", obj("type", "boolean")))
		return obj("type", "object",
			"required", []any{"entitlementKey", "scope", "environment", "configured", "limit", "used", "requested", "currentPlan", "requiredPlan"},
			"properties", obj(
				"entitlementKey", obj("type", "string", "enum", []any{"api_requests", "billable_inventory_operations", "active_products"}),
				"scope", text, "environment", obj("type", "string", "enum", anys(api.Environment("").Values())),
				"configured", obj("type", "boolean"), "limit", text, "used", text, "requested", text,
				"currentPlan", plan, "requiredPlan", required))
	}
	return nil
}

// errorSample returns an example of an error.
func errorSample(f Fault) Object {
	out := obj("code", string(f.Code), "message", f.Means, "requestId", "req_0f9c2b7d1e5a4c3b8d6f")
	switch f.Code {
	case api.ValidationError:
		out.set("message", "quantity: must be at least 1, is 0.")
		out.set("details", obj("fields", []any{obj("path", "quantity", "rule", "minimum", "message", "must be at least 1, is 0")}))
	case api.InsufficientScope:
		out.set("details", obj("requiredScope", string(api.InventoryWrite)))
	case api.InsufficientStock:
		out.set("details", obj("inventoryState", "available", "current", int64(3), "requested", int64(5)))
	case api.QuantityExceedsPending:
		out.set("details", obj("pending", int64(3), "requested", int64(5)))
	case api.PlanLimitExceeded:
		out.set("message", "Plan limit exceeded for api_requests")
		plan := obj("code", "starter", "version", int64(1))
		out.set("details", obj("entitlementKey", "api_requests", "scope", "environment", "environment", "live", "configured", true,
			"limit", "10000", "used", "10000", "requested", "1", "currentPlan", plan,
			"requiredPlan", obj("code", "unlimited", "version", int64(1), "requiresOverride", true)))
	}
	return out
}
