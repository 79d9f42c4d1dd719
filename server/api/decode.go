package api

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
)

// maxProblems is how many problems are worth reporting: a body of nothing but
// unknown members must not make an answer greater than itself.
const maxProblems = 100

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
		id, ok := parseID(path(f.name))
		if !ok {
			return nil, Fail(NotFound, Details{f.name: path(f.name)}, "There is nothing under %s %s.", f.name, clip(path(f.name)))
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
	_, err := d.ReadValue()
	raw := jsontext.Value(bytes.TrimSpace(body[:d.InputOffset()])) // what ReadValue answers is gone with the next read
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
	for _, name := range slices.Sorted(maps.Keys(query)) {
		f, values := sh.query[name], query[name]
		switch {
		case f == nil:
			p.Add(short(name), "unknown", "is no parameter of this operation; it takes %s", names(sh.query))
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
	for d.PeekKind() == '"' && len(p.Fields) < maxProblems {
		token, _ := d.ReadToken()
		name := token.String()
		value, err := d.ReadValue()
		if err != nil {
			return // cannot be: the whole value was read before
		}
		f := sh.body[name]
		switch {
		case f == nil:
			p.Add(prefix+short(name), "unknown", "%s", unknown(name, sh))
		case seen[name]:
			p.Add(prefix+name, "duplicate", "is given twice")
		default:
			decodeValue(p, prefix+name, value, v.FieldByIndex(f.index))
			f.notZero(p, prefix+name, v.FieldByIndex(f.index))
		}
		seen[name] = true
	}
}

// notZero tells a number that was given as 0 from one that was not given.
func (f *field) notZero(p *Problems, path string, v reflect.Value) {
	switch {
	case v.Kind() != reflect.Int64 || v.Int() != 0:
	case f.nonzero:
		p.Add(path, "nonzero", "must not be 0")
	case f.min != nil && *f.min > 0:
		p.Add(path, "minimum", "must be at least %d, is 0", *f.min)
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
	return strings.Join(slices.Sorted(maps.Keys(m)), ", ")
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
		if !raw.IsValid() {
			p.Add(path, "duplicate", "names a member twice")
			return
		}
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
	for i := 0; d.PeekKind() != ']' && len(p.Fields) < maxProblems; i++ {
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
		id, ok := parseID(s)
		if !ok {
			p.Add(path, "uuid", "must be a uuid, is %s", clip(s))
			return
		}
		v.Set(reflect.ValueOf(id))
	case timeType:
		t, err := time.Parse(time.RFC3339Nano, s)
		// What is beyond these years in UTC cannot be written as JSON again.
		if y := t.UTC().Year(); err != nil || y < 1 || y > 9999 || t.IsZero() {
			p.Add(path, "date-time", "must be an instant like 2026-03-31T14:00:00Z, is %s", clip(s))
			return
		}
		v.Set(reflect.ValueOf(Instant(t)))
	default:
		v.SetString(s)
	}
}

// parseID reads an id in its usual form. The zero id stands for "none", so it
// names nothing.
func parseID(s string) (ID, bool) {
	if len(s) != 36 {
		return ID{}, false
	}
	id, err := uuid.Parse(s)
	return id, err == nil && id != ID{}
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
	if err != nil || f > MaxQuantity || f < -MaxQuantity || f > -0.1 && f < 0.1 {
		// 0.0 is whole; 1e-99999 is not, and its fraction would fill the memory.
		if mantissa, _, _ := strings.Cut(strings.ToLower(string(raw)), "e"); strings.Trim(mantissa, "-0.") == "" {
			return 0, nil
		}
		return 0, errors.New("out of range")
	}
	r, ok := new(big.Rat).SetString(string(raw))
	if !ok || !r.IsInt() || !r.Num().IsInt64() {
		return 0, errors.New("not whole")
	}
	return r.Num().Int64(), nil
}

// short is the name of a member as a problem's path may show it.
func short(name string) string {
	name = strings.ToValidUTF8(name, "�")
	if r := []rune(name); len(r) > 64 {
		return string(r[:64]) + "…"
	}
	return name
}

// clip quotes a text for a message, cut to a length that can be read.
func clip(s string) string {
	if len(s) > 40 {
		s = s[:40] + "…"
	}
	return strconv.Quote(s)
}
