package api

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// maxUnknown limits the reported unknown fields and parameters. The first one of each kind
// lists the allowed ones.
const maxUnknown = 10

// Decode reads and validates an input of the operation from the parts of a request.
// It rejects unknown, duplicate, wrong-case and mistyped members, and reports all
// problems at once.
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
			return nil, Fail(NotFound, Details{f.name: path(f.name)}, "No resource with %s %s.", f.name, quoteClipped(path(f.name)))
		}
		*v.FieldByIndex(f.index).Addr().Interface().(*ID) = id
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
			return Fail(InvalidJSON, nil, "The body is empty. Send a JSON object.")
		}
		return nil
	}
	d := scan(body)
	defer d.done()
	raw, err := d.ReadValue()
	if err == nil {
		if _, more := d.ReadToken(); !errors.Is(more, io.EOF) {
			err = errors.New("unexpected data after the JSON object")
		}
	}
	if err != nil {
		return Fail(InvalidJSON, nil, "The body is not valid JSON: %v.", strings.TrimPrefix(err.Error(), "jsontext: "))
	}
	if raw.Kind() != '{' {
		return Fail(InvalidJSON, nil, "The body must be a JSON object.")
	}
	decodeObject(p, "", raw, v)
	return nil
}

func decodeQuery(p *Problems, sh *shape, v reflect.Value, query url.Values) {
	if len(query) == 0 {
		return
	}
	strangers := 0
	for _, name := range slices.Sorted(maps.Keys(query)) {
		f, values := sh.query[name], query[name]
		switch {
		case f == nil:
			switch strangers++; {
			case strangers == 1:
				p.Add(shortName(name), "unknown", "unknown parameter; allowed: %v", names(sh.query))
			case strangers <= maxUnknown:
				p.Add(shortName(name), "unknown", "unknown parameter")
			}
		case len(values) > 1:
			p.Add(name, "duplicate", "must appear once, appears %d times", len(values))
		case values[0] == "":
			p.Add(name, "empty", "must not be empty; omit it or provide a value")
		default:
			f.setText(p, name, v.FieldByIndex(f.index), values[0])
		}
	}
}

// decodeObject reads the members of raw into the struct v.
func decodeObject(p *Problems, prefix string, raw jsontext.Value, v reflect.Value) {
	sh := shapeOf(v.Type())
	d := scan(raw)
	defer d.done()
	_, _ = d.ReadToken()
	var seen uint64
	strangers := 0
	for d.PeekKind() == '"' && len(p.Fields) < maxProblems {
		quoted, _ := d.ReadValue()
		value, err := d.ReadValue()
		if err != nil {
			return // unreachable: the caller has read the whole value
		}
		text := unquoted(quoted)
		if bytes.IndexByte(text, '\\') >= 0 {
			text = []byte(unquote(quoted))
		}
		f := sh.body[string(text)]
		switch {
		case f == nil:
			if strangers++; strangers <= maxUnknown {
				name := string(text)
				p.Add(prefix+shortName(name), "unknown", "%v", unknown(name, sh, strangers == 1))
			}
		case seen&(1<<f.position) != 0:
			p.Add(prefix+f.name, "duplicate", "must appear only once")
		default:
			seen |= 1 << f.position
			decodeValue(p, prefix, f.name, f.maxItems, value, v.FieldByIndex(f.index))
			f.checkNonzero(p, prefix, v.FieldByIndex(f.index))
		}
	}
}

// checkNonzero rejects a 0 that was sent; check cannot distinguish it from an omitted number.
func (f *field) checkNonzero(p *Problems, prefix string, v reflect.Value) {
	switch {
	case v.Kind() != reflect.Int64 || v.Int() != 0:
	case f.nonzero:
		p.Add(prefix+f.name, "nonzero", "must not be 0")
	case f.min != nil && *f.min > 0:
		p.Add(prefix+f.name, "minimum", "must be at least %d, is 0", *f.min)
	}
}

// unknown returns the message for an unknown member, with a suggestion, and the allowed
// ones if it is the first.
func unknown(name string, sh *shape, first bool) string {
	for known := range sh.body {
		if strings.EqualFold(known, name) {
			return Textf("unknown field; names are case-sensitive, use %s", known)
		}
	}
	if len(sh.body) == 0 {
		return Text("unknown field; this operation takes no body")
	}
	if !first {
		return Text("unknown field")
	}
	return Textf("unknown field; allowed: %v", names(sh.body))
}

func names(m map[string]*field) string {
	if len(m) == 0 {
		return Text("none")
	}
	return strings.Join(slices.Sorted(maps.Keys(m)), ", ")
}

// A scanner reads JSON without copying it. Its values point into the bytes given to scan.
type scanner struct {
	jsontext.Decoder
	buf bytes.Buffer
}

var (
	scanners  = sync.Pool{New: func() any { return new(scanner) }}
	duplicate = jsontext.AllowDuplicateNames(true) // decodeObject reports them by name
)

func scan(b []byte) *scanner {
	s := scanners.Get().(*scanner)
	s.buf = *bytes.NewBuffer(b)
	s.Reset(&s.buf, duplicate)
	return s
}

// done returns the scanner to the pool.
func (s *scanner) done() {
	s.buf = bytes.Buffer{}
	s.Reset(&s.buf)
	scanners.Put(s)
}

// unquoted returns the text between the quotes of a JSON string, with its escapes.
func unquoted(quoted jsontext.Value) []byte {
	if len(quoted) < 2 {
		return nil
	}
	return quoted[1 : len(quoted)-1]
}

// unquote returns the value of a JSON string, which must be well-formed.
func unquote(quoted jsontext.Value) string {
	if text := unquoted(quoted); bytes.IndexByte(text, '\\') < 0 {
		return string(text)
	}
	text, _ := jsontext.AppendUnquote(nil, quoted)
	return string(text)
}
