package openapi

import (
	"net/http"
	"slices"
	"strconv"

	"bincard/server/api"
)

// Codes returns the error codes with a status that the operation can return. Conflicts
// are ordered by likelihood.
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

// pages reports whether the operation takes a cursor.
func pages(spec *api.Spec) bool {
	f, ok := spec.Input().FieldByName("Cursor")
	return ok && f.Tag.Get("query") != ""
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
