package gen_test

import (
	"bytes"
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/httpapi/openapi/gen"
)

// read returns the document, decoded from JSON.
func read(t *testing.T) map[string]any {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(gen.JSON(gen.Document())))
	require.NoError(t, err)
	return doc.(map[string]any)
}

// every calls fn for each value of a document, with its JSON pointer.
func every(at string, v any, fn func(at string, v any)) {
	fn(at, v)
	switch v := v.(type) {
	case map[string]any:
		for name, x := range v {
			every(at+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(name), x, fn)
		}
	case []any:
		for i, x := range v {
			every(at+"/"+strconv.Itoa(i), x, fn)
		}
	}
}

func TestDocument_ReferencesResolve(t *testing.T) {
	t.Parallel()
	doc := read(t)
	known, ids := map[string]bool{}, map[string]bool{}
	every("#", doc, func(at string, _ any) { known[at] = true })
	used := map[string]bool{}
	every("#", doc, func(at string, v any) {
		m, ok := v.(map[string]any)
		if !ok {
			return
		}
		if to, ok := m["$ref"].(string); ok {
			require.True(t, known[to], "%s refers to %s, which does not exist", at, to)
			used[to] = true
		}
		if id, ok := m["operationId"].(string); ok {
			require.False(t, ids[id], "two operations are called %s", id)
			ids[id] = true
		}
	})
	for name := range doc["components"].(map[string]any)["schemas"].(map[string]any) {
		require.True(t, used["#/components/schemas/"+name], "nothing uses the schema %s", name)
	}
}

// compiler returns a compiler for JSON Schema 2020-12, which OpenAPI 3.1 uses.
func compiler(t *testing.T) *jsonschema.Compiler {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	require.NoError(t, c.AddResource("openapi.json", read(t)))
	return c
}

func TestDocument_ExamplesMatchSchemas(t *testing.T) {
	t.Parallel()
	c, tried := compiler(t), 0
	shared := read(t)["components"].(map[string]any)["examples"].(map[string]any)
	every("#", read(t), func(at string, v any) {
		m, ok := v.(map[string]any)
		if !ok || m["schema"] == nil {
			return
		}
		schema, err := c.Compile("openapi.json" + at + "/schema")
		require.NoError(t, err, at)
		if example, ok := m["example"]; ok {
			require.NoError(t, schema.Validate(example), at)
			tried++
		}
		examples, _ := m["examples"].(map[string]any)
		for name, e := range examples {
			require.Equal(t, map[string]any{"$ref": "#/components/examples/" + name}, e)
			require.NoError(t, schema.Validate(shared[name].(map[string]any)["value"]), "%s %s", at, name)
			tried++
		}
	})
	require.Greater(t, tried, 2*len(api.Operations()))
}

func TestDocument_DescribesEveryOperation(t *testing.T) {
	t.Parallel()
	paths := gen.Document().At("paths")
	for _, spec := range api.Operations() {
		require.Contains(t, spec.Scope.Values(), string(spec.Scope), "%s needs a scope", spec.ID)
		require.NotEmpty(t, spec.Summary, spec.ID)
		require.Greater(t, len(gen.Description(spec)), len("Needs the scope x."), spec.ID)
		item := paths.At(api.BasePath + spec.Path)
		op := item.At(strings.ToLower(spec.Method))
		require.NotNil(t, op, "%s is not described", spec.ID)
		require.Equal(t, spec.ID, op.Get("operationId"))
		require.Equal(t, []any{gen.Object{{Name: "bearer", Value: []any{string(spec.Scope)}}}}, op.Get("security"), spec.ID)
		require.Equal(t, spec.Extension, op.Get("x-bincard-extension") == true, spec.ID)
		require.NotNil(t, op.At("responses", strconv.Itoa(spec.Status), "content", "application/json", "schema"), spec.ID)
		require.NotNil(t, op.At("responses", strconv.Itoa(spec.Status), "content", "application/json").Get("example"), "%s has no example answer", spec.ID)
		inputIsDescribed(t, spec, op)
	}
}

func inputIsDescribed(t *testing.T, spec *api.Spec, op gen.Object) {
	t.Helper()
	parameters := map[string]gen.Object{}
	for _, p := range op.Get("parameters").([]any) {
		if o := p.(gen.Object); o.Get("name") != nil {
			parameters[fmt.Sprint(o.Get("in"), " ", o.Get("name"))] = o.At("schema")
		}
	}
	members := gen.Document().At("components", "schemas", spec.Input().Name(), "properties")
	placeholders := strings.Count(spec.Path, "{")
	for _, f := range reflect.VisibleFields(spec.Input()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		var schema gen.Object
		switch path, query := f.Tag.Get("path"), f.Tag.Get("query"); {
		case f.Anonymous || !f.IsExported():
			continue
		case path != "":
			schema = parameters["path "+path]
			require.Contains(t, spec.Path, "{"+path+"}", spec.ID)
			placeholders--
		case query != "":
			schema = parameters["query "+query]
		default:
			require.NotNil(t, op.Get("requestBody"), "%s has no body", spec.ID)
			schema = members.At(name)
		}
		require.True(t, schema.Get("type") != nil || schema.Get("$ref") != nil || schema.Get("anyOf") != nil,
			"the field %s of %s has no type", f.Name, spec.ID)
	}
	require.Zero(t, placeholders, "%s has a placeholder without an input field", spec.Path)
}

func TestExample_Decodes(t *testing.T) {
	t.Parallel()
	for _, spec := range api.Operations() {
		if !gen.HasBody(spec) {
			continue
		}
		id := func(string) string { return "0198c5e2-7b1a-7c3e-9d41-5f2a6b8c9d0e" }
		_, err := spec.Decode(id, url.Values{}, gen.JSON(gen.Example(spec)))
		require.NoError(t, err, "%s rejects %s", spec.ID, gen.JSON(gen.Example(spec)))
	}
}

func TestFaults_ExplainEveryCode(t *testing.T) {
	t.Parallel()
	examples := gen.Document().At("components", "examples")
	seen := map[api.Code]bool{}
	for _, f := range gen.Faults() {
		require.NotEmpty(t, f.Means, "describe %s in faults.go", f.Code)
		require.NotNil(t, examples.At(string(f.Code)), f.Code)
		seen[f.Code] = true
	}
	for _, code := range []api.Code{api.ValidationError, api.InsufficientStock, api.Unavailable} {
		require.True(t, seen[code], code)
	}
}

func TestDocument_DescribesEveryCodeAndField(t *testing.T) {
	t.Parallel()
	for _, f := range gen.Faults() {
		require.Regexp(t, `^\w.+\.$`, f.Means, f.Code)
	}
	every("#", read(t)["components"].(map[string]any)["schemas"], func(at string, v any) {
		schema, _ := v.(map[string]any)
		fields, _ := schema["properties"].(map[string]any)
		for name, field := range fields {
			f, ok := field.(map[string]any)
			if ok && f["$ref"] == nil && f["anyOf"] == nil && name != "code" {
				require.NotEmpty(t, f["description"], "%s %s", at, name)
			}
		}
	})
}
