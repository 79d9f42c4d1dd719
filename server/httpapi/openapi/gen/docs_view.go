package gen

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"bincard/server/api"
)

func paragraphs(s string) []string { return strings.Split(s, "\n\n") }

// groups returns the operations by resource, in the order of the table.
func groups(specs []*api.Spec) (out []docsGroup) {
	at := map[string]int{}
	for _, spec := range specs {
		name := Group(spec)
		i, ok := at[name]
		if !ok {
			i, at[name] = len(out), len(out)
			out = append(out, docsGroup{Name: name, Says: About(name)})
		}
		out[i].Operations = append(out[i].Operations, operationOf(spec))
	}

	return out
}

func operationOf(spec *api.Spec) docsOperation {
	doc := Document()
	op := doc.At("paths", api.BasePath+spec.Path, strings.ToLower(spec.Method))
	out := docsOperation{
		Spec:        spec,
		Path:        api.BasePath + spec.Path,
		Description: Description(spec),
		Curl:        curl(spec),
		JavaScript:  javaScript(spec),
		Shown:       strings.TrimSpace(string(JSON(Answer(spec)))),
		Refusals:    Codes(spec, http.StatusConflict),
		Answer:      kindOf(op.At("responses", strconv.Itoa(spec.Status), "content", "application/json", "schema")),
	}

	for _, p := range list(op.Get("parameters")) {
		if o := p.(Object); o.Get("name") != nil {
			out.Parameters = append(out.Parameters, parameter(o))
		}
	}

	if HasBody(spec) {
		out.Body = members(doc.At("components", "schemas", spec.Input().Name()))
	}

	return out
}

func parameter(o Object) docsField {
	f := fieldOf(text(o, "name"), o.At("schema"), o.Get("required") == true)
	f.Where, f.Says = text(o, "in"), text(o, "description")
	return f
}

// members returns the fields of an object schema.
func members(o Object) (out []docsField) {
	required := list(o.Get("required"))
	for _, m := range o.At("properties") {
		out = append(out, fieldOf(m.Name, m.Value.(Object), slices.Contains(required, any(m.Name))))
	}
	return out
}

func fieldOf(name string, o Object, required bool) docsField {
	return docsField{Name: name, Required: required, Kind: kindOf(o), Rules: rules(o), Says: text(o, "description")}
}

// kindOf returns the name of a schema's type.
func kindOf(o Object) fieldType {
	if to := text(o, "$ref"); to != "" {
		return fieldType{To: to[strings.LastIndex(to, "/")+1:]}
	}
	if any := list(o.Get("anyOf")); len(any) > 0 {
		k := kindOf(any[0].(Object))
		k.After += " or null"
		return k
	}

	name, _ := o.Get("type").(string)
	null := ""
	if both := list(o.Get("type")); len(both) > 0 {
		name, null = fmt.Sprint(both[0]), " or null"
	}
	if name == "array" {
		k := kindOf(o.At("items"))
		return fieldType{"list of " + k.Before, k.To, k.After + null}
	}
	if f := text(o, "format"); f != "" && f != "int64" {
		name = f
	}
	if len(list(o.Get("enum"))) > 0 {
		name = fmt.Sprint(list(o.Get("enum"))...)
	}

	return fieldType{Before: name + null}
}

// rules describes the bounds of a schema.
func rules(o Object) string {
	var out []string
	for _, r := range []struct{ name, say string }{
		{"minimum", "at least %v"}, {"maximum", "at most %v"}, {"maxLength", "at most %v characters"},
		{"maxItems", "at most %v items"}, {"default", "%v when omitted"},
	} {
		v := o.Get(r.name)
		if v == nil || v == int64(api.MaxQuantity) || v == int64(-api.MaxQuantity) || v == int64(255) {
			continue // defaults are described once
		}
		out = append(out, fmt.Sprintf(r.say, v))
	}

	if o.Get("not") != nil {
		out = append(out, "not 0")
	}

	return strings.Join(out, ", ")
}

// linkedSchemas returns the named types, except bodies, which are shown with their
// operations, and errors, which have their own table.
func linkedSchemas(doc Object) (out []docsSchema) {
	for _, m := range doc.At("components", "schemas") {
		o := m.Value.(Object)
		if o.Get("additionalProperties") == false && strings.HasSuffix(m.Name, "Input") && inputTypes[m.Name] ||
			strings.HasSuffix(m.Name, "Error") {
			continue
		}
		out = append(out,
			docsSchema{Name: m.Name, Says: text(o, "description"), Fields: members(o), Values: texts(o.Get("enum"))})
	}

	return out
}

// inputTypes are the names of the operations' input types.
var inputTypes = func() map[string]bool {
	out := map[string]bool{}
	for _, spec := range api.Operations() {
		out[spec.Input().Name()] = true
	}
	return out
}()

// headers returns the headers that every request may have.
func headers(doc Object) (out []docsField) {
	for _, m := range doc.At("components", "parameters") {
		if o := m.Value.(Object); text(o, "in") == "header" {
			out = append(out, parameter(o))
		}
	}

	return out
}

// faults returns the error codes with the types of their details.
func faults(doc Object) (out []docsFault) {
	for _, f := range Faults() {
		details := text(doc.At("components", "schemas", ErrorName(f.Code), "properties", "details"), "$ref")
		out = append(out, docsFault{f, details[strings.LastIndex(details, "/")+1:]})
	}
	return out
}

func own(doc Object) (out []docsRoute) {
	for _, m := range doc.At("paths") {
		if !strings.HasPrefix(m.Name, api.BasePath) {
			out = append(out, docsRoute{m.Name, text(m.Value.(Object).At("get"), "summary")})
		}
	}

	return out
}

func text(o Object, name string) string {
	s, _ := o.Get(name).(string)
	return s
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

func texts(v any) (out []string) {
	for _, x := range list(v) {
		out = append(out, fmt.Sprint(x))
	}
	return out
}
