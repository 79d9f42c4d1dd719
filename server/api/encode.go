package api

import (
	"crypto/sha256"
	"fmt"
	"net/url"
	"reflect"
	"strings"
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
	h.Write(canonical)
	return [16]byte(h.Sum(nil)[:16]), nil
}
