package openapi

import (
	"net/http"
	"slices"
	"strconv"

	"bincard/server/api"
)

// Codes are those of a status that the operation can answer, the likeliest first.
func Codes(spec *api.Spec, status int) (out []api.Code) {
	if status == http.StatusConflict {
		return slices.Clone(spec.Conflicts)
	}
	for _, f := range Faults() {
		if f.Status != status || !spec.Writes() && f.Code == api.IdempotencyKeyRequired || !HasBody(spec) && f.Code == api.InvalidJSON ||
			f.Code == api.InvalidCursor && !pages(spec) {
			continue
		}
		out = append(out, f.Code)
	}
	return out
}

// pages tells whether the operation takes a cursor.
func pages(spec *api.Spec) bool {
	f, ok := spec.Input().FieldByName("Cursor")
	return ok && f.Tag.Get("query") != ""
}

// fault is how an operation fails with a status: as all do where all fail so,
// else with its own codes alone.
func fault(spec *api.Spec, status int) any {
	name, codes := "Error"+strconv.Itoa(status), Codes(spec, status)
	if status != http.StatusConflict && status != http.StatusBadRequest {
		return ref("responses", name)
	}
	var known []Fault
	for _, f := range Faults() {
		if slices.Contains(codes, f.Code) {
			known = append(known, f)
		}
	}
	narrow := obj("type", "object", "properties", obj("error", obj("type", "object", "properties", obj("code", obj("type", "string", "enum", anys(codes))))))
	return obj("description", http.StatusText(status)+".", "headers", obj("X-Request-Id", ref("headers", "RequestId")),
		"content", obj("application/json", obj("schema", obj("allOf", []any{ref("schemas", name), narrow}), "examples", errorExamples(known))))
}
