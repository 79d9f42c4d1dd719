package api

import (
	"errors"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
)

// value reads one value into v, of a list at most maxItems. The path of a problem is
// prefix and name, which are joined only if there is one.
func (d *bodyDecoder) value(prefix, name string, maxItems int, v reflect.Value) {
	kind, p := d.PeekKind(), d.problems
	if kind != 'n' {
		if v.Kind() == reflect.Pointer {
			v.Set(reflect.New(v.Type().Elem()))
			v = v.Elem()
		}

		switch t := v.Type(); {
		case kind == '[' && v.Kind() == reflect.Slice && t != idType && t != metadataType:
			d.list(prefix+name, maxItems, v)
			return
		case kind == '{' && v.Kind() == reflect.Struct && t != timeType:
			d.object(prefix+name+".", v)
			return
		}
	}

	raw, ok := d.next()
	if !ok {
		return
	}

	switch {
	case kind == 'n':
		if v.Kind() == reflect.Int64 || v.Kind() == reflect.Pointer && v.Type().Elem().Kind() == reflect.Int64 {
			p.Add(prefix+name, "number", "must be a whole number, is null")
		} // otherwise as if omitted; check reports a missing required member
	case v.Type() == metadataType:
		if !raw.IsValid() {
			p.Add(prefix+name, "duplicate", "contains a duplicate member")
			return
		}
		*v.Addr().Interface().(*Metadata) = raw.Clone()

	case v.Kind() == reflect.Int64:
		n, err := parseWhole(raw)
		if err != nil {
			p.Add(prefix+name, "number", "must be a whole number, is %v", quoteValue(raw))
			return
		}
		v.SetInt(n)

	case v.Kind() == reflect.Bool:
		if kind != 't' && kind != 'f' {
			p.Add(prefix+name, "boolean", "must be true or false, is %v", quoteValue(raw))
			return
		}
		v.SetBool(kind == 't')

	case v.Kind() == reflect.Slice && v.Type() != idType:
		p.Add(prefix+name, "array", "must be an array")
	case v.Kind() == reflect.Struct && v.Type() != timeType:
		p.Add(prefix+name, "object", "must be an object")
	case kind != '"':
		p.Add(prefix+name, "string", "must be a string")
	default:
		setText(p, prefix, name, v, unquote(raw))
	}
}

// setText parses a query parameter into v.
func (f *field) setText(p *Problems, path string, v reflect.Value, s string) {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}

	if v.Kind() == reflect.Int64 {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			p.Add(path, "number", "must be a whole number, is %v", quoteClipped(s))
			return
		}
		v.SetInt(n)
		return
	}

	setText(p, "", path, v, s)
}

// setText parses s into a string, an id or a time.
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
		// Times outside these years in UTC cannot be encoded as JSON.
		if y := t.UTC().Year(); err != nil || y < 1 || y > 9999 || t.IsZero() {
			if strings.Contains(s, " ") {
				p.Add(prefix+name, "date-time",
					"must be a date-time like 2026-03-31T14:00:00Z, is %s (in a URL, encode + as %%2B)",
					quoteClipped(s))
			} else {
				p.Add(prefix+name, "date-time", "must be a date-time like 2026-03-31T14:00:00Z, is %s", quoteClipped(s))
			}

			return
		}

		*v.Addr().Interface().(*time.Time) = Instant(t)

	default:
		v.SetString(s)
	}
}

// parseID parses an id in its canonical form. It rejects the zero id, which means none.
func parseID(s string) (ID, bool) {
	if len(s) != 36 {
		return NoID, false
	}
	id, err := uuid.Parse(s)
	return id, err == nil && id != NoID
}

// parseWhole parses a JSON number that is whole, in any notation: 5, 5.0, 5e0.
func parseWhole(raw jsontext.Value) (int64, error) {
	if raw.Kind() != '0' || len(raw) > 64 {
		return 0, errors.New("not a number")
	}
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n, nil
	}

	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || f > MaxQuantity || f < -MaxQuantity || f > -0.1 && f < 0.1 {
		// 0.0 is whole. 1e-99999 is not, and as a fraction would exhaust memory.
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

// shortName shortens the name of a member for a problem's path.
func shortName(name string) string {
	name = strings.ToValidUTF8(name, "�")
	if r := []rune(name); len(r) > 64 {
		return string(r[:64]) + "…"
	}
	return name
}

// quoteValue returns a JSON value as quoted in a message.
func quoteValue(raw jsontext.Value) string {
	switch raw.Kind() {
	case '"':
		return Textf("the string %s", quoteClipped(unquote(raw)))
	case '{':
		return Text("an object")
	case '[':
		return Text("an array")
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
