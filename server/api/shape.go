package api

import (
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

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
		whole: f.Tag.Get("whole") == "true",
		min:   number(f.Tag.Get("minimum")), max: number(f.Tag.Get("maximum"))}
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
