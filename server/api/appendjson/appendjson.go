// Package appendjson encodes requests and answers as JSON. They consist of ids, numbers and
// short strings, for which package json takes several times as long.
package appendjson

import (
	"encoding"
	"encoding/hex"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
)

// Marshal appends what p points to, with the same bytes as json.Marshal.
func Marshal(b []byte, p any) ([]byte, error) { return plain.append(b, p) }

// Canonical appends what p points to in the canonical form of RFC 8785, except that
// integers keep all their digits.
func Canonical(b []byte, p any) ([]byte, error) { return canonical.append(b, p) }

// An encoder has the appenders of one form.
type encoder struct {
	any       appender // for rare types
	sorted    bool     // members are sorted by name
	appenders sync.Map // reflect.Type → appender
}

var (
	plain     = &encoder{any: appendAny}
	canonical = &encoder{any: appendCanonical, sorted: true}
)

// An appender appends a value of one type to b.
type appender func(b []byte, v reflect.Value) ([]byte, error)

func (e *encoder) append(b []byte, p any) ([]byte, error) {
	v := reflect.ValueOf(p)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return e.any(b, v)
	}
	return e.of(v.Type().Elem())(b, v.Elem())
}

func (e *encoder) of(t reflect.Type) appender {
	if a, ok := e.appenders.Load(t); ok {
		return a.(appender)
	}
	a := e.build(t)
	e.appenders.Store(t, a)
	return a
}

func (e *encoder) build(t reflect.Type) appender {
	switch t {
	case reflect.TypeFor[uuid.UUID]():
		return appendID
	case reflect.TypeFor[time.Time]():
		return appendTime
	}

	if hasMarshaler(t) || hasMarshaler(reflect.PointerTo(t)) {
		return e.any
	}

	switch t.Kind() {
	case reflect.String:
		return appendString
	case reflect.Int64:
		return func(b []byte, v reflect.Value) ([]byte, error) { return strconv.AppendInt(b, v.Int(), 10), nil }
	case reflect.Bool:
		return func(b []byte, v reflect.Value) ([]byte, error) { return strconv.AppendBool(b, v.Bool()), nil }
	case reflect.Pointer:
		return appendPointer(e.of(t.Elem()))
	case reflect.Slice:
		return appendList(e.of(t.Elem()))
	case reflect.Struct:
		return e.object(t)
	}

	return e.any
}

// hasMarshaler reports whether t has its own encoding.
func hasMarshaler(t reflect.Type) bool {
	return t.Implements(reflect.TypeFor[json.MarshalerTo]()) || t.Implements(reflect.TypeFor[json.Marshaler]()) ||
		t.Implements(
			reflect.TypeFor[encoding.TextMarshaler]()) || t.Implements(reflect.TypeFor[encoding.TextAppender]())
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

func appendCanonical(b []byte, v reflect.Value) ([]byte, error) {
	out, err := appendAny(nil, v)
	if err == nil {
		err = (*jsontext.Value)(&out).Canonicalize(jsontext.CanonicalizeRawInts(false))
	}
	return append(b, out...), err
}

func appendString(b []byte, v reflect.Value) ([]byte, error) {
	s := v.String()
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			return jsontext.AppendQuote(b, s)
		}
	}

	return append(append(append(b, '"'), s...), '"'), nil
}

func appendID(b []byte, v reflect.Value) ([]byte, error) {
	id := v.Addr().Interface().(*uuid.UUID)
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

func appendPointer(elem appender) appender {
	return func(b []byte, v reflect.Value) ([]byte, error) {
		if v.IsNil() {
			return append(b, "null"...), nil
		}
		return elem(b, v.Elem())
	}
}

func appendList(elem appender) appender {
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

func (e *encoder) object(t reflect.Type) appender {
	var members []member
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || !f.IsExported() || name == "-" {
			continue
		}
		if name == "" || options != "" && options != "omitzero" {
			return e.any
		}
		members = append(members, member{strconv.Quote(name) + ":", f.Index, options != "", e.of(f.Type)})
	}

	if e.sorted { // names are ASCII, so their bytes have the order of the canonical form
		slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.name, b.name) })
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
