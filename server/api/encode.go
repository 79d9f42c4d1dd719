package api

import (
	"crypto/sha256"
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bincard/server/api/appendjson"
)

// Encode returns the parts of a request for an input, given as a pointer: the path
// relative to the organization's, the query, and the JSON body, or nil if the operation
// takes none.
func (s *Spec) Encode(input any) (path string, query url.Values, body []byte, err error) {
	v := reflect.ValueOf(input).Elem()
	sh := shapeOf(v.Type())
	query = url.Values{}
	for i := range sh.fields {
		f := &sh.fields[i]
		if f.in != "query" {
			continue
		}
		if x := v.FieldByIndex(f.index); !x.IsZero() {
			query.Set(f.name, text(x))
		}
	}

	if len(sh.body) > 0 {
		body, err = json.Marshal(input, json.Deterministic(true))
	}

	return s.path(sh, v), query, body, err
}

// path returns the path for an input.
func (s *Spec) path(sh *shape, input reflect.Value) string {
	path := s.Path
	for i := range sh.fields {
		if f := &sh.fields[i]; f.in == "path" {
			x := input.FieldByIndex(f.index)
			path = strings.Replace(path, "{"+f.name+"}", url.PathEscape(fmt.Sprint(x.Interface())), 1)
		}
	}

	return path
}

// PathParam returns the value of the first parameter of the operation's path in the path of a
// request.
func (s *Spec) PathParam(path string) string {
	at := strings.IndexByte(s.Path, '{')
	if at < 0 || at > len(path) {
		return ""
	}
	value, _, _ := strings.Cut(path[at:], "/")
	return value
}

func text(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if t, ok := v.Interface().(time.Time); ok {
		return t.UTC().Format(time.RFC3339Nano)
	}
	return fmt.Sprint(v.Interface())
}

// Fingerprint returns a hash that is equal for requests with the same meaning,
// regardless of how their JSON is formatted.
func (s *Spec) Fingerprint(input any) ([16]byte, error) {
	v := reflect.ValueOf(input).Elem()
	sh := shapeOf(v.Type())
	buf := prints.Get().(*[]byte)
	defer prints.Put(buf)
	b := append(append(append((*buf)[:0], s.Method...), ' '), s.path(sh, v)...)
	b = append(b, '\n')
	if body := len(b); len(sh.body) > 0 {
		var err error
		if b, err = appendjson.Canonical(b, input); err != nil {
			return [16]byte{}, err
		}
		if s.BodyAdded && string(b[body:]) == "{}" {
			b = b[:body]
		}
	}

	if cap(b) <= maxPrint {
		*buf = b
	}

	sum := sha256.Sum256(b)

	return [16]byte(sum[:16]), nil
}

// prints are the buffers of fingerprints. Larger ones than maxPrint are not kept.
var prints = sync.Pool{New: func() any { return new(make([]byte, 0, 1<<10)) }}

const maxPrint = 64 << 10

// A field is one field of an input, with its location in the request and its rules.
type field struct {
	name     string // in the request
	in       string // "body", "path" or "query"
	index    []int
	position int // among the fields of its type
	typ      reflect.Type

	required, nonzero bool
	whole             bool // a JSON object that is itself a request body, of any size
	min, max          *int64
	maxLength         int
	maxItems          int
	enum              []string // the allowed values, if limited
	text              textClass
}

// A shape describes the fields of one input type.
type shape struct {
	fields []field
	body   map[string]*field
	query  map[string]*field
}

var shapes sync.Map // reflect.Type → *shape

var (
	idType       = reflect.TypeFor[ID]()
	timeType     = reflect.TypeFor[time.Time]()
	metadataType = reflect.TypeFor[jsontext.Value]()
)

// shapeOf returns the shape of t. It reads the tags once.
func shapeOf(t reflect.Type) *shape {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}

	s := &shape{body: map[string]*field{}, query: map[string]*field{}}
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous || !f.IsExported() {
			continue
		}
		s.fields = append(s.fields, fieldOf(f))
	}

	for i := range s.fields {
		f := &s.fields[i]
		f.position = i
		switch f.in {
		case "body":
			s.body[f.name] = f
		case "query":
			s.query[f.name] = f
		}
	}

	got, _ := shapes.LoadOrStore(t, s)

	return got.(*shape)
}

func fieldOf(f reflect.StructField) field {
	out := field{index: f.Index, typ: f.Type, maxLength: 255,
		required: f.Tag.Get("required") == "true", nonzero: f.Tag.Get("nonzero") == "true",
		whole: f.Tag.Get("whole") == "true", text: textClass(f.Tag.Get("text")),
		min: number(f.Tag.Get("minimum")), max: number(f.Tag.Get("maximum"))}
	if n := number(f.Tag.Get("maxLength")); n != nil {
		out.maxLength = int(*n)
	}
	if n := number(f.Tag.Get("maxItems")); n != nil {
		out.maxItems = int(*n)
	}

	elem := f.Type
	if elem.Kind() == reflect.Pointer || elem.Kind() == reflect.Slice && elem != metadataType {
		elem = elem.Elem()
	}
	if e, ok := reflect.Zero(elem).Interface().(interface{ Values() []string }); ok {
		out.enum = e.Values()
	}

	if p := f.Tag.Get("path"); p != "" {
		out.name, out.in = p, "path"
	} else if q := f.Tag.Get("query"); q != "" {
		out.name, out.in = q, "query"
	} else {
		out.name, _, _ = strings.Cut(f.Tag.Get("json"), ",")
		out.in = "body"
	}

	return out
}

func number(s string) *int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return nil
	}
	return &n
}
