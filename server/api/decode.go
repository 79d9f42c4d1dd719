package api

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/url"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
)

// Decode reads an input of the operation from the parts of a request and
// holds it against its rules. Unknown, duplicate, wrong-case and ill-typed
// members are refused; all broken rules are reported at once.
func (s *Spec) Decode(path func(name string) string, query url.Values, body []byte) (any, error) {
	input := s.NewInput()
	v := reflect.ValueOf(input).Elem()
	sh := shapeOf(v.Type())
	var p Problems
	for i := range sh.fields {
		f := &sh.fields[i]
		if f.in != "path" {
			continue
		}
		id, err := uuid.Parse(path(f.name))
		if err != nil {
			return nil, Fail(NotFound, Details{f.name: path(f.name)}, "There is nothing under %s %q.", f.name, path(f.name))
		}
		v.FieldByIndex(f.index).Set(reflect.ValueOf(id))
	}
	decodeQuery(&p, sh, v, query)
	if err := s.decodeBody(&p, sh, v, body); err != nil {
		return nil, err
	}
	check(&p, v)
	return input, p.Err()
}

// decodeBody reads the JSON body, where the operation has one.
func (s *Spec) decodeBody(p *Problems, sh *shape, v reflect.Value, body []byte) error {
	if len(bytes.TrimSpace(body)) == 0 {
		if len(sh.body) > 0 && !s.BodyOptional && s.Writes() {
			return Fail(InvalidJSON, nil, "The body is empty; send a JSON object.")
		}
		return nil
	}
	d := jsontext.NewDecoder(bytes.NewReader(body), jsontext.AllowDuplicateNames(true))
	raw, err := d.ReadValue()
	if err == nil {
		if _, more := d.ReadToken(); !errors.Is(more, io.EOF) {
			err = errors.New("something follows the JSON object")
		}
	}
	if err != nil {
		return Fail(InvalidJSON, nil, "The body is not valid JSON: %s.", strings.TrimPrefix(err.Error(), "jsontext: "))
	}
	if raw.Kind() != '{' {
		return Fail(InvalidJSON, nil, "The body must be a JSON object.")
	}
	decodeObject(p, "", raw, v)
	return nil
}

func decodeQuery(p *Problems, sh *shape, v reflect.Value, query url.Values) {
	for name, values := range query {
		f := sh.query[name]
		switch {
		case f == nil:
			p.Add(name, "unknown", "is no parameter of this operation; it takes %s", names(sh.query))
		case len(values) > 1:
			p.Add(name, "duplicate", "is given %d times", len(values))
		case values[0] == "":
			p.Add(name, "empty", "is empty; leave it out or give a value")
		default:
			f.setText(p, name, v.FieldByIndex(f.index), values[0])
		}
	}
}

// decodeObject reads the members of raw into the struct v.
func decodeObject(p *Problems, prefix string, raw jsontext.Value, v reflect.Value) {
	sh := shapeOf(v.Type())
	d := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true))
	_, _ = d.ReadToken()
	seen := make(map[string]bool, len(sh.body))
	for d.PeekKind() == '"' {
		token, _ := d.ReadToken()
		name := token.String()
		value, err := d.ReadValue()
		if err != nil {
			return // cannot be: the whole value was read before
		}
		f := sh.body[name]
		switch {
		case f == nil:
			p.Add(prefix+name, "unknown", "%s", unknown(name, sh))
		case seen[name]:
			p.Add(prefix+name, "duplicate", "is given twice")
		default:
			decodeValue(p, prefix+name, value, v.FieldByIndex(f.index))
		}
		seen[name] = true
	}
}

// unknown says why a member is refused and what may be meant.
func unknown(name string, sh *shape) string {
	for known := range sh.body {
		if strings.EqualFold(known, name) {
			return fmt.Sprintf("is not known; names are case-sensitive, write %s", known)
		}
	}
	if len(sh.body) == 0 {
		return "is not known; this operation takes no body"
	}
	return "is not known; this operation takes " + names(sh.body)
}

func names(m map[string]*field) string {
	if len(m) == 0 {
		return "none"
	}
	list := make([]string, 0, len(m))
	for n := range m {
		list = append(list, n)
	}
	sort.Strings(list)
	return strings.Join(list, ", ")
}

// decodeValue reads one JSON value into v, which is any of the kinds inputs have.
func decodeValue(p *Problems, path string, raw jsontext.Value, v reflect.Value) {
	if raw.Kind() == 'n' {
		if v.Kind() != reflect.Int64 && (v.Kind() != reflect.Pointer || v.Type().Elem().Kind() != reflect.Int64) {
			return // an optional member may be null; a required one is missed by its rule
		}
		p.Add(path, "number", "must be a whole number, is null")
		return
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch {
	case v.Type() == metadataType:
		v.Set(reflect.ValueOf(append(jsontext.Value(nil), raw...)))
	case v.Kind() == reflect.Int64:
		n, err := whole(raw)
		if err != nil {
			p.Add(path, "number", "must be a whole number, is %s", clip(string(raw)))
			return
		}
		v.SetInt(n)
	case v.Kind() == reflect.Slice && v.Type() != idType:
		decodeList(p, path, raw, v)
	case v.Kind() == reflect.Struct && v.Type() != timeType:
		if raw.Kind() != '{' {
			p.Add(path, "object", "must be an object")
			return
		}
		decodeObject(p, path+".", raw, v)
	default:
		if raw.Kind() != '"' {
			p.Add(path, "string", "must be a string")
			return
		}
		text, err := jsontext.AppendUnquote(nil, raw)
		if err != nil {
			p.Add(path, "string", "is not a valid string")
			return
		}
		setText(p, path, v, string(text))
	}
}

func decodeList(p *Problems, path string, raw jsontext.Value, v reflect.Value) {
	if raw.Kind() != '[' {
		p.Add(path, "array", "must be an array")
		return
	}
	d := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true))
	_, _ = d.ReadToken()
	for i := 0; d.PeekKind() != ']'; i++ {
		item, err := d.ReadValue()
		if err != nil {
			return
		}
		e := reflect.New(v.Type().Elem()).Elem()
		decodeValue(p, fmt.Sprintf("%s[%d]", path, i), item, e)
		v.Set(reflect.Append(v, e))
	}
}

// setText reads a text into a field of the query.
func (f *field) setText(p *Problems, path string, v reflect.Value, s string) {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	if v.Kind() == reflect.Int64 {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			p.Add(path, "number", "must be a whole number, is %s", clip(s))
			return
		}
		v.SetInt(n)
		return
	}
	setText(p, path, v, s)
}

// setText reads a text into a string, an id or an instant.
func setText(p *Problems, path string, v reflect.Value, s string) {
	switch v.Type() {
	case idType:
		id, err := uuid.Parse(s)
		if err != nil || len(s) != 36 {
			p.Add(path, "uuid", "must be a uuid, is %s", clip(s))
			return
		}
		v.Set(reflect.ValueOf(id))
	case timeType:
		t, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			p.Add(path, "date-time", "must be an instant like 2026-03-31T14:00:00Z, is %s", clip(s))
			return
		}
		v.Set(reflect.ValueOf(Instant(t)))
	default:
		v.SetString(s)
	}
}

// whole reads a JSON number that is whole, however it is written: 5, 5.0, 5e0.
func whole(raw jsontext.Value) (int64, error) {
	if raw.Kind() != '0' || len(raw) > 64 {
		return 0, errors.New("no number")
	}
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n, nil
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || f > MaxQuantity || f < -MaxQuantity || f != 0 && f > -0.1 && f < 0.1 {
		return 0, errors.New("out of range")
	}
	r, ok := new(big.Rat).SetString(string(raw))
	if !ok || !r.IsInt() || !r.Num().IsInt64() {
		return 0, errors.New("not whole")
	}
	return r.Num().Int64(), nil
}

// clip quotes a text for a message, cut to a length that can be read.
func clip(s string) string {
	if len(s) > 40 {
		s = s[:40] + "…"
	}
	return strconv.Quote(s)
}
