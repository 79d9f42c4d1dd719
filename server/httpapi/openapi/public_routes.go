package openapi

// A publicRoute is a path of the service itself, which needs no key.
type publicRoute struct{ path, id, summary, media string }

// publicRoutes are the routes outside any organization.
var publicRoutes = []publicRoute{
	{"/healthz", "health", "Tell that the process runs", "application/json"},
	{"/readyz", "ready", "Tell that requests are welcome, and what somebody ought to look at", "application/json"},
	{"/metrics", "metrics", "Metrics for Prometheus; they name no organization, key or person", "text/plain"},
	{"/openapi.yaml", "openapiYAML", "This document as YAML", "application/yaml"},
	{"/openapi.json", "openapiJSON", "This document as JSON", "application/json"},
	{"/docs", "docs", "The documentation as a page that needs nothing from the internet", "text/html"},
}

func (r publicRoute) describe() Object {
	schema := obj("type", "string")
	switch r.id {
	case "openapiJSON":
		schema = obj("type", "object")
	case "ready":
		schema = obj("type", "object", "required", []any{"status"}, "properties", obj("status", obj("type", "string", "enum", []any{"ready"}),
			"warnings", obj("type", "array", "items", obj("type", "string"), "description", "What somebody ought to look at, though requests are welcome.")))
	case "health":
		schema = obj("type", "object", "required", []any{"status"}, "properties", obj("status", obj("type", "string")))
	}
	content := obj("schema", schema)
	switch r.id {
	case "health":
		content.set("example", obj("status", "ok"))
	case "ready":
		content.set("example", obj("status", "ready", "warnings",
			[]any{"the backup of 2026-03-31 02:00 UTC failed, and the last one is of 2026-03-30 02:00 UTC; the log says why"}))
	}
	responses := obj("200", obj("description", "Done.", "headers", obj("X-Request-Id", ref("headers", "RequestId")),
		"content", obj(r.media, content)))
	responses.set("405", ref("responses", "Error405"))
	if r.id == "ready" {
		responses.set("503", ref("responses", "Error503"))
	}
	return obj("tags", []any{"service"}, "operationId", r.id, "summary", r.summary, "description", "Needs no key.",
		"x-bincard-extension", true, "security", []any{Object{}}, "responses", responses)
}
