package openapi

// A publicRoute is a path that requires no key.
type publicRoute struct{ path, id, summary, media string }

// publicRoutes are the routes outside any organization.
var publicRoutes = []publicRoute{
	{"/healthz", "health", "Check that the process is running", "application/json"},
	{"/readyz", "ready", "Check that the service is ready", "application/json"},
	{"/metrics", "metrics", "Get Prometheus metrics", "text/plain"},
	{"/openapi.yaml", "openapiYAML", "Get this document as YAML", "application/yaml"},
	{"/openapi.json", "openapiJSON", "Get this document as JSON", "application/json"},
	{"/docs", "docs", "Get the documentation page", "text/html"},
}

func (r publicRoute) describe() Object {
	schema := obj("type", "string")
	switch r.id {
	case "openapiJSON":
		schema = obj("type", "object")
	case "ready":
		schema = obj("type", "object", "required", []any{"status"}, "properties", obj("status", obj("type", "string", "enum", []any{"ready"}),
			"warnings", obj("type", "array", "items", obj("type", "string"), "description", "Warnings for operators; the service is ready regardless.")))
	case "health":
		schema = obj("type", "object", "required", []any{"status"}, "properties", obj("status", obj("type", "string")))
	}
	content := obj("schema", schema)
	switch r.id {
	case "health":
		content.set("example", obj("status", "ok"))
	case "ready":
		content.set("example", obj("status", "ready", "warnings",
			[]any{"the backup of 2026-03-31 02:00 UTC failed; last backup: 2026-03-30 02:00 UTC; see the log"}))
	}
	responses := obj("200", obj("description", "Done.", "headers", obj("X-Request-Id", ref("headers", "RequestId")),
		"content", obj(r.media, content)))
	responses.set("405", ref("responses", "Error405"))
	if r.id == "ready" {
		responses.set("503", ref("responses", "Error503"))
	}
	return obj("tags", []any{"service"}, "operationId", r.id, "summary", r.summary, "description", "Requires no key.",
		"x-bincard-extension", true, "security", []any{Object{}}, "responses", responses)
}
