package api

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
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
			return nil, Fail(NotFound, Details{f.name: path(f.name)}, "No resource with %s %s.", f.name,
				quoteClipped(path(f.name)))
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

	d := newBodyDecoder(p, body)
	defer d.close()
	d.keepEmpty = s.Method == http.MethodPatch
	if d.PeekKind() != '{' {
		if _, err := d.ReadValue(); err != nil {
			return invalidJSON(err)
		}
		return Fail(InvalidJSON, nil, "The body must be a JSON object.")
	}

	d.object("", v)
	if _, more := d.ReadToken(); d.err == nil && !d.tooMany && !errors.Is(more, io.EOF) {
		d.err = errors.New("unexpected data after the JSON object")
	}
	if d.err != nil {
		return invalidJSON(d.err)
	}

	return nil
}

func invalidJSON(err error) error {
	return Fail(InvalidJSON, nil, "The body is not valid JSON: %v.", strings.TrimPrefix(err.Error(), "jsontext: "))
}

// A bodyDecoder decodes a JSON body in one pass, without copying it.
type bodyDecoder struct {
	jsontext.Decoder
	buf      bytes.Buffer
	problems *Problems
	err      error // why the body is not JSON
	tooMany  bool  // items or problems, so the rest was not read
	// keepEmpty distinguishes an empty list, which replaces another, from none.
	keepEmpty bool
}

var (
	bodyDecoders = sync.Pool{New: func() any { return new(bodyDecoder) }}
	duplicate    = jsontext.AllowDuplicateNames(true) // object reports them by name
)

func newBodyDecoder(p *Problems, body []byte) *bodyDecoder {
	d := bodyDecoders.Get().(*bodyDecoder)
	d.buf, d.problems, d.err, d.tooMany = *bytes.NewBuffer(body), p, nil, false
	d.Reset(&d.buf, duplicate)
	return d
}

// close returns the decoder to the pool.
func (d *bodyDecoder) close() {
	d.buf, d.problems = bytes.Buffer{}, nil
	d.Reset(&d.buf)
	bodyDecoders.Put(d)
}

// more reports whether the object or list has another member or item to read.
func (d *bodyDecoder) more(end jsontext.Kind) bool {
	if len(d.problems.Fields) >= maxProblems {
		d.tooMany = true
	}
	if d.err != nil || d.tooMany {
		return false
	}
	return d.PeekKind() != end
}

// token reads the begin or end of an object or list.
func (d *bodyDecoder) token() {
	if d.err != nil || d.tooMany {
		return
	}
	_, d.err = d.ReadToken()
}

// next reads a value. It reports false if the body has no valid one here.
func (d *bodyDecoder) next() (raw jsontext.Value, ok bool) {
	raw, d.err = d.ReadValue()
	return raw, d.err == nil
}

// object reads the members of an object into the struct v.
func (d *bodyDecoder) object(prefix string, v reflect.Value) {
	sh, p := shapeOf(v.Type()), d.problems
	var seen uint64
	strangers := 0
	d.token()
	for d.more('}') {
		quoted, ok := d.next()
		if !ok {
			return
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
			d.next()

		case seen&(1<<f.position) != 0:
			p.Add(prefix+f.name, "duplicate", "must appear only once")
			d.next()
		default:
			seen |= 1 << f.position
			kind, value := d.PeekKind(), v.FieldByIndex(f.index)
			d.value(prefix, f.name, f.maxItems, value)
			f.checkNonzero(p, prefix, kind, value)
		}
	}

	d.token()
}

// list reads a list. It decodes no items over the limit, and reads none over twice the
// limit: the items cost more than the bytes.
func (d *bodyDecoder) list(path string, maxItems int, v reflect.Value) {
	d.token()
	if d.keepEmpty {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	}

	for i := 0; d.more(']'); i++ {
		if i >= maxItems {
			d.problems.Add(path, "maxItems", "must have at most %d items", maxItems)
			d.tooMany = i >= 2*maxItems
			d.next()
			continue
		}

		e := reflect.New(v.Type().Elem()).Elem()
		d.value(path, fmt.Sprintf("[%d]", i), 0, e)
		v.Set(reflect.Append(v, e))
	}

	d.token()
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

// checkNonzero rejects a 0 or an empty value of an enumeration that was sent; check cannot
// distinguish it from an omitted one.
func (f *field) checkNonzero(p *Problems, prefix string, kind jsontext.Kind, v reflect.Value) {
	switch {
	case !v.IsZero():
	case kind == '"' && f.enum != nil && !f.required:
		f.checkText(p, prefix+f.name, v)
	case v.Kind() != reflect.Int64:
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
