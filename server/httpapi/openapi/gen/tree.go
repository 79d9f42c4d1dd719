package gen

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// An Object is a JSON object with ordered members. Its values are Objects,
// []any, strings, integers, booleans and nil.
type Object []Member

// A Member is a name and its value.
type Member struct {
	Name  string
	Value any
}

// obj returns an Object of name, value pairs. It omits members whose value is
// nil or an empty string, list or object.
func obj(pairs ...any) Object {
	var o Object
	for i := 0; i < len(pairs); i += 2 {
		o.set(pairs[i].(string), pairs[i+1])
	}
	return o
}

// set adds or changes a member, unless the value is empty.
func (o *Object) set(name string, value any) {
	switch v := value.(type) {
	case nil:
		return
	case string:
		if v == "" {
			return
		}
	case []any:
		if len(v) == 0 {
			return
		}
	case Object:
		if v == nil {
			return
		}
	}

	for i := range *o {
		if (*o)[i].Name == name {
			(*o)[i].Value = value
			return
		}
	}

	*o = append(*o, Member{name, value})
}

// Get returns the value of a member, or nil.
func (o Object) Get(name string) any {
	for _, m := range o {
		if m.Name == name {
			return m.Value
		}
	}

	return nil
}

// At returns a nested object.
func (o Object) At(names ...string) Object {
	for _, n := range names {
		o, _ = o.Get(n).(Object)
	}
	return o
}

func anys[S ~string](list []S) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}

// JSON encodes an object as indented JSON.
func JSON(o Object) []byte {
	text, err := json.Marshal(o, jsontext.WithIndent("  "))
	if err != nil {
		panic(err) // an object has only values that JSON has
	}
	return append(text, '\n')
}

// MarshalJSONTo writes the members in their order.
func (o Object) MarshalJSONTo(enc *jsontext.Encoder) error {
	if err := enc.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}

	for _, m := range o {
		if err := enc.WriteToken(jsontext.String(m.Name)); err != nil {
			return err
		}
		if err := json.MarshalEncode(enc, m.Value); err != nil {
			return err
		}
	}

	return enc.WriteToken(jsontext.EndObject)
}
