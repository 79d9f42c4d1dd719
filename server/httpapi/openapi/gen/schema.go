package gen

import (
	"reflect"

	"bincard/server/api"
)

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

// of returns the schema of a type, or a reference for an enum or struct. sent means
// that a request sends it.
func (s *schemas) of(t reflect.Type, sent bool) Object {
	switch t {
	case idType:
		return obj("type", "string", "format", "uuid")
	case timeType:
		return obj("type", "string", "format", "date-time")
	case metadataType:
		return obj("type", "object", "additionalProperties", true)
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
	switch {
	case sent && !s.inResponses[t]:
		out.set("additionalProperties", false)
	case withOtherIDs[t]:
		out.set("additionalProperties", true)
	}

	s.made.set(name, out)

	return ref("schemas", name)
}

// field returns the schema of a field of t, with its rules and description.
func (s *schemas) field(t reflect.Type, f reflect.StructField, sent bool) Object {
	out := s.of(f.Type, sent)
	if sent {
		bounds(&out, f)
	}
	if s.nullable(t, f, out) {
		out = orNull(out)
	}
	if text := fieldDescription(t, f); text != "" {
		out.set("description", text)
	}

	return out
}

// nullable reports whether a member may be null. A request may send null for every
// optional member except numbers. A response has null for a member that is always
// present but has no value.
func (s *schemas) nullable(t reflect.Type, f reflect.StructField, o Object) bool {
	member, omitted := memberOf(f)
	switch {
	case s.inRequests[t] && s.inResponses[t] || member == "":
		return false
	case s.inRequests[t]:
		return f.Tag.Get("required") != "true" && o.Get("type") != "integer"
	}

	return f.Type.Kind() == reflect.Pointer && !omitted
}

func ref(kind, name string) Object { return obj("$ref", "#/components/"+kind+"/"+name) }
