package apiclient

import (
	"bytes"
	"fmt"
	"math"
	"mime"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bincard/server/api"
)

// read decodes an answer to an operation.
func (c *Client) read(spec *api.Spec, ans *answer) (*api.Response, error) {
	if ans.status < 200 || ans.status > 299 {
		return nil, c.errorFrom(ans)
	}
	media, _, _ := mime.ParseMediaType(ans.header.Get("Content-Type"))
	if media != "application/json" && !strings.HasSuffix(media, "+json") {
		return nil, c.unexpectedAnswer(ans, nil)
	}
	if err := checkMembers(ans.body, spec.Output()); err != nil {
		return nil, c.unexpectedAnswer(ans, err)
	}
	out := spec.NewOutput()
	if err := json.Unmarshal(ans.body, out, lenient); err != nil {
		return nil, c.unexpectedAnswer(ans, err)
	}
	return &api.Response{Output: out, Replayed: strings.EqualFold(ans.header.Get("Idempotent-Replayed"), "true"),
		CommittedBy: ans.header.Get("Bincard-Commit")}, nil
}

// unexpectedAnswer returns the error for an answer that is not from the
// service.
func (c *Client) unexpectedAnswer(ans *answer, cause error) error {
	what := "a " + ans.header.Get("Content-Type") + " page"
	if ans.header.Get("Content-Type") == "" {
		what = "no content type"
	}
	if cause != nil {
		what = "unexpected JSON (" + cause.Error() + ")"
	}
	return unavailable(Unknown, cause, "The answer from %s is not from the service: status %d, %s: %s. "+
		"Check BINCARD_URL, and whether the network needs a sign-in.", c.host, ans.status, what, excerpt(ans.body))
}

// excerpt returns the beginning of a body for a message.
func excerpt(body []byte) string {
	const limit = 80
	text := strings.ToValidUTF8(string(body[:min(len(body), 4*limit)]), "")
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if r := []rune(text); len(r) > limit {
		text = string(r[:limit]) + "…"
	}
	return strconv.Quote(text)
}

// lenient decodes what other implementations of the interface may send: whole
// numbers as 5.0, null for absent members, unknown members.
var lenient = json.JoinOptions(
	jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true),
	json.WithUnmarshalers(json.JoinUnmarshalers(json.UnmarshalFromFunc(wholeNumber), json.UnmarshalFromFunc(metadata))))

func wholeNumber(d *jsontext.Decoder, n *int64) error {
	raw, err := d.ReadValue()
	if err != nil {
		return err
	}
	if raw.Kind() == 'n' {
		*n = 0
		return nil
	}
	if raw.Kind() != '0' {
		return fmt.Errorf("%s is not a number", raw)
	}
	if *n, err = strconv.ParseInt(string(raw), 10, 64); err == nil {
		return nil
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > api.MaxQuantity {
		return fmt.Errorf("%s is not a whole number", raw)
	}
	*n = int64(f)
	return nil
}

func metadata(d *jsontext.Decoder, m *jsontext.Value) error {
	raw, err := d.ReadValue()
	if err != nil {
		return err
	}
	*m = nil
	if raw.Kind() != 'n' {
		*m = raw.Clone()
	}
	return nil
}

var requiredMembers sync.Map // reflect.Type → []string

// checkMembers checks that body is an object with the required members of t.
func checkMembers(body []byte, t reflect.Type) error {
	d := jsontext.NewDecoder(bytes.NewReader(body), lenient)
	if d.PeekKind() != '{' {
		return fmt.Errorf("not an object")
	}
	_, _ = d.ReadToken()
	seen := map[string]bool{}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return err
		}
		seen[name.String()] = true
		if err := d.SkipValue(); err != nil {
			return err
		}
	}
	for _, name := range requiredOf(t) {
		if !seen[name] {
			return fmt.Errorf("missing member %s", name)
		}
	}
	return nil
}

// requiredOf returns the members of t that are never absent.
func requiredOf(t reflect.Type) []string {
	if names, ok := requiredMembers.Load(t); ok {
		return names.([]string)
	}
	var names []string
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "-" || strings.Contains(options, "omit") || f.Type.Kind() == reflect.Pointer {
			continue
		}
		names = append(names, name)
	}
	requiredMembers.Store(t, names)
	return names
}
