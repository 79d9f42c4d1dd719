package gen

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"bincard/server/api"
)

// failures returns the error responses that operations share, by status: all but those
// with status 400 and 409, whose codes depend on the operation.
func (s *schemas) failures() (responses Object) {
	byStatus := map[int][]api.Code{}
	var statuses []int
	for _, f := range Faults() {
		switch {
		case f.Status == http.StatusBadRequest || f.Status == http.StatusConflict:
			continue
		case byStatus[f.Status] == nil:
			statuses = append(statuses, f.Status)
		}

		byStatus[f.Status] = append(byStatus[f.Status], f.Code)
	}

	for _, status := range statuses {
		responses.set("Error"+strconv.Itoa(status), s.failure(status, byStatus[status]))
	}

	return responses
}

// failure returns an error response with one of codes.
func (s *schemas) failure(status int, codes []api.Code) Object {
	headers := obj("X-Request-Id", ref("headers", "RequestId"), "Link", ref("headers", "Help"))
	if isLimited(status) {
		headers.set("RateLimit-Policy", ref("headers", "RateLimitPolicy"))
		headers.set("RateLimit", ref("headers", "RateLimit"))
	}

	switch status {
	case http.StatusUnauthorized:
		headers.set("WWW-Authenticate", ref("headers", "Challenge"))
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		headers.set("Retry-After", ref("headers", "RetryAfter"))
	case http.StatusMethodNotAllowed:
		headers.set("Allow", ref("headers", "Allow"))
	}

	var examples Object
	for _, code := range codes {
		examples.set(string(code), ref("examples", string(code)))
	}

	return obj("description", fmt.Sprintf("%s.", http.StatusText(status)), "headers", headers,
		"content", obj("application/json", obj("schema", s.errorBody(codes), "examples", examples)))
}

// isLimited reports whether an error with a status may be the answer to a known key.
func isLimited(status int) bool {
	return !slices.Contains([]int{http.StatusUnauthorized, http.StatusMethodNotAllowed, http.StatusExpectationFailed,
		http.StatusRequestHeaderFieldsTooLarge, http.StatusHTTPVersionNotSupported}, status)
}

// errorBody returns the schema of the body of an error with one of codes.
func (s *schemas) errorBody(codes []api.Code) Object {
	var one []any
	var mapping Object
	for _, code := range codes {
		to := s.errorOf(code)
		one = append(one, to)
		mapping.set(string(code), to.Get("$ref"))
	}

	schema, _ := one[0].(Object)
	if len(one) > 1 {
		schema = obj("oneOf", one, "discriminator", obj("propertyName", "code", "mapping", mapping))
	}

	return obj("type", "object", "required", []any{"error"}, "properties", obj("error", schema))
}

// errorOf returns a reference to the schema of the errors with a code.
func (s *schemas) errorOf(code api.Code) Object {
	name := ErrorName(code)
	if s.made.Get(name) == nil {
		members := obj(
			"code", obj("type", "string", "enum", []any{string(code)}),
			"message", obj("type", "string", "description", "What happened and what to do next, for people to read."),
			"requestId", obj("type", "string", "description", "The request id, as in the X-Request-Id header."))
		details := obj("type", "object", "description", "Details of the error.", "additionalProperties", true)
		if d := detailsOf[code]; d != nil {
			details = s.object(reflect.TypeOf(d))
		}

		members.set("details", details)
		s.made.set(name, obj("type", "object", "description", meanings[code],
			"externalDocs", obj("url", "/docs#error-"+string(code), "description", string(code)),
			"required", []any{"code", "message", "requestId"}, "properties", members))
	}

	return ref("schemas", name)
}

// ErrorName returns the name of the schema of a code: InsufficientStockError.
func ErrorName(code api.Code) string {
	var b strings.Builder
	for word := range strings.SplitSeq(string(code), "_") {
		b.WriteString(word[:1] + strings.ToLower(word[1:]))
	}
	return strings.TrimSuffix(b.String(), "Error") + "Error"
}

// faultExamples returns the examples of all errors, by code.
func faultExamples() (out Object) {
	for _, f := range Faults() {
		out.set(string(f.Code), obj("summary", f.Means, "value", obj("error", errorSample(f))))
	}
	return out
}

// faultsOf returns the error statuses that an operation can return.
func faultsOf(spec *api.Spec, feed bool) []int {
	out := []int{401, 402, 403, 404, 406, 413, 415, 417, 429, 431, 500, 501, 503, 505}
	if len(Codes(spec, 400)) > 0 {
		out = append(out, 400)
	}
	if spec.Writes() {
		out = append(out, 412, 422)
	}
	if len(Codes(spec, 409)) > 0 {
		out = append(out, 409)
	}
	if feed {
		out = append(out, 410)
	}

	slices.Sort(out)

	return out
}

// fault returns the error response of an operation with a status.
func (s *schemas) fault(spec *api.Spec, status int) Object {
	if status != http.StatusConflict && status != http.StatusBadRequest {
		return ref("responses", "Error"+strconv.Itoa(status))
	}
	return s.failure(status, Codes(spec, status))
}

// errorSample returns an example of an error.
func errorSample(f Fault) Object {
	out := obj("code", string(f.Code), "message", f.Means, "requestId", "req_0f9c2b7d1e5a4c3b8d6f")
	d := detailsOf[f.Code]
	if d == nil {
		return out
	}

	details := requiredOf(reflect.TypeOf(d))
	switch f.Code {
	case api.ValidationError:
		out.set("message", "quantity: must be at least 1, is 0.")
		details.set("fields", []any{obj("path", "quantity", "rule", "minimum", "message", "must be at least 1, is 0")})
	case api.InsufficientStock:
		details.set("inventoryState", "available")
		details.set("current", int64(3))
	case api.QuantityExceedsPending:
		details.set("pending", int64(3))
	case api.PlanLimitExceeded:
		out.set("message", "Plan limit exceeded for api_requests")
		plan := obj("code", "starter", "version", int64(1))
		details = obj("entitlementKey", "api_requests", "scope", "environment", "environment", "live", "configured",
			true, "limit", "10000", "used", "10000", "requested", "1", "currentPlan", plan, "requiredPlan",
			obj("code", "unlimited", "version", int64(1), "requiresOverride", true))
	}

	out.set("details", details)

	return out
}

// requiredOf returns an example of a response with the members that are always present.
func requiredOf(t reflect.Type) (out Object) {
	for _, f := range reflect.VisibleFields(t) {
		if name, omitted := memberOf(f); name != "" && !omitted {
			out = append(out, Member{name, exampleValue(name, f.Type)})
		}
	}

	return out
}
