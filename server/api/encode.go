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
)

// Encode returns the parts of a request for an input, given as a pointer: the path
// relative to the organization's, the query, and the JSON body, nil if the operation
// takes none.
func (s *Spec) Encode(input any) (path string, query url.Values, body []byte, err error) {
	v := reflect.ValueOf(input).Elem()
	sh := shapeOf(v.Type())
	path, query = s.Path, url.Values{}
	for i := range sh.fields {
		f := &sh.fields[i]
		x := v.FieldByIndex(f.index)
		switch {
		case f.in == "path":
			path = strings.Replace(path, "{"+f.name+"}", url.PathEscape(fmt.Sprint(x.Interface())), 1)
		case f.in == "query" && !x.IsZero():
			query.Set(f.name, text(x))
		}
	}
	if len(sh.body) > 0 {
		body, err = json.Marshal(input, json.Deterministic(true))
	}
	return path, query, body, err
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
	path, _, body, err := s.Encode(input)
	if err != nil {
		return [16]byte{}, err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s %s\n", s.Method, path)
	canonical := jsontext.Value(body)
	if len(body) > 0 {
		// Canonical numbers are floats, which cannot represent long order numbers.
		if err := canonical.Canonicalize(jsontext.CanonicalizeRawInts(false)); err != nil {
			return [16]byte{}, err
		}
	}
	if s.BodyAdded && string(canonical) == "{}" {
		canonical = nil
	}
	h.Write(canonical)
	return [16]byte(h.Sum(nil)[:16]), nil
}

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
