package openapi

import (
	"reflect"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"bincard/server/api"
)

var (
	idType       = reflect.TypeFor[api.ID]()
	timeType     = reflect.TypeFor[time.Time]()
	metadataType = reflect.TypeFor[jsontext.Value]()
)

// extra are enum values that only responses may have.
var extra = map[reflect.Type][]string{
	reflect.TypeFor[api.MovementOperation](): {string(api.OpReservationCreate)},
}

// schemas are the named schemas of the document, created on first use.
type schemas struct {
	made        Object
	inRequests  map[reflect.Type]bool // types in requests
	inResponses map[reflect.Type]bool // types in responses
}

// newSchemas collects the types of requests and responses, which must be known before
// any is described.
func newSchemas(specs []*api.Spec) *schemas {
	s := &schemas{inRequests: map[reflect.Type]bool{}, inResponses: map[reflect.Type]bool{}}
	for _, spec := range specs {
		walk(s.inRequests, spec.Input())
		walk(s.inResponses, spec.Output())
	}
	return s
}

// walk adds t and the types of its fields to seen.
func walk(seen map[reflect.Type]bool, t reflect.Type) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice && t != metadataType || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if seen[t] {
		return
	}
	seen[t] = true
	if t.Kind() == reflect.Struct && t != timeType {
		for _, f := range reflect.VisibleFields(t) {
			if !f.Anonymous && f.IsExported() {
				walk(seen, f.Type)
			}
		}
	}
}

// of returns the schema of a type, or a reference for an enum or struct. sent means
// that a request sends it.
func (s *schemas) of(t reflect.Type, sent bool) Object {
	switch t {
	case idType:
		return obj("type", "string", "format", "uuid")
	case timeType:
		return obj("type", "string", "format", "date-time")
	case metadataType:
		return obj("type", "object")
	}
	if list := enumValues(t); list != nil {
		return s.enum(t, list, sent)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return s.of(t.Elem(), sent)
	case reflect.String:
		return obj("type", "string")
	case reflect.Bool:
		return obj("type", "boolean")
	case reflect.Int, reflect.Int32, reflect.Int64:
		return obj("type", "integer", "format", "int64")
	case reflect.Float64:
		return obj("type", "number")
	case reflect.Slice:
		return obj("type", "array", "items", s.of(t.Elem(), sent))
	case reflect.Map:
		return obj("type", "object", "additionalProperties", s.of(t.Elem(), sent))
	case reflect.Struct:
		return s.object(t)
	}
	return Object{} // any value
}

// enum returns a reference to an enum. An enum with extra values in responses has a
// second schema for requests.
func (s *schemas) enum(t reflect.Type, list []string, sent bool) Object {
	name := t.Name()
	if more := extra[t]; more != nil {
		if sent {
			name += "Filter"
		} else {
			list = append(list, more...)
		}
	}
	if s.made.Get(name) == nil {
		s.made.set(name, obj("type", "string", "description", words()[t.Name()], "enum", anys(list)))
	}
	return ref("schemas", name)
}

// object returns a reference to a struct.
func (s *schemas) object(t reflect.Type) Object {
	name := nameOf(t)
	if s.made.Get(name) != nil {
		return ref("schemas", name)
	}
	s.made.set(name, Object{{"type", "object"}}) // for recursive types
	sent := s.inRequests[t]
	var members Object
	var required []any
	for _, f := range reflect.VisibleFields(t) {
		member, omitted := memberOf(f)
		if member == "" {
			continue
		}
		members.set(member, s.field(t, f, sent))
		if !omitted || f.Tag.Get("required") == "true" {
			required = append(required, member)
		}
	}
	out := obj("type", "object", "description", words()[baseName(t)], "properties", members, "required", required)
	if sent && !s.inResponses[t] {
		out.set("additionalProperties", false)
	}
	s.made.set(name, out)
	return ref("schemas", name)
}

// memberOf returns the name of a field in the body, empty if it is not in the body, and
// whether it may be omitted.
func memberOf(f reflect.StructField) (name string, omitted bool) {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	if f.Anonymous || !f.IsExported() || name == "-" {
		return "", false
	}
	return name, strings.Contains(options, "omitzero") || strings.Contains(options, "omitempty")
}

// nameOf returns the schema name of a struct; for List[Inbound], InboundList.
func nameOf(t reflect.Type) string {
	name, param, ok := strings.Cut(t.Name(), "[")
	if !ok {
		return name
	}
	param = strings.TrimSuffix(param, "]")
	return param[strings.LastIndex(param, ".")+1:] + name
}

// baseName returns the name of a type without type parameters.
func baseName(t reflect.Type) string {
	name, _, _ := strings.Cut(t.Name(), "[")
	return name
}

// enumValues returns the possible values of an enum, nil for other types.
func enumValues(t reflect.Type) []string {
	if e, ok := reflect.Zero(t).Interface().(interface{ Values() []string }); ok {
		return e.Values()
	}
	return nil
}

func ref(kind, name string) Object { return obj("$ref", "#/components/"+kind+"/"+name) }
