package api

import (
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
)

// decodeValue reads one JSON value into v, which is any of the kinds inputs
// have. Its path is prefix and name, joined only when there is a problem.
func decodeValue(p *Problems, prefix, name string, raw jsontext.Value, v reflect.Value) {
	if raw.Kind() == 'n' {
		if v.Kind() != reflect.Int64 && (v.Kind() != reflect.Pointer || v.Type().Elem().Kind() != reflect.Int64) {
			return // an optional member may be null; a required one is missed by its rule
		}
		p.Add(prefix+name, "number", "must be a whole number, is null")
		return
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch {
	case v.Type() == metadataType:
		if !raw.IsValid() {
			p.Add(prefix+name, "duplicate", "contains a duplicate member")
			return
		}
		*v.Addr().Interface().(*Metadata) = raw.Clone()
	case v.Kind() == reflect.Int64:
		n, err := parseWhole(raw)
		if err != nil {
			p.Add(prefix+name, "number", "must be a whole number, is %s", quoteValue(raw))
			return
		}
		v.SetInt(n)
	case v.Kind() == reflect.Bool:
		if raw.Kind() != 't' && raw.Kind() != 'f' {
			p.Add(prefix+name, "boolean", "must be true or false, is %s", quoteValue(raw))
			return
		}
		v.SetBool(raw.Kind() == 't')
	case v.Kind() == reflect.Slice && v.Type() != idType:
		decodeList(p, prefix+name, raw, v)
	case v.Kind() == reflect.Struct && v.Type() != timeType:
		if raw.Kind() != '{' {
			p.Add(prefix+name, "object", "must be an object")
			return
		}
		decodeObject(p, prefix+name+".", raw, v)
	case raw.Kind() != '"':
		p.Add(prefix+name, "string", "must be a string")
	default:
		setText(p, prefix, name, v, unquote(raw))
	}
}

func decodeList(p *Problems, path string, raw jsontext.Value, v reflect.Value) {
	if raw.Kind() != '[' {
		p.Add(path, "array", "must be an array")
		return
	}
	d := scan(raw)
	defer d.done()
	_, _ = d.ReadToken()
	for i := 0; d.PeekKind() != ']' && len(p.Fields) < maxProblems; i++ {
		item, err := d.ReadValue()
		if err != nil {
			return
		}
		e := reflect.New(v.Type().Elem()).Elem()
		decodeValue(p, path, fmt.Sprintf("[%d]", i), item, e)
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
			p.Add(path, "number", "must be a whole number, is %s", quoteClipped(s))
			return
		}
		v.SetInt(n)
		return
	}
	setText(p, "", path, v, s)
}

// setText reads a text into a string, an id or an instant.
func setText(p *Problems, prefix, name string, v reflect.Value, s string) {
	switch v.Type() {
	case idType:
		id, ok := parseID(s)
		if !ok {
			p.Add(prefix+name, "uuid", "must be a UUID, is %s", quoteClipped(s))
			return
		}
		*v.Addr().Interface().(*ID) = id
	case timeType:
		t, err := time.Parse(time.RFC3339Nano, s)
		// What is beyond these years in UTC cannot be written as JSON again.
		if y := t.UTC().Year(); err != nil || y < 1 || y > 9999 || t.IsZero() {
			hint := ""
			if strings.Contains(s, " ") {
				hint = " (in a URL, encode + as %2B)"
			}
			p.Add(prefix+name, "date-time", "must be a date-time like 2026-03-31T14:00:00Z, is %s%s", quoteClipped(s), hint)
			return
		}
		*v.Addr().Interface().(*time.Time) = Instant(t)
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
func parseWhole(raw jsontext.Value) (int64, error) {
	if raw.Kind() != '0' || len(raw) > 64 {
		return 0, errors.New("not a number")
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

// shortName is the name of a member as a problem's path shows it.
func shortName(name string) string {
	name = strings.ToValidUTF8(name, "�")
	if r := []rune(name); len(r) > 64 {
		return string(r[:64]) + "…"
	}
	return name
}

// quoteValue is a JSON value as a message quotes it.
func quoteValue(raw jsontext.Value) string {
	switch raw.Kind() {
	case '"':
		return "the string " + quoteClipped(unquote(raw))
	case '{':
		return "an object"
	case '[':
		return "an array"
	}
	return shorten(string(raw))
}

// quoteClipped quotes a text for a message, shortened to a readable length.
func quoteClipped(s string) string { return strconv.Quote(shorten(s)) }

func shorten(s string) string {
	if len(s) > 40 {
		s = s[:40] + "…"
	}
	return s
}
