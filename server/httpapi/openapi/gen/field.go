package gen

import (
	"cmp"
	"reflect"
	"strconv"
	"strings"

	"bincard/server/api"
)

// defaultLength is the maximum length of a string in a request without a
// maxLength tag.
const defaultLength = 255

// orNull returns a schema that also permits null.
func orNull(o Object) Object {
	if o.Get("$ref") != nil {
		return obj("anyOf", []any{o, obj("type", "null")})
	}
	o.set("type", []any{o.Get("type"), "null"})
	return o
}

// bounds adds the rules of an input field.
func bounds(o *Object, f reflect.StructField) {
	required := f.Tag.Get("required") == "true"
	if o.Get("$ref") != nil {
		return
	}

	switch o.Get("type") {
	case "integer":
		o.set("minimum", numberTag(f, "minimum", -api.MaxQuantity))
		o.set("maximum", numberTag(f, "maximum", api.MaxQuantity))
		if f.Tag.Get("nonzero") == "true" {
			o.set("not", obj("const", int64(0)))
		}
		if d, err := strconv.ParseInt(f.Tag.Get("default"), 10, 64); err == nil {
			o.set("default", d)
		}

	case "string":
		limitLength(o, f)
		if required && o.Get("format") == nil {
			o.set("minLength", int64(1))
		}
		o.set("default", f.Tag.Get("default"))

	case "array":
		if items := o.At("items"); items.Get("type") == "string" {
			limitLength(&items, f)
			o.set("items", items)
		}
		if required {
			o.set("minItems", int64(1))
		}
		if f.Tag.Get("maxItems") != "" {
			o.set("maxItems", numberTag(f, "maxItems", 0))
		}
	}
}

// limitLength limits the length of a string that is not an id or a time.
func limitLength(o *Object, f reflect.StructField) {
	if o.Get("format") == nil {
		o.set("maxLength", numberTag(f, "maxLength", defaultLength))
	}
}

func numberTag(f reflect.StructField, tag string, def int64) int64 {
	if n, err := strconv.ParseInt(f.Tag.Get(tag), 10, 64); err == nil {
		return n
	}
	return def
}

// fieldDescription returns the description of a field: its doc tag, else its
// comment, else the general meaning of its name.
func fieldDescription(t reflect.Type, f reflect.StructField) string {
	if d := f.Tag.Get("doc"); d != "" {
		return sentence(d)
	}

	owner := t
	for _, i := range f.Index[:len(f.Index)-1] {
		owner = owner.Field(i).Type
	}
	if w := words()[baseName(owner)+"."+f.Name]; w != "" {
		return w
	}
	if q := f.Tag.Get("query"); q != "" {
		return cmp.Or(filters[q], terms[q])
	}

	name, _ := memberOf(f)

	return terms[cmp.Or(name, f.Tag.Get("path"))]
}

// sentence makes s begin with a capital and end with a period.
func sentence(s string) string {
	s = strings.ToUpper(s[:1]) + s[1:]
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}
