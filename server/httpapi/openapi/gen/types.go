package gen

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

// memberOf returns the name of a field in the body, or empty if it is not in the body, and
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
