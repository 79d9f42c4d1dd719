package openapi

// An Object is a JSON object that keeps the order of its members. Its values
// are Objects, []any, strings, whole numbers, booleans and nil.
type Object []Member

// A Member is a name with its value.
type Member struct {
	Name  string
	Value any
}

// obj makes an Object of name, value, name, value. Members whose value is an
// empty string, list or object, or nil, are left out.
func obj(pairs ...any) Object {
	var o Object
	for i := 0; i < len(pairs); i += 2 {
		o.set(pairs[i].(string), pairs[i+1])
	}
	return o
}

// set adds a member or changes it; nothing where the value is empty.
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

// Get is the value of a member, or nil.
func (o Object) Get(name string) any {
	for _, m := range o {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// At walks into nested objects.
func (o Object) At(names ...string) Object {
	for _, n := range names {
		o, _ = o.Get(n).(Object)
	}
	return o
}

// anys turns a list of strings into a list of values.
func anys[S ~string](list []S) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}
