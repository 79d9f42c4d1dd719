package httpapi

import (
	"encoding"
	"encoding/hex"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bincard/server/api"
)

// An appender appends a value of one type to b as JSON. Answers are mostly
// ids, numbers and short strings, and json.Marshal took nearly half of a
// request's time; appenders write the same bytes.
type appender func(b []byte, v reflect.Value) ([]byte, error)

var appenders sync.Map // reflect.Type → appender

// appendJSON appends what p points to.
func appendJSON(b []byte, p any) ([]byte, error) {
	v := reflect.ValueOf(p)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return appendAny(b, v)
	}
	return appenderOf(v.Type().Elem())(b, v.Elem())
}

func appenderOf(t reflect.Type) appender {
	if a, ok := appenders.Load(t); ok {
		return a.(appender)
	}
	a := buildAppender(t)
	appenders.Store(t, a)
	return a
}

func buildAppender(t reflect.Type) appender {
	switch t {
	case reflect.TypeFor[api.ID]():
		return appendID
	case reflect.TypeFor[time.Time]():
		return appendTime
	}
	if hasMarshaler(t) || hasMarshaler(reflect.PointerTo(t)) {
		return appendAny
	}
	switch t.Kind() {
	case reflect.String:
		return func(b []byte, v reflect.Value) ([]byte, error) { return jsontext.AppendQuote(b, v.String()) }
	case reflect.Int64:
		return func(b []byte, v reflect.Value) ([]byte, error) { return strconv.AppendInt(b, v.Int(), 10), nil }
	case reflect.Bool:
		return func(b []byte, v reflect.Value) ([]byte, error) { return strconv.AppendBool(b, v.Bool()), nil }
	case reflect.Pointer:
		return appendPointer(t)
	case reflect.Slice:
		return appendList(t)
	case reflect.Struct:
		return appendObject(t)
	}
	return appendAny
}

// hasMarshaler reports whether t has its own encoding.
func hasMarshaler(t reflect.Type) bool {
	return t.Implements(reflect.TypeFor[json.MarshalerTo]()) || t.Implements(reflect.TypeFor[json.Marshaler]()) ||
		t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) || t.Implements(reflect.TypeFor[encoding.TextAppender]())
}

// appendAny encodes rare types with package json.
func appendAny(b []byte, v reflect.Value) ([]byte, error) {
	var p any
	if v.IsValid() {
		p = v.Interface()
	}
	out, err := json.Marshal(p, json.Deterministic(true))
	return append(b, out...), err
}

func appendID(b []byte, v reflect.Value) ([]byte, error) {
	id := v.Addr().Interface().(*api.ID)
	b = append(b, `"00000000-0000-0000-0000-000000000000"`...)
	out := b[len(b)-37:]
	hex.Encode(out[0:8], id[0:4])
	hex.Encode(out[9:13], id[4:6])
	hex.Encode(out[14:18], id[6:8])
	hex.Encode(out[19:23], id[8:10])
	hex.Encode(out[24:36], id[10:16])
	return b, nil
}

func appendTime(b []byte, v reflect.Value) ([]byte, error) {
	b, err := v.Addr().Interface().(*time.Time).AppendText(append(b, '"'))
	return append(b, '"'), err
}

func appendPointer(t reflect.Type) appender {
	elem := appenderOf(t.Elem())
	return func(b []byte, v reflect.Value) ([]byte, error) {
		if v.IsNil() {
			return append(b, "null"...), nil
		}
		return elem(b, v.Elem())
	}
}

func appendList(t reflect.Type) appender {
	elem := appenderOf(t.Elem())
	return func(b []byte, v reflect.Value) (_ []byte, err error) {
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			if b, err = elem(b, v.Index(i)); err != nil {
				return b, err
			}
		}
		return append(b, ']'), nil
	}
}

// A member is a field of a struct, with its quoted name and colon.
type member struct {
	name     string
	index    []int
	omitzero bool
	encode   appender
}

func appendObject(t reflect.Type) appender {
	var members []member
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || !f.IsExported() || name == "-" {
			continue
		}
		if name == "" || options != "" && options != "omitzero" {
			return appendAny
		}
		members = append(members, member{strconv.Quote(name) + ":", f.Index, options != "", appenderOf(f.Type)})
	}
	return func(b []byte, v reflect.Value) (_ []byte, err error) {
		b = append(b, '{')
		start := len(b)
		for i := range members {
			m := &members[i]
			f := v.Field(m.index[0])
			for _, j := range m.index[1:] {
				f = f.Field(j)
			}
			if m.omitzero && f.IsZero() {
				continue
			}
			if len(b) > start {
				b = append(b, ',')
			}
			b = append(b, m.name...)
			if b, err = m.encode(b, f); err != nil {
				return b, err
			}
		}
		return append(b, '}'), nil
	}
}
