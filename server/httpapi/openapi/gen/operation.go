package gen

import (
	"reflect"
	"strconv"
	"strings"

	"bincard/server/api"
)

// operation returns the description of an operation.
func (s *schemas) operation(spec *api.Spec) Object {
	in := spec.Input()
	parameters := s.parameters(in)
	if spec.Writes() {
		for _, name := range []string{"IdempotencyKey", "OperatorName", "ApprovedBy", "Proof", "NodeOperation", "Device", "OccurredAt", "IfMatch"} {
			parameters = append(parameters, ref("parameters", name))
		}
	}

	if spec == api.ListChanges.Spec {
		parameters = append(parameters, ref("parameters", "Node"))
	}

	parameters = append(parameters, ref("parameters", "RequestId"))
	out := obj("tags", []any{Group(spec)}, "operationId", spec.ID, "summary", spec.Summary, "description",
		Description(spec))
	if spec.Extension {
		out.set("x-bincard-extension", true)
	}
	if spec.Billable {
		out.set("x-bincard-billable", true)
	}

	out.set("security", []any{obj("bearer", []any{string(spec.Scope)})})
	out.set("parameters", parameters)
	out.set("requestBody", s.requestBody(spec))
	out.set("responses", s.results(spec))

	return out
}

// Group returns the resource of an operation: the first part of its path.
func Group(spec *api.Spec) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(spec.Path, "/"), "/")
	return name
}

// Description returns what the operation does and requires.
func Description(spec *api.Spec) string {
	text := words()[spec.ID]
	for _, note := range []struct {
		when bool
		text string
	}{
		{true, "Requires the scope " + string(spec.Scope) + "."},
		{spec.Billable, "Counts against the quota for billable_inventory_operations."},
		{spec.Extension, "An extension of this service."},
	} {
		if note.when {
			text = strings.TrimSpace(text + " " + note.text)
		}
	}

	return text
}

// parameters returns the path and query parameters.
func (s *schemas) parameters(in reflect.Type) (out []any) {
	for _, f := range reflect.VisibleFields(in) {
		name, where := f.Tag.Get("path"), "path"
		if name == "" {
			name, where = f.Tag.Get("query"), "query"
		}
		if name == "" {
			continue
		}

		schema := s.field(in, f, true)
		text, _ := schema.Get("description").(string)
		p := obj("name", name, "in", where)
		if where == "path" || f.Tag.Get("required") == "true" {
			p.set("required", true)
		}

		p.set("description", text)
		p.set("schema", withoutMember(schema, "description"))
		out = append(out, p)
	}

	return out
}

func withoutMember(o Object, name string) (out Object) {
	for _, m := range o {
		if m.Name != name {
			out = append(out, m)
		}
	}

	return out
}

func (s *schemas) requestBody(spec *api.Spec) any {
	if !HasBody(spec) {
		return nil
	}
	media := obj("schema", s.object(spec.Input()), "example", Example(spec))
	return obj("required", !spec.BodyOptional, "content", obj("application/json", media))
}

func (s *schemas) results(spec *api.Spec) (out Object) {
	headers := obj("X-Request-Id", ref("headers", "RequestId"), "RateLimit-Policy", ref("headers", "RateLimitPolicy"),
		"RateLimit", ref("headers", "RateLimit"))
	if spec.Writes() {
		headers.set(api.KeyHeader, ref("headers", "IdempotencyKey"))
		headers.set("Idempotent-Replayed", ref("headers", "Replayed"))
		headers.set("Bincard-Commit", ref("headers", "CommittedBy"))
	}

	output := s.of(spec.Output(), false)
	text := "Done."
	if spec.Status == 201 {
		text = "Created."
	}

	out.set(strconv.Itoa(spec.Status), obj("description", text, "headers", headers, "content",
		obj("application/json", obj("schema", output, "example", Answer(spec)))))
	for _, status := range faultsOf(spec, readsOn(spec.Input())) {
		out.set(strconv.Itoa(status), s.fault(spec, status))
	}

	return out
}

// readsOn reports whether an operation reads from a position that may no longer exist.
func readsOn(in reflect.Type) bool {
	for _, f := range reflect.VisibleFields(in) {
		if f.Tag.Get("query") == "epoch" {
			return true
		}
	}

	return false
}
