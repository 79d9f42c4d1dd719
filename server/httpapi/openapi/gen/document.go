// Package gen makes the OpenAPI 3.1 document and the documentation page of the service, which
// package httpapi contains. Its tests, with -update, write them into the folder openapi.
//
// Paths, parameters, bodies, responses and errors come
// from the table of operations and the types and tags of package api. Descriptions
// come from its comments, which words.json contains.
//
// DocsHTML renders the same as one self-contained page, without fonts, images or external
// resources. A script adds search and copy buttons; the page is complete without it.
package gen

import (
	"slices"
	"strings"
	"sync"

	"bincard/server/api"
)

// Version is the version of the interface, not of the program.
const Version = "1.0.0"

const introduction = `Bincard records the stock of organizations in a ledger. Each combination of product, location, owner and
channel has a balance in eight states, and every balance is the sum of its movements.

Send an API key as a bearer token with every request. The key is bound to one organization and to one environment, live
or test. Send an Idempotency-Key with every write. A write can be retried with the same key and is applied only once.
Lists are newest first. Send nextCursor as cursor to read the next page; it is null on the last page.

All quantities are whole numbers of base units. onHand is the sum of available, reserved, committed, damaged,
qualityControl and safetyStock; incoming is not included because it has not arrived. Times are ISO 8601 in UTC.

Path ids are UUIDs with dashes, in upper or lower case; answers have them in lower case. Any other form is answered 404,
like the id of something that does not exist.

Codes, SKUs and references must not contain control, invisible or private-use characters (the rule printable). Names may
also have variation selectors, and notes line breaks, tabs and joiners.

A GET takes no body: one that is sent is checked, and rejected if it is not an empty JSON object. HEAD is answered like
GET, without the body. All errors have the same JSON body, also those of requests that are not valid HTTP.

An answer to a key has RateLimit-Policy and RateLimit, which tell how many requests the key may send, as in
draft-ietf-httpapi-ratelimit-headers, unless the service has no such limit. 429 and 503 have Retry-After. Every answer
has X-Content-Type-Options: nosniff, and over TLS Strict-Transport-Security.

A repeated write is answered with the bytes of the first answer. Only createKey differs: its secret is not stored, so a
repeat is answered without it. If the first answer is lost, revoke the key and create another.

Items marked x-bincard-extension are extensions of this service.`

// Document returns the OpenAPI document of the service.
var Document = sync.OnceValue(func() Object { return describe(api.Operations()) })

func describe(specs []*api.Spec) Object {
	s := newSchemas(specs)
	paths := s.paths(specs)
	for _, r := range publicRoutes {
		paths.set(r.path, obj("get", r.describe()))
	}

	responses := s.failures()
	slices.SortFunc(s.made, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })

	return obj(
		"openapi",
		"3.1.0",
		"info",
		obj("title", "Bincard inventory ledger", "version", Version, "summary", "A multi-tenant inventory ledger.",
			"description", introduction, "license",
			obj("name", "All rights reserved", "identifier", "LicenseRef-Proprietary")),
		"servers",
		[]any{
			obj("url", "{base_url}", "variables",
				obj("base_url", obj("default", "http://127.0.0.1:8080", "description", "Base URL of the service."))),
		},
		"security",
		[]any{Object{{"bearer", []any{}}}},
		"tags",
		tagList(specs),
		"paths",
		paths,
		"components",
		obj("securitySchemes", obj("bearer", obj("type", "http", "scheme", "bearer",
			"description", "An API key. It is bound to one organization, one environment and a set of scopes: "+
				strings.Join(api.Scope("").Values(), ", ")+".")),
			"parameters", shared(), "headers", responseHeaders(), "responses", responses,
			"examples", faultExamples(), "schemas", s.made),
	)
}

// paths returns the operations by path, in the order of the table.
func (s *schemas) paths(specs []*api.Spec) (out Object) {
	for _, spec := range specs {
		path := api.BasePath + spec.Path
		item := out.At(path)
		if item == nil {
			item = obj("parameters", []any{ref("parameters", "OrganizationId")})
		}
		item.set(strings.ToLower(spec.Method), s.operation(spec))
		out.set(path, item)
	}

	return out
}

func tagList(specs []*api.Spec) (out []any) {
	seen := map[string]bool{}
	for _, spec := range specs {
		if name := Group(spec); !seen[name] {
			seen[name] = true
			out = append(out, obj("name", name, "description", About(name)))
		}
	}

	return append(out, obj("name", "service", "description", About("service")))
}

// shared returns the parameters that several operations have.
func shared() Object {
	visible := func(limit int64) Object {
		return obj("type", "string", "minLength", int64(1), "maxLength", limit, "pattern", "^[!-~]+$")
	}
	header := func(name string, required bool, text string, schema Object) Object {
		o := obj("name", name, "in", "header")
		if required {
			o.set("required", true)
		}
		o.set("description", text)
		o.set("schema", schema)
		return o
	}

	return obj(
		"OrganizationId",
		obj("name", "organizationId", "in", "path", "required", true,
			"description", "The organization of the key.", "schema", obj("type", "string", "format", "uuid")),
		"IdempotencyKey",
		header(
			"Idempotency-Key",
			true,
			"Identifies the write; send a new value with each one. A retry with the same value is not applied again and returns the first response.",
			visible(255),
		),
		"RequestId",
		header("X-Request-Id", false, "Request id for logs and support; generated if omitted.", visible(128)),
		"OperatorName",
		header("X-Operator", false, "The person making the request, recorded as createdBy.",
			obj("type", "string", "maxLength", int64(255))),
		"ApprovedBy",
		header(
			"X-Approved-By",
			false,
			"The supervisor who approved the operator's write, recorded as approvedBy: another person than X-Operator, which it needs.",
			obj("type", "string", "maxLength", int64(255)),
		),
		"Proof",
		header(
			api.ProofHeader,
			false,
			"The signature of the write by who approved it, or else by the operator, as terminals make it. A key that is bound to a role needs it for what its role may not do.",
			obj("type", "string", "maxLength", int64(255)),
		),
		"NodeOperation",
		header(
			"Bincard-Client",
			false,
			"The id of the node that sends the write, a slash, and the number that the node gave the write. The same Idempotency-Key from another node fails with IDEMPOTENCY_KEY_REUSED. An edge ignores that of its clients and sends its own.",
			obj("type", "string", "pattern", "^[0-9a-fA-F-]{36}/[1-9][0-9]*$"),
		),
		"Device",
		header("Bincard-Device", false, "The label of the device on which the write was made.",
			obj("type", "string", "maxLength", int64(255))),
		"Node",
		header(
			api.NodeReportHeader,
			false,
			"What a node says about itself, as JSON: id, label, kind, version, pending, failed, oldest, locations and clockOffsetMs, as listNodes returns them.",
			obj("type", "string"),
		),
		"OccurredAt",
		header(
			"Bincard-Occurred-At",
			false,
			"When the write happened, if that was earlier: at most a year ago, and at most five minutes ahead of the service's clock. An edge checks it by its own clock, and passes it on.",
			obj("type", "string", "format", "date-time"),
		),
		"IfMatch",
		header(
			"If-Match",
			false,
			`The version that the resource must have, in quotes, like "7". Otherwise the request fails with VERSION_CONFLICT.`,
			obj("type", "string", "pattern", `^"[0-9]+"$`),
		),
	)
}

func responseHeaders() Object {
	texts := func(text string) Object { return obj("description", text, "schema", obj("type", "string")) }

	return obj(
		"RequestId",
		obj("description", "The request id, as sent or generated.", "required", true, "schema", obj("type", "string"),
			"example", "req_0f9c2b7d1e5a4c3b8d6f"),
		"IdempotencyKey",
		texts("The Idempotency-Key of the request. An answer with another key is that to another write."),
		"Replayed",
		obj("description", "true if this is the stored response to an earlier request with the same Idempotency-Key.",
			"schema", obj("type", "string", "enum", []any{"true"})),
		"CommittedBy",
		texts("Who committed the write, if not the service itself."),
		"RateLimitPolicy",
		obj("description", "The requests (q) that the key may send in a number of seconds (w), at once or spread out.",
			"schema", obj("type", "string"), "example", `"key";q=40000;w=2`),
		"RateLimit",
		obj("description", "The requests that the key has left (r), and the seconds until it has all (t).", "schema",
			obj("type", "string"), "example", `"key";r=39997;t=1`),
		"Challenge",
		obj("description", "How to authenticate.", "required", true, "schema", obj("type", "string"), "example",
			"Bearer"),
		"RetryAfter",
		obj("description", "Seconds to wait before retrying.", "required", true, "schema",
			obj("type", "string", "pattern", "^[0-9]+$"), "example", "5"),
		"Allow",
		obj("description", "The methods the path allows. HEAD is answered like GET, without the body.", "required",
			true, "schema", obj("type", "string"), "example", "GET, HEAD"),
		"Help",
		obj("description", "Where the documentation describes the error's code, as a link with rel=help.", "schema",
			obj("type", "string"), "example", `</docs#error-NOT_FOUND>; rel="help"`),
	)
}

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
		schema = obj("type", "object", "required", []any{"status"}, "properties", obj(
			"status",
			obj("type", "string", "enum", []any{"ready"}),
			"warnings",
			obj("type", "array", "items", obj("type", "string"), "description",
				"Warnings for operators; the service is ready regardless."),
			"store",
			obj(
				"type",
				"object",
				"description",
				"The database of the service, if it has one: its role, the connections, and how many commits of other processes were not read yet.",
			),
		))

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
