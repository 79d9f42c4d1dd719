package openapi

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"bincard/server/api"
)

// failures returns the shared error responses and their schemas, one for each status.
func failures() (responses, bodies Object) {
	byStatus := map[int][]Fault{}
	var statuses []int
	for _, f := range Faults() {
		if byStatus[f.Status] == nil {
			statuses = append(statuses, f.Status)
		}
		byStatus[f.Status] = append(byStatus[f.Status], f)
	}
	for _, status := range statuses {
		name := "Error" + strconv.Itoa(status)
		bodies.set(name, errorBody(byStatus[status]))
		headers := obj("X-Request-Id", ref("headers", "RequestId"))
		switch status {
		case http.StatusUnauthorized:
			headers.set("WWW-Authenticate", ref("headers", "Challenge"))
		case http.StatusTooManyRequests, http.StatusServiceUnavailable:
			headers.set("Retry-After", ref("headers", "RetryAfter"))
		case http.StatusMethodNotAllowed:
			headers.set("Allow", ref("headers", "Allow"))
		}
		responses.set(name, obj("description", fmt.Sprintf("%s.", http.StatusText(status)), "headers", headers,
			"content", obj("application/json", obj("schema", ref("schemas", name), "examples", errorExamples(byStatus[status])))))
	}
	return responses, bodies
}

// errorExamples returns references to the examples of errors.
func errorExamples(list []Fault) (out Object) {
	for _, f := range list {
		out.set(string(f.Code), ref("examples", string(f.Code)))
	}
	return out
}

// faultExamples returns the examples of all errors, by code.
func faultExamples() (out Object) {
	for _, f := range Faults() {
		out.set(string(f.Code), obj("summary", f.Means, "value", obj(bodyMember(f.Status), errorSample(f))))
	}
	return out
}

// bodyMember returns the only member of an error's body: a write that is saved has a
// warning.
func bodyMember(status int) string {
	if status == http.StatusAccepted {
		return "warning"
	}
	return "error"
}

// errorBody returns the schema of the errors with a status.
func errorBody(list []Fault) Object {
	var codes []any
	details := Object{{"type", "object"}}
	for _, f := range list {
		codes = append(codes, string(f.Code))
		if d := detailsSchema(f.Code); d != nil && (len(list) == 1 || f.Code == api.ValidationError) {
			details = d
		}
	}
	details.set("description", "Details of the error; the members depend on the code.")
	member := bodyMember(list[0].Status)
	return obj("type", "object", "required", []any{member}, "properties", obj(member, obj(
		"type", "object", "required", []any{"code", "message", "requestId"}, "properties", obj(
			"code", obj("type", "string", "enum", codes),
			"message", obj("type", "string", "description", "What happened and what to do next, for people to read."),
			"requestId", obj("type", "string", "description", "The request id, as in the X-Request-Id header."),
			"details", details))))
}

// faultsOf returns the error statuses that an operation can return.
func faultsOf(spec *api.Spec, feed bool) []int {
	out := []int{401, 402, 403, 404, 406, 429, 500, 501, 503}
	if len(Codes(spec, 400)) > 0 {
		out = append(out, 400)
	}
	if spec.Writes() {
		out = append(out, 412, 413, 415, 422)
	}
	if len(Codes(spec, 409)) > 0 {
		out = append(out, 409)
	}
	if feed {
		out = append(out, 410)
	}
	if spec.Writes() && spec.Physical() {
		out = append(out, 202)
	}
	slices.Sort(out)
	return out
}

// fault returns the error response of an operation with a status: the shared one, or
// for status 400 and 409 one that is limited to the operation's codes.
func fault(spec *api.Spec, status int) any {
	name, codes := "Error"+strconv.Itoa(status), Codes(spec, status)
	if status != http.StatusConflict && status != http.StatusBadRequest {
		return ref("responses", name)
	}
	var faults []Fault
	for _, f := range Faults() {
		if slices.Contains(codes, f.Code) {
			faults = append(faults, f)
		}
	}
	ownCodes := obj("type", "object", "properties", obj("error", obj("type", "object", "properties", obj("code", obj("type", "string", "enum", anys(codes))))))
	return obj("description", http.StatusText(status)+".", "headers", obj("X-Request-Id", ref("headers", "RequestId")),
		"content", obj("application/json", obj("schema", obj("allOf", []any{ref("schemas", name), ownCodes}), "examples", errorExamples(faults))))
}

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
